"""Makes a second copy of a submission whose functions remember: the same answers, without the repeated work.

Every function definition gets a decorator (see `recallable`) that keeps results by the content of the
arguments. That is sound for functions that depend on their arguments (and on the variables they enclose)
alone. So a call that changed what it was given is not kept, and what is not plain data is neither looked up
nor kept. Whatever slips through is found by the client: it asks the untouched copy again.

Content is compared by `marshal`: it tells 1 from True, refuses all but plain data, and copies on the way out.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - own names, so that a submission's patched builtins are not seen
    ValueError,
    getattr,
    id,
    isinstance,
    len,
    list,
    set,
    sorted,
    type,
)
from marshal import dumps, loads

from grader.worker.plain import SMALL, is_immutable, plain, plain_without_buffers, refuse_buffers

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real one would cost every worker's start the import of typing
    from typing import Any

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
