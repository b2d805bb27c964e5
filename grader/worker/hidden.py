"""What a file keeps where nobody sees it change: then a memory of its answers cannot be trusted.

Names of the module are seen to (see `effects`). State can also be in a default, in what a function encloses,
in a class, in an object such as a stream or an iterator, or be reached by way of `globals`.
"""

import ast

from grader.worker.errors import NotRecallable
from grader.worker.nodes import walk
from grader.worker.own import *

UNWRITTEN = ("globals", "vars", "eval", "exec")
"""What reaches a name that is not written in the source."""

_REACHING = frozenset((
    *UNWRITTEN, "setattr", "delattr", "cache_info", "cache_clear", "__dict__", "__globals__",
    "__defaults__", "__kwdefaults__", "__closure__", "__code__", "environ",
))  # fmt: skip
"""What reads or changes something otherwise than by its name."""

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTION, _BUILTIN, _MODULE = type(lambda: 0), type(len), type(ast)
_FIXED = (type(None), bool, int, float, complex, str, bytes, range, tuple, frozenset, _MODULE)
_DATA = (*_FIXED, list, dict, set)
_HARMLESS = ("random", "decimal", "fractions", "datetime", "operator", "logging", "re", "enum")
"""Modules whose objects hold nothing on which an answer depends, but for chance."""


def refuse_hidden(tree: ast.Module, changed: Any) -> bool:
    """Raise NotRecallable if functions reach state otherwise than by names; return whether any is enclosed.

    `changed` gives what a node changes.
    """
    encloses, modules = False, _imported(tree)
    for function in walk(tree):
        if isinstance(function, _FUNCTIONS):
            kept = _kept_by(function) | modules
            for node in walk(function):
                encloses = encloses or isinstance(node, ast.Nonlocal)
                name = getattr(node, "id", None) or getattr(node, "attr", None)
                if isinstance(node, ast.Name | ast.Attribute) and name in _REACHING:
                    raise NotRecallable(f"it uses {name} (line {node.lineno})")
                root = changed(node)
                is_class = isinstance(root, ast.Call) or "__class__" in _chain(node)
                if isinstance(node, ast.Attribute) and root is not None and is_class:
                    raise NotRecallable(f"it writes to a class (line {node.lineno})")
                if isinstance(root, ast.Name) and root.id in kept:
                    raise NotRecallable(
                        f"it writes to {root.id}, which outlives the call (line {root.lineno})"
                    )
    return encloses


def _imported(tree: ast.Module) -> set[str]:
    """Return the names of modules, and of what is taken from them."""
    given = [one.names for one in walk(tree) if isinstance(one, ast.Import | ast.ImportFrom)]
    return {one.asname or one.name.partition(".")[0] for names in given for one in names}


def changing_classes(tree: ast.Module, changed: Any) -> set[str]:
    """Return the classes whose objects change when a method is called."""
    found = set[str]()
    for one in walk(tree):
        if isinstance(one, ast.ClassDef):
            for method in one.body:
                if isinstance(method, ast.FunctionDef) and method.args.args and method.name != "__init__":
                    me = method.args.args[0].arg
                    if any(getattr(changed(node), "id", None) == me for node in walk(method)):
                        found.add(one.name)
    return found


def _kept_by(function: Any) -> set[str]:
    """Return the parameters that outlive a call: those with a default that can change, and a class."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    pairs = [*zip(reversed(positional), reversed(given.defaults), strict=False), *named]
    fixed = ast.Constant | ast.UnaryOp | ast.Tuple
    kept = {one.arg for one, default in pairs if default and not isinstance(default, fixed)}
    decorators = {getattr(one, "id", "") for one in getattr(function, "decorator_list", ())}
    return kept | {one.arg for one in positional[:1] if "classmethod" in decorators}


def _chain(node: Any) -> list[str]:
    """Return the names of the attributes in x.y[0].z."""
    names = []
    while isinstance(node, ast.Subscript | ast.Attribute):
        names.append(getattr(node, "attr", ""))
        node = node.value
    return names


def refuse_objects(used: set[str], spaces: list[dict[str, Any]], encloses: bool, changing: set[str]) -> None:
    """Raise NotRecallable if a name that functions use holds something whose state cannot be seen."""
    for names in spaces:
        for name in used:
            if name not in names:
                continue
            value = names[name]
            is_seen = _is_stateless(value, names.get("__name__"), encloses, set())
            if not is_seen or type(value).__name__ in changing:
                raise NotRecallable(f"{name} may hold something that outlives the call")


def _is_stateless(value: Any, own: Any, encloses: bool, seen: set[int]) -> bool:
    kind = type(value)
    if kind in _DATA or isinstance(value, type) or id(value) in seen:
        return True
    seen.add(id(value))
    if kind is _FUNCTION:
        enclosed = value.__dict__.get("__recalled__")
        cells = (enclosed.cells if enclosed else value.__closure__) or ()
        held = [cell.cell_contents for cell in cells]
        return all(_holds_still(one, own, encloses, seen) for one in held)
    if kind is _BUILTIN:
        return value.__self__ is None or type(value.__self__) is _MODULE
    if kind.__name__ == "method":
        return type(value.__self__).__module__ in _HARMLESS
    if kind.__name__ == "_lru_cache_wrapper":
        return _is_stateless(value.__wrapped__, own, encloses, seen)
    module = kind.__module__
    return module == own or module in _HARMLESS or isinstance(value, _MODULE)


def _holds_still(value: Any, own: Any, encloses: bool, seen: set[int]) -> bool:
    """Return whether what a function encloses stays what it is."""
    if type(value) is _FUNCTION or isinstance(value, type):
        return _is_stateless(value, own, encloses, seen)
    return type(value) in _FIXED and not encloses
