"""Calls a function of the submission and writes down what came of it, as quickly as can be done safely.

What a call returned, and whether it left the board alone, is read off by `marshal`: it calls no method of the
value, tells 1 from True, and refuses all but plain data. What was written before is looked up.
"""

from __future__ import annotations

from builtins import (  # noqa: UP029 - own names, so that a submission's patched builtins are not seen
    BaseException,
    MemoryError,
    ValueError,
    len,
    type,
    zip,
)
from marshal import dumps
from time import perf_counter

from grader.worker.encode import encode, encode_error

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real one would cost every worker's start the import of typing
    from typing import Any

    from grader.worker.watch import Lookout

    Rows = list[list[str | None]]

_MOST_TEXTS = 20_000
_LONGEST_KEY = 4_096


_NONE, _TRUE, _FALSE, _X, _O = (
    '["returned",null]',
    '["returned",true]',
    '["returned",false]',
    '["returned","X"]',
    '["returned","O"]',
)


class Answers:
    """The answers of one submission as JSON text, and how long its own code took for them."""

    def __init__(self, filename: str, lookout: Lookout) -> None:
        self.seconds = 0.0
        self._filename, self._lookout = filename, lookout
        self._boards: dict[str, tuple[Rows, bytes]] = {}
        self._texts: dict[bytes, str] = {}

    def to(self, function: Any, cells: str, others: Any) -> str:
        """Return the answer to a call with a board."""
        (top, middle, bottom), before = self._boards.get(cells) or self._drawn(cells)
        board = [top[:], middle[:], bottom[:]]
        started = perf_counter()
        try:
            value = function(board, *others)
        except BaseException as error:
            self.seconds += perf_counter() - started
            text, value = self.raised(error), None
        else:
            self.seconds += perf_counter() - started
            text = self.returned(value)
        try:
            unchanged = dumps(board, 2) == before
        except (ValueError, MemoryError):
            unchanged = False
        return text if unchanged else f'{text[:-1]},{encode(board)},"{_shared(value, board)}"]'

    def raised(self, error: BaseException) -> str:
        """Return an exception as an answer."""
        self._lookout.resting = True  # where it was raised is read by us, not by the submission
        try:
            return f'["raised",{encode_error(error, self._filename)}]'
        finally:
            self._lookout.resting = False

    def returned(self, value: Any) -> str:
        """Return a value as an answer."""
        if value is None:
            return _NONE
        if value is True:
            return _TRUE
        if value is False:
            return _FALSE
        if type(value) is str and (value == "X" or value == "O"):  # noqa: PLR1714 - one test less, often
            return _X if value == "X" else _O
        try:
            key = dumps(value, 2)
        except (ValueError, MemoryError):  # not plain, or too large to be looked up
            return f'["returned",{encode(value)}]'
        text = self._texts.get(key)
        if text is None:
            text = f'["returned",{encode(value)}]'
            if len(self._texts) < _MOST_TEXTS and len(key) <= _LONGEST_KEY:
                self._texts[key] = text
        return text

    def _drawn(self, cells: str) -> tuple[Rows, bytes]:
        rows = drawn(cells)
        blob = dumps(rows, 2)
        self._texts[blob] = f'["returned",["b","{cells}"]]'
        self._boards[cells] = rows, blob
        return self._boards[cells]


def _shared(value: Any, board: Rows) -> str:
    """Return what an answer has in common with the board that the call was given, and changed."""
    if value is board:
        return "itself"
    if type(value) is list and len(value) == len(board):
        for row, given in zip(value, board):  # noqa: B905 - equally long
            if row is given:
                return "rows"
    return "nothing"


def drawn(cells: str) -> Rows:
    """Return a board as submissions know it."""
    marks = [None if cell == "." else cell for cell in cells]
    return [marks[:3], marks[3:6], marks[6:]]
