"""Makes a second copy of a submission whose functions remember: the same answers, without the repeated work.

Every function definition gets a decorator (see `recallable`) that keeps results by the content of the
arguments. That is sound for functions that depend on their arguments (and on the variables they enclose)
alone. So a call that changed what it was given is not kept, and what is not plain data is neither looked up
nor kept. Whatever slips through is found by the client: it asks the untouched copy again.

Content is compared by `marshal`: it tells 1 from True, refuses all but plain data, and copies on the way out.
"""

from marshal import dumps, loads

from grader.worker.own import *
from grader.worker.plain import SMALL, is_immutable, plain, plain_without_buffers, refuse_buffers

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
        return {"__recall__": self.recall}

    def keep(self, results: dict[Any, object], content: bytes, value: Any) -> None:
        """Keep a result by the content of the arguments."""
        kept, size = self.kept(value)
        self.put(results, content, kept, size + len(content))

    def kept(self, value: Any) -> tuple[object, int]:
        """Return a value to be kept, an immutable one as it is and any other as a copy, and its bytes."""
        if type(value) in SMALL:
            return value, 0
        if self.buffers:
            refuse_buffers(value)
        blob = dumps(value, 2)
        return value if is_immutable(value) else Copy(blob), len(blob)

    def put(self, results: dict[Any, object], key: Any, kept: object, size: int) -> None:
        """Put what is kept in its place, within the bounds."""
        size += _ENTRY
        if self.entries >= self.max_entries or self.bytes + size > self.max_bytes:
            for forgotten in self._results.values():
                forgotten.clear()
            self.entries = self.bytes = 0
        self.entries += 1
        self.bytes += size
        results[key] = kept

    def begun(self, function: Any) -> "tuple[dict[Any, object], Enclosed]":
        """Return where a function's results are kept, and what it encloses."""
        code = getattr(function, "__code__", function)  # one for all instances of a nested function
        return self._results.setdefault(code, {}), Enclosed(function)

    def named(self, remembered: Any, function: Any, enclosed: "Enclosed") -> Any:
        """Return a function that remembers, with the name of the one it stands for."""
        remembered.__name__ = getattr(function, "__name__", "remembered")
        remembered.__recalled__ = enclosed
        return remembered

    def recall(self, function: Any) -> Any:
        """Return the function with a memory of its results."""
        results, enclosed = self.begun(function)
        look_up, keep, content_of, cells = results.get, self.keep, self.content_of, enclosed.cells

        def remembered(*arguments: Any, **named: Any) -> Any:
            try:
                content = content_of(everything(arguments, named, enclosed) if named or cells else arguments)
            except ValueError:
                return function(*arguments, **named)
            found: Any = look_up(content, look_up)
            if found is not look_up:
                return loads(found.blob) if type(found) is Copy else found
            value = function(*arguments, **named)
            try:
                after = content_of(everything(arguments, named, enclosed) if named or cells else arguments)
                if after == content:
                    keep(results, content, value)
            except ValueError:
                pass
            return value

        return self.named(remembered, function, enclosed)


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
