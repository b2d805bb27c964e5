"""Decide whether the functions that minimax reaches depend on their arguments alone.

Caching results is sound only for such functions. A file is refused (`NotRecallable`) if one of them reads
what one of them writes at module level, reaches names otherwise than by writing them down, or uses an object
whose state cannot be seen. Names are resolved by Python's rules of scope, read off the syntax tree: a local
`eval`, `copy` or `alpha` is no state.
"""

import _ast as ast

from grader.worker.module import NotRecallable
from grader.worker.own import *
from grader.worker.source_outline import children, walk
from grader.worker.wire import COUNTED

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def module_names(tree: ast.Module) -> set[ast.Name]:
    """Return every place inside a function at which a name of the module (or a builtin) stands."""
    found: set[ast.Name] = set()
    pending: list[tuple[Any, set[str], bool]] = [(tree, set(), False)]
    while pending:
        node, local, inside = pending.pop()
        body: list[Any] = []
        if isinstance(node, _FUNCTIONS):
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            bound, declared = _bound([node.args, *body])
            pending += [(statement, (local | bound) - declared, True) for statement in body]
        elif isinstance(node, _COMPREHENSIONS):
            local = local | _stored([generator.target for generator in node.generators])
        elif isinstance(node, ast.ClassDef) and inside:
            local = local | _bound(node.body)[0]
        elif isinstance(node, ast.Name) and inside and node.id not in local:
            found.add(node)
        pending += [(child, local, inside) for child in children(node) if child not in body]
    return found


def _bound(nodes: list[Any]) -> tuple[set[str], set[str]]:
    """Return the names that a function's own statements bind, and those that it declares the module's."""
    bound: set[str] = set()
    declared: set[str] = set()
    named: set[str] = set()
    pending = [*nodes]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Global):
            declared.update(node.names)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.NamedExpr):
            named.add(node.target.id)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        # def, class, import, except, case
        name = getattr(node, "asname", None) or getattr(node, "name", None)
        if type(name) is str:
            named.add(name.partition(".")[0])
        if isinstance(node, _COMPREHENSIONS):
            named.update(inner.target.id for inner in walk(node) if isinstance(inner, ast.NamedExpr))
        elif not isinstance(node, _FUNCTIONS | ast.ClassDef):
            pending += children(node)
    if named & declared:
        raise NotRecallable(f"it defines {min(named & declared)} for the whole module inside a function")
    return (bound | named) - declared, declared


def _stored(targets: list[ast.expr]) -> set[str]:
    return {node.id for target in targets for node in walk(target) if isinstance(node, ast.Name)}


_REACHING_NAMES = frozenset(("globals", "locals", "vars", "eval", "exec", "setattr", "delattr", "__import__"))
_REACHING_ATTRIBUTES = frozenset((
    "import_module", "cache_info", "cache_clear", "__dict__", "__globals__", "__defaults__",
    "__kwdefaults__", "__closure__", "__code__", "environ",
))  # fmt: skip
"""What reads or changes something otherwise than by its name."""

_CHANGING_METHODS = frozenset((
    "append", "extend", "insert", "add", "update", "pop", "popitem", "remove", "clear", "discard",
    "setdefault", "sort", "reverse", "appendleft", "popleft", "extendleft",
))  # fmt: skip
_CHANGING_FUNCTIONS = frozenset((
    "heappush", "heappop", "heapify", "heapreplace", "heappushpop", "insort", "insort_left",
    "insort_right", "shuffle",
))  # fmt: skip
"""Functions of the library that change their first argument."""

_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_FUNCTION, _BUILTIN, _MODULE = type(lambda: 0), type(len), type(ast)
_FIXED = (type(None), bool, int, float, complex, str, bytes, range, frozenset, _FUNCTION, _BUILTIN, _MODULE)
_DATA = (*_FIXED, tuple, list, dict, set)
_ALIASES = ("GenericAlias", "UnionType")
_HARMLESS = ("random", "decimal", "fractions", "datetime", "operator", "logging", "re", "enum", "typing")
"""Modules whose objects hold nothing on which an answer depends, but for chance."""


