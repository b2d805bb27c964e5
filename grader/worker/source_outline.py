"""Outline of a submission's source as plain data, without running it.

It says what is defined at the top level, what is imported where, or why the source does not parse. It is made
in the worker, since some sources crash the parser.
"""

import _ast as ast
from _json import encode_basestring_ascii, make_encoder
from collections import deque

from grader.worker.module import parse
from grader.worker.own import *
from grader.worker.wire import COUNTED

_encoder: Any = make_encoder(None, repr, encode_basestring_ascii, None, ":", ",", False, False, False)


def as_json(data: object) -> str:
    """Return plain data as JSON: the library's `json` takes longer to import than an outline to make."""
    return "".join(_encoder(data, 0))


def walk(tree: ast.AST) -> list[Any]:
    """Return a node and all below it, in the order of `ast.walk`."""
    found: list[Any] = [tree]
    for node in found:  # which grows
        found += children(node)
    return found


def children(node: ast.AST) -> list[Any]:
    """Return the nodes right below another."""
    found: list[Any] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [part for part in value if isinstance(part, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


_MAX_ITEMS = 200
_MAX_INT = 10**40
"""A number with more digits is not shown, and one with very many cannot be."""

_MAX_SUSPICIOUS = 10
_SUSPICIOUS_MODULES = frozenset((
    "ctypes", "fcntl", "gc", "inspect", "marshal", "mmap", "multiprocessing", "pickle", "pty", "signal",
    "socket", "subprocess", "threading",
))  # fmt: skip
_HIDING_MODULES = frozenset(("code", "codeop", "importlib.util", "marshal", "pickle", "runpy"))
_HIDING_NAMES = frozenset(("exec", "eval", "compile", "__builtins__", "FunctionType", "CodeType"))
_SUSPICIOUS_NAMES = frozenset((
    "_getframe", "f_back", "f_locals", "f_globals", "tb_frame", "__globals__", "__subclasses__",
    "__builtins__", "__code__", "__closure__", "settrace", "setprofile", "addaudithook", "get_objects",
    "get_referrers", "_exit", "fork", "kill", "setrecursionlimit",
))  # fmt: skip


def outline(source: bytes) -> dict[str, Any]:
    """Return the outline of a source: `functions`, `variables`, `imports` and so on, or its `error`."""
    if b"\0" in source:
        return {"error": ["null bytes are not allowed", source[: source.index(b"\0")].count(b"\n") + 1, 0]}
    try:
        tree = parse(source)
    except SyntaxError as error:
        return {"error": [error.msg or "invalid syntax", error.lineno or 0, error.offset or 0]}
    except (RecursionError, MemoryError):
        return {"error": ["the code is nested too deeply", 0, 0]}
    imports, stand_ins = sorted(set(_imports(tree))), _stand_ins(tree)
    return {
        "functions": _functions(tree, stand_ins),
        "variables": dict(list(_variables(tree))[:_MAX_ITEMS]),
        "imports": imports[:_MAX_ITEMS],
        "reach": _reach(tree, stand_ins),
        "stand_ins": stand_ins,
        "taken": sorted(set(_taken(tree)))[:_MAX_ITEMS],
        "hidden": sorted(set(_hiding(tree, imports)))[:1],
        "suspicious": sorted(set(_suspicious(tree, imports)))[:_MAX_SUSPICIOUS],
    }


def _top_level(tree: ast.Module) -> "Iterator[ast.stmt]":
    """Return the statements that run on import, also those under `if`, `try` and `with`."""
    pending = deque(tree.body)
    while pending:
        statement = pending.popleft()
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            for block in ("body", "orelse", "finalbody"):
                pending.extend(getattr(statement, block, ()))


def _functions(tree: ast.Module, stand_ins: dict[str, str]) -> dict[str, list[Any]]:
    """Return each function's name with its line, its parameters and whether it is still a stub.

    Who leaves all its work to a stub is one.
    """
    defined = [
        function
        for function in _top_level(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    found = {
        function.name: [function.lineno, _parameters(function.args), all(map(_does_nothing, function.body))]
        for function in defined[:_MAX_ITEMS]
    }
    for helper, name in stand_ins.items():
        if helper in found and name in found:
            found[name][2] = found[name][2] or found[helper][2]
    return found


def _reach(tree: ast.Module, stand_ins: dict[str, str]) -> dict[str, list[str]]:
    """Return for each function of the assignment which of them it names, itself or through what it names."""
    names: dict[str, set[str]] = {}
    for statement in _top_level(tree):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (getattr(node, "id", getattr(node, "attr", "")) for node in walk(statement))
            names.setdefault(statement.name, set()).update(inside)
    found = {}
    for name in names.keys() & COUNTED:
        reached, pending = set[str](), [name]
        while pending:
            new = (names.get(pending.pop(), set()) & {*names, *COUNTED}) - reached
            reached |= new
            pending += new
        reached |= {stand_ins[helper] for helper in reached & stand_ins.keys()}
        found[name] = sorted(reached.intersection(COUNTED) - {name})
    return found


def _stand_ins(tree: ast.Module) -> dict[str, str]:
    """Return the helpers that do all the work of a function of the assignment, each with its function.

    Such a function says `return helper(board)` and nothing else; others may call either.
    """
    defined = {
        function.name: function for function in _top_level(tree) if isinstance(function, ast.FunctionDef)
    }
    found: dict[str, str] = {}
    for name in defined.keys() & COUNTED:
        match _without_docstring(defined[name]):
            case [ast.Return(value=ast.Call(func=ast.Name(id=helper), args=[*args], keywords=[]))]:
                given = [getattr(argument, "id", "") for argument in args]
                taken = [argument.arg for argument in defined[name].args.args]
                if given == taken and helper in defined and helper not in COUNTED:
                    found[helper] = name
    return found


def _without_docstring(function: ast.FunctionDef) -> list[ast.stmt]:
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str())):
            return function.body[1:]
    return function.body


def _parameters(arguments: ast.arguments) -> list[str]:
    """Return the parameters as written, with their stars; a default is shown as `=...`."""
    names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    plain = len(names) - len(arguments.defaults)
    shown = names[:plain] + [f"{name}=..." for name in names[plain:]]
    if arguments.vararg:
        shown.append(f"*{arguments.vararg.arg}")
    shown += [
        name.arg if default is None else f"{name.arg}=..."
        for name, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        shown.append(f"**{arguments.kwarg.arg}")
    return shown


def _does_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement may stand in a stub, as `pass`; to print and to count is nothing, too."""
    match statement:
        case ast.Pass() | ast.Global() | ast.AugAssign() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="print") | ast.Attribute())):
            return True
        case ast.Raise(exc=ast.Name(id=raised) | ast.Call(func=ast.Name(id=raised))):
            return raised == "NotImplementedError"
    return False


def _variables(tree: ast.Module) -> "Iterator[tuple[str, list[Any]]]":
    """Return each top-level variable with its line and its value where that is a plain constant."""
    for statement in _top_level(tree):
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        for target in targets:
            pairs: list[tuple[ast.expr, ast.expr]] = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            for name, part in pairs:
                if isinstance(name, ast.Name):
                    yield name.id, [statement.lineno, _shown(part)]


def _shown(value: ast.expr) -> str:
    if not isinstance(value, ast.Constant) or (isinstance(value.value, int) and abs(value.value) > _MAX_INT):
        return "..."
    text = "..." if value.value is ... else repr(value.value)
    return text if len(text) <= 40 else "..."


def _imports(tree: ast.Module) -> "Iterator[tuple[int, str, bool]]":
    """Return the line and the module of every import, also in functions and by call, and if it is used.

    A module named by anything but a literal text is given as "?".
    """
    importers = {"__import__", "import_module"}
    nodes = list(walk(tree))
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, (alias.asname or alias.name.partition(".")[0]) in named
        elif isinstance(node, ast.ImportFrom):
            names = {alias.asname or alias.name for alias in node.names}
            yield node.lineno, "." * node.level + (node.module or ""), bool(names & {"*", *named})
            if node.module == "importlib":
                importers |= {a.asname for a in node.names if a.name == "import_module" and a.asname}
    for node in nodes:
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
            if name in importers:
                yield node.lineno, _literal(node), True


def _taken(tree: ast.Module) -> "Iterator[str]":
    """Return the names that the top level takes from other modules; `*` stands for all that there are."""
    for statement in _top_level(tree):
        if isinstance(statement, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in statement.names)


def _literal(call: ast.Call) -> str:
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "name"), None)
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else "?"


def _hiding(tree: ast.Module, imports: list[tuple[int, str, bool]]) -> "Iterator[tuple[int, str]]":
    """Return what runs code that does not stand in the file; a variable of such a name does not."""
    for line, module, _ in imports:
        if module in _HIDING_MODULES:
            yield line, f"the module {module}"
    found = [node for node in walk(tree) if _named(node) in _HIDING_NAMES]
    bound = _bound(tree) if found else set()
    for node in found:
        if isinstance(node, ast.Attribute) or _named(node) not in bound:
            yield node.lineno, f"`{_named(node)}`"


def _named(node: Any) -> str | None:
    """Return the name or the attribute that a node of the source is."""
    return getattr(node, "id", getattr(node, "attr", None))


def _bound(tree: ast.Module) -> set[str]:
    """Return all names that the source binds somewhere: variables, parameters, functions and imports."""
    bound = {node.id for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
    return bound | {getattr(node, "name", "") for node in walk(tree)}


def _suspicious(tree: ast.Module, imports: list[tuple[int, str, bool]]) -> "Iterator[tuple[int, str]]":
    """Return what a person should look at: it decides nothing, for each has an innocent use."""
    for line, module, _ in imports:
        if module.partition(".")[0] in _SUSPICIOUS_MODULES:
            yield line, f"the file imports {module}"
    for node in walk(tree):
        if _named(node) in _SUSPICIOUS_NAMES:
            yield node.lineno, f"the file uses {_named(node)}"
