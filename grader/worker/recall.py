"""Makes a second copy of a submission whose functions remember: the same answers, without the repeated work.

Every function definition gets a decorator that keeps results by the content of the arguments. That is sound
for functions that depend on their arguments (and on the variables they enclose) alone. So a file whose
functions write to module-level names is refused here, a call that changed what it was given is not kept, and
what is not plain data is neither looked up nor kept. Whatever slips through is found by the client: it asks
the untouched copy again.

Content is compared by `marshal`: it tells 1 from True, refuses all but plain data, and copies on the way out.
"""

from __future__ import annotations

import ast
from builtins import (  # noqa: UP029 - own names, so that a submission's patched builtins are not seen
    ValueError,
    getattr,
    id,
    isinstance,
    len,
    list,
    set,
    sorted,
    str,
    type,
)
from marshal import dumps, loads

from grader.worker.errors import NotRecallable
from grader.worker.plain import SMALL, is_immutable, plain, plain_without_buffers, refuse_buffers

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real one would cost every worker's start the import of typing
    from typing import Any

MAX_ENTRIES = 200_000
MAX_BYTES = 128_000_000
_ENTRY = 200
"""Bytes that an entry takes beside its key and its value, roughly."""

_CHANGING_METHODS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "pop",
        "popitem",
        "remove",
        "clear",
        "discard",
        "setdefault",
        "sort",
        "reverse",
        "appendleft",
        "popleft",
        "extendleft",
    ]
)


class Memory:
    """What all functions of one copy remember, within bounds: at the bound it forgets and goes on."""

    def __init__(
        self, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES, *, buffers: bool = False
    ) -> None:
        self.max_entries, self.max_bytes = max_entries, max_bytes
        self.entries = self.bytes = 0
        self._buffers = buffers
        self._results: dict[object, dict[bytes, object]] = {}

    def keep(self, results: dict[bytes, object], content: bytes, value: Any) -> None:
        """Keep a result: an immutable one as it is, any other as a copy."""
        kept: object = value
        size = len(content) + _ENTRY
        if type(value) not in SMALL:
            if self._buffers:
                refuse_buffers(value)
            blob = dumps(value, 2)
            size += len(blob)
            if not is_immutable(value):
                kept = _Copy(blob)
        if self.entries >= self.max_entries or self.bytes + size > self.max_bytes:
            for forgotten in self._results.values():
                forgotten.clear()
            self.entries = self.bytes = 0
        self.entries += 1
        self.bytes += size
        results[content] = kept

    def recall(self, function: Any) -> Any:
        """Return the function with a memory of its results."""
        code = getattr(function, "__code__", function)  # one for all instances of a nested function
        results = self._results.setdefault(code, {})
        enclosed, look_up, keep = _Enclosed(function), results.get, self.keep
        content_of = plain_without_buffers if self._buffers else plain
        cells = enclosed.cells

        def remembered(*arguments: Any, **named: Any) -> Any:
            try:
                content = content_of(_all(arguments, named, enclosed) if named or cells else arguments)
            except ValueError:
                return function(*arguments, **named)
            found = look_up(content, look_up)
            if found is not look_up:
                return loads(found.blob) if type(found) is _Copy else found
            value = function(*arguments, **named)
            try:
                after = content_of(_all(arguments, named, enclosed) if named or cells else arguments)
                if after == content:
                    keep(results, content, value)
            except ValueError:
                pass
            return value

        remembered.__name__ = getattr(function, "__name__", "remembered")
        remembered.__recalled__ = enclosed  # type: ignore[attr-defined]
        return remembered


class _Copy:
    """A result that callers may change: kept as text, handed out anew each time."""

    __slots__ = ("blob",)

    def __init__(self, blob: bytes) -> None:
        self.blob = blob


class _Enclosed:
    """The variables that a nested function takes from around it, also through functions it calls there."""

    def __init__(self, function: Any) -> None:
        self.cells = getattr(function, "__closure__", None) or ()
        self._plain: list[Any] | None = None

    def values(self) -> list[object]:
        """Return what the enclosed variables hold now, functions that remember left out."""
        if not self.cells:
            return []
        if self._plain is None:
            self._plain = self._find()
        return [cell.cell_contents for cell in self._plain]

    def _find(self) -> list[Any]:
        plain: list[Any] = []
        seen: set[int] = set()
        pending = [*self.cells]
        while pending:
            cell = pending.pop()
            if id(cell) in seen:
                continue
            seen.add(id(cell))
            inner = getattr(cell.cell_contents, "__recalled__", None)
            if isinstance(inner, _Enclosed):
                pending.extend(inner.cells)
            else:
                plain.append(cell)
        return plain


def _all(arguments: Any, named: Any, enclosed: _Enclosed) -> Any:
    """Return all that a call depends on."""
    return arguments, sorted(named.items()), enclosed.values()


def recalled(source: bytes, filename: str) -> Any:
    """Return the code of the copy that remembers; raise NotRecallable when it could answer differently."""
    tree = ast.parse(source)
    _refuse_side_effects(tree)
    return compile(ast.fix_missing_locations(_Wrap().visit(tree)), filename, "exec", dont_inherit=True)


class _Wrap(ast.NodeTransformer):
    """Puts the memory next to every function, inside any decorator of its own."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        keeps_state = any(not isinstance(default, ast.Constant) for default in _defaults(node.args))
        if not keeps_state and not _is_generator(node):
            node.decorator_list.append(ast.copy_location(ast.Name("__recall__", ast.Load()), node))
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Lambda):
            node.value = ast.copy_location(
                ast.Call(ast.Name("__recall__", ast.Load()), [node.value], []), node.value
            )
        return node


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    """Return the defaults that may hold state: a signed number and a dotted name do not."""
    given = [*arguments.defaults, *(default for default in arguments.kw_defaults if default)]
    return [default for default in given if not isinstance(default, ast.UnaryOp | ast.Name | ast.Attribute)]


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def _refuse_side_effects(tree: ast.Module) -> None:
    """Raise NotRecallable if any function writes to a module-level name or container."""
    shared = {
        name.id
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef)
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    } | {statement.name for statement in tree.body if isinstance(statement, ast.ClassDef | ast.FunctionDef)}
    for statement in ast.walk(tree):
        if isinstance(statement, ast.FunctionDef | ast.Lambda):
            own = _own_names(statement)
            for node in ast.walk(statement):
                name = _written_name(node)
                if name in shared and name not in own:
                    line = getattr(node, "lineno", statement.lineno)
                    raise NotRecallable(f"it writes to {name}, which outlives the call (line {line})")


def _own_names(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Return the names that are the function's own (or of a function within it), not the module's."""
    declared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
    own = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    own |= {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return own - declared


def _written_name(node: ast.AST) -> str | None:
    """Return the name whose value a node changes: x[0] = ..., x.y = ..., x.append(...), global x; x = ..."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return _root(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _root(node.func) if node.func.attr in _CHANGING_METHODS else None
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        return node.id
    return None


def _root(node: ast.expr) -> str | None:
    """Return the name at the start of x.y[0].z, or None."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