class Purity:
    """What the functions that minimax reaches use of their modules.

    Raises NotRecallable if one of them reads a name of a module that one of them writes.
    """

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        calls = _Calls(trees)
        names = {"minimax", *calls.reached("minimax")}
        self.reached = calls.nodes(names)
        self.recursive = {name for name in names if name in calls.reached(name)}
        self._read = {*COUNTED}
        self._rebinds = any(isinstance(node, ast.Nonlocal) for node in self.reached)
        self._changing = {
            node.name for node in self.reached if isinstance(node, ast.ClassDef) and _changes(node)
        }
        written: dict[str, str] = {}
        for file, tree in trees.items():
            ours, nodes = module_names(tree), [node for node in walk(tree) if node in self.reached]
            where = "" if len(trees) == 1 else f" of {file}"
            others = {name for name in ours if name.id not in calls.defined}
            ignored = {name for node in nodes for name in _not_read(node)}
            for node in nodes:
                if node in ours and isinstance(node.ctx, ast.Load) and node not in ignored:
                    self._read.add(node.id)
                _refuse_reaching(node, others)
                root = _written(node)
                if root in ours:
                    written.setdefault(root.id, f"line {root.lineno}{where}")
                elif root is not None and _is_of_a_class(root, node):
                    raise NotRecallable(f"it writes to a class (line {node.lineno}{where})")
        for name in sorted(written.keys() & self._read):
            raise NotRecallable(f"it writes to {name}, which outlives the call ({written[name]})")

    def check_objects(self, spaces: list[dict[str, Any]]) -> None:
        """Raise NotRecallable if a name that is read holds an object whose state cannot be seen."""
        for names in spaces:
            for name in sorted(self._read & names.keys()):
                value = names[name]
                if not self._is_stateless(value, spaces, set()) or type(value).__name__ in self._changing:
                    raise NotRecallable(f"{name} may hold something that outlives the call")

    def _is_stateless(self, value: Any, spaces: list[dict[str, Any]], seen: set[int]) -> bool:
        kind = type(value)
        if kind is _FUNCTION:
            enclosed = value.__dict__.get("__recalled__")
            is_own = enclosed or any(value.__globals__ is names for names in spaces)
            if not is_own or id(value) in seen:  # the library's, or what the worker itself has put in place
                return True
            seen.add(id(value))
            held = [cell.cell_contents for cell in (enclosed.cells if enclosed else value.__closure__) or ()]
            return all(
                self._is_stateless(inner, spaces, seen)
                if callable(inner)
                else is_fixed(inner) and not self._rebinds
                for inner in held
            )
        if kind is _BUILTIN:
            return value.__self__ is None or type(value.__self__) is _MODULE
        if kind in _DATA or isinstance(value, type) or kind.__name__ in _ALIASES:
            return True
        if kind.__name__ == "method":
            return type(value.__self__).__module__ in _HARMLESS
        if kind.__name__ == "_lru_cache_wrapper":
            return self._is_stateless(value.__wrapped__, spaces, seen)
        return kind.__module__ in _HARMLESS or any(
            kind.__module__ == names.get("__name__") for names in spaces
        )


def is_fixed(value: Any) -> bool:
    """Return whether nobody can change a value."""
    if type(value) is tuple:
        return all(is_fixed(item) for item in value)
    return type(value) in _FIXED or isinstance(value, type)


