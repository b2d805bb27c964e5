"""A copy of a submission whose functions cache their results.

Every function that minimax reaches gets a decorator that keeps results by the content of the arguments. That
is sound for functions that depend on their arguments (and on the variables they enclose) alone: see `purity`.
A call that changed its arguments is not cached. The client asks the untouched copy again for whatever costs
points, and for a sample of the rest. Content is compared by `marshal`: it distinguishes 1 from True, refuses
all but plain data, and copies on the way out.
"""

import _ast as ast
from marshal import dumps, loads

from grader.worker.calling import CONTENTS, draw_boards
from grader.worker.module import NotRecallable, parse
from grader.worker.own import *
from grader.worker.purity import Purity, changed_in_place, fixed
from grader.worker.source_outline import walk

SMALL = (type(None), bool, float)
_IMMUTABLE = (*SMALL, int, str)
_CONTAINERS = (tuple, list, set, frozenset, dict)
_MAX_KEY = 4_096
_DEEPEST = 50
_DEEPEST_OBJECT = 8
"""A cell of a board that is an attribute of an argument lies at 6."""


def plain(parts: Any) -> bytes:
    """Return these parts as bytes; raise ValueError when they are not plain data."""
    try:
        return dumps(parts, 2)
    except ValueError:
        return dumps(_opened(parts, 0), 2)


def plain_without_buffers(parts: Any) -> bytes:
    """Return the same where some parts may be arrays; raise ValueError for these, too."""
    refuse_buffers(parts)
    return plain(parts)


def is_immutable(value: object) -> bool:
    """Return whether nobody can change a value: a tuple of such values is one, too."""
    if type(value) is not tuple:
        return type(value) in _IMMUTABLE
    for item in value:  # noqa: SIM110 - in half the time of a generator
        if not is_immutable(item):
            return False
    return True


def refuse_buffers(value: Any, depth: int = 0) -> None:
    """Raise ValueError for a value with an array in it, which `marshal` takes for bytes."""
    kind = type(value)
    if kind in _IMMUTABLE:
        return
    if depth > _DEEPEST or (kind not in _CONTAINERS and not _is_own(value)):
        raise ValueError("not plain data")
    items = value if kind in _CONTAINERS else vars(value)
    for item in (*items, *items.values()) if type(items) is dict else items:
        refuse_buffers(item, depth + 1)


def _is_own(value: Any) -> bool:
    """Return whether a value is an instance of the submission's own classes."""
    return getattr(type(value), "__module__", None) == "tictactoe" and hasattr(value, "__dict__")


def _opened(value: Any, depth: int) -> Any:
    """Return a value with instances of the submission's own classes as their class and attributes."""
    if depth > _DEEPEST_OBJECT:
        raise ValueError("nested too deeply")
    if type(value) is tuple or type(value) is list:
        return type(value)([_opened(item, depth + 1) for item in value])
    if _is_own(value):
        return "instance", id(type(value)), _opened(sorted(vars(value).items()), depth + 1)
    return value


MAX_ENTRIES = 200_000
MAX_BYTES = 128_000_000
_ENTRY = 200
"""Bytes that an entry takes beside its key and its value, roughly."""


class Memory:
    """What all functions of one copy remember, within bounds: at the bound it forgets and goes on."""

    def __init__(
        self, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES, *, buffers: bool = False
    ) -> None:
        self.max_entries, self.max_bytes = max_entries, max_bytes
        self.entries = self.bytes = 0
        self.buffers = buffers
        self.content_of = plain_without_buffers if buffers else plain
        self._results: dict[object, dict[Any, object]] = {}

    def given(self) -> dict[str, Any]:
        """Return the names that the changed source uses."""
        return {"__recall__": self.recall, "__fixed__": fixed}

    def keep(self, results: dict[Any, object], content: bytes, value: Any) -> None:
        """Keep a result by the content of the arguments: an immutable one as it is, any other as a copy."""
        if len(content) > _MAX_KEY:
            return
        kept, size = value, _ENTRY + len(content)
        if type(value) not in SMALL:
            if self.buffers:
                refuse_buffers(value)
            blob = dumps(value, 2)
            kept, size = value if is_immutable(value) else Copy(blob), size + len(blob)
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
        results, enclosed = self._results.setdefault(code, {}), Enclosed(function)
        look_up, keep, content_of, cells = results.get, self.keep, self.content_of, enclosed.cells
        is_plain = not (cells or self.buffers)

        def remembered(*arguments: Any, **named: Any) -> Any:
            nonlocal is_plain
            try:
                if is_plain and not named:
                    content = dumps(arguments, 2)  # as `content_of` does, without two calls
                else:
                    content = content_of(
                        everything(arguments, named, enclosed) if named or cells else arguments
                    )
            except ValueError:
                if is_plain:
                    is_plain = False
                    return remembered(*arguments, **named)
                return function(*arguments, **named)
            found: Any = look_up(content, look_up)
            if found is not look_up:
                return loads(found.blob) if type(found) is Copy else found
            value = function(*arguments, **named)
            for argument in arguments:
                if argument is value and not is_immutable(value):  # the caller has it: no copy will do
                    return value
            try:
                after = content_of(everything(arguments, named, enclosed) if named or cells else arguments)
                if after == content:
                    keep(results, content, value)
            except ValueError:
                pass
            return value

        remembered.__name__ = getattr(function, "__name__", "remembered")
        remembered.__recalled__ = enclosed  # type: ignore[attr-defined]
        return remembered


def looked_up(name: str, answers: dict[str, Any], function: Any) -> Any:
    """Return a function that looks up what it is known to answer on a board, and else calls the given one.

    Of `result` it is known whose turn it is: it copies the board and takes the cell.
    """
    if not CONTENTS:  # no template was there to draw them
        draw_boards()
    look_up = {CONTENTS[cells]: value for cells, value in answers.items()}.get

    def answer(*arguments: Any, **named: Any) -> Any:
        try:
            (board,) = arguments
            value = look_up(dumps(board, 2), answers)
        except ValueError:  # not one argument, or no plain data
            value = answers
        return function(*arguments, **named) if value is answers or named else value

    def result(*arguments: Any, **named: Any) -> Any:
        if len(arguments) == 2 and not named:
            board, action = arguments
            try:
                mark = look_up(dumps(board, 2))
            except ValueError:
                mark = None
            if mark is not None and type(action) is tuple and len(action) == 2:
                (i, j), (a, b, c) = action, board
                is_cell = type(i) is int and type(j) is int and 0 <= i <= 2 and 0 <= j <= 2
                if is_cell and board[i][j] is None and a is not b and b is not c and c is not a:
                    after = [[*a], [*b], [*c]]
                    after[i][j] = mark
                    return after
        return function(*arguments, **named)

    return result if name == "result" else answer


class Copy:
    """A result that callers may change: kept as text, handed out anew each time."""

    __slots__ = ("blob",)

    def __init__(self, blob: bytes) -> None:
        self.blob = blob


class Enclosed:
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
            if isinstance(inner, Enclosed):
                pending.extend(inner.cells)
            else:
                plain.append(cell)
        return plain


def everything(arguments: Any, named: Any, enclosed: Enclosed) -> Any:
    """Return all that a call depends on."""
    return arguments, sorted(named.items()), enclosed.values()


def recalled(sources: dict[str, bytes]) -> tuple[dict[str, Any], Any]:
    """Return each file's code with a memory around its functions, and what checks it once it is loaded.

    Raises NotRecallable when the file could answer differently; so does the check.
    """
    trees = {}
    for filename, source in sources.items():
        try:
            trees[filename] = parse(source)
        except (SyntaxError, ValueError):
            if len(sources) == 1:
                raise
            raise NotRecallable(f"{filename} cannot be read") from None
    purity = Purity(trees)
    codes = {filename: wrapped(tree, filename, purity) for filename, tree in trees.items()}
    return codes, purity.check_objects


def wrapped(tree: ast.Module, filename: str, purity: Any) -> Any:
    """Return the code of a file with a memory around the functions that call themselves.

    It stands inside any decorator of their own. What a function changes of its defaults is checked when it is
    defined.
    """
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef):
            is_generator = any(isinstance(inside, ast.Yield | ast.YieldFrom) for inside in walk(node))
            changed: list[ast.expr] = [ast.Constant(name) for name in changed_in_place(node)]
            if node.name in purity.recursive and not is_generator:
                node.decorator_list.append(_at(node, ast.Name("__recall__", ast.Load())))
            if node in purity.reached and changed:
                checked = ast.Call(ast.Name("__fixed__", ast.Load()), changed, [])
                node.decorator_list.append(_at(node, checked))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            remembered = ast.Call(ast.Name("__recall__", ast.Load()), [node.value], [])
            node.value = _at(node.value, remembered)
    return compile(tree, filename, "exec", dont_inherit=True)


def _at(place: ast.AST, added: ast.expr) -> ast.expr:
    """Return an expression that is added to a source, as if it stood at the place of another node."""
    for node in walk(added):
        for name in node._attributes:
            if getattr(node, name, None) is None:
                setattr(node, name, getattr(place, name))
    return added