class _Calls:
    """What each name of a submission defines, and the names that are used in it."""

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        self.defined: dict[str, list[ast.AST]] = {}
        for tree in trees.values():
            for node in walk(tree):
                if isinstance(node, _DEFINITIONS):
                    self.defined.setdefault(node.name, []).append(node)
            for statement in tree.body:  # best = max_value; minimax = memoized(search)
                if not isinstance(statement, _DEFINITIONS):
                    for name in walk(statement):
                        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                            self.defined.setdefault(name.id, []).append(statement)
        self._used = {
            name: {
                getattr(node, "id", getattr(node, "attr", ""))
                for definition in found
                for node in walk(definition)
            }
            for name, found in self.defined.items()
        }

    def reached(self, name: str) -> set[str]:
        """Return the names that a definition uses, itself or through what it uses."""
        found: set[str] = set()
        pending = [name]
        while pending:
            new = self._used.get(pending.pop(), set()) & self._used.keys() - found
            found |= new
            pending += new
        return found

    def nodes(self, names: set[str]) -> set[ast.AST]:
        """Return all that belongs to the definitions of some names."""
        return {
            node for name in names for definition in self.defined.get(name, ()) for node in walk(definition)
        }


def _refuse_reaching(node: Any, builtin: set[ast.Name]) -> None:
    is_name = node in builtin and node.id in _REACHING_NAMES
    if is_name or (isinstance(node, ast.Attribute) and node.attr in _REACHING_ATTRIBUTES):
        raise NotRecallable(f"it uses {node.id if is_name else node.attr} (line {node.lineno})")


def _written(node: ast.AST) -> Any:
    """Return what a node changes, at its root: x[0] = ..., x.y = ..., x.append(...), global x; x = ..."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return _root(node)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        if name in _CHANGING_FUNCTIONS and node.args:
            return _root(node.args[0])
        is_method = name in _CHANGING_METHODS and isinstance(node.func, ast.Attribute)
        return _root(node.func) if is_method else None
    return node if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del) else None


def _not_read(node: Any) -> list[Any]:
    """Return the names that a node changes or prints without looking at what they hold."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
        return [_root(node)]
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return []
    if getattr(call.func, "id", "") == "print":
        texts = [
            part for argument in call.args if isinstance(argument, ast.JoinedStr) for part in argument.values
        ]
        return [*call.args, *[part.value for part in texts if isinstance(part, ast.FormattedValue)]]
    changed = _written(call)
    return [changed] if changed is not None else []


def _is_of_a_class(root: ast.expr, node: Any) -> bool:
    """Return whether what is written belongs to a class: type(x).y, x.__class__.y, cls.y."""
    if getattr(root, "id", "") == "cls" or (isinstance(root, ast.Call) and isinstance(node, ast.Attribute)):
        return True
    while isinstance(node, ast.Subscript | ast.Attribute):
        if getattr(node, "attr", "") == "__class__":
            return True
        node = node.value
    return False


def changed_in_place(function: Any) -> list[str]:
    """Return the parameters with a default that a function changes without giving them another value."""
    given = function.args
    with_default = [*given.posonlyargs, *given.args][
        len(given.posonlyargs) + len(given.args) - len(given.defaults) :
    ]
    with_default += [parameter for parameter, value in zip(given.kwonlyargs, given.kw_defaults) if value]  # noqa: B905
    names = {parameter.arg for parameter in with_default}
    changed = {getattr(_written(node), "id", "") for node in walk(function) if not isinstance(node, ast.Name)}
    return sorted(names & changed)


def fixed(*parameters: str) -> Any:
    """Return a decorator that raises NotRecallable if one of these parameters has a mutable default."""

    def decorator(function: Any) -> Any:
        code, given = function.__code__, function.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount]
        defaults = {**dict(zip(names[len(names) - len(given) :], given)), **(function.__kwdefaults__ or {})}  # noqa: B905
        for name in parameters:
            if not is_fixed(defaults.get(name)):
                line = code.co_firstlineno
                raise NotRecallable(
                    f"it changes the default of {name}, which outlives the call (line {line})"
                )
        return function

    return decorator


def _changes(definition: ast.ClassDef) -> bool:
    """Return whether a method changes the object that it is called on."""
    methods = [
        method for method in definition.body if isinstance(method, ast.FunctionDef) and method.args.args
    ]
    return any(
        getattr(_written(node), "id", None) == method.args.args[0].arg
        for method in methods
        if method.name != "__init__"
        for node in walk(method)
    )


def _root(node: ast.expr) -> ast.expr:
    """Return what stands at the start of x.y[0].z."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node
