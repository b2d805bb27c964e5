"""Calls a function of the submission and writes down what came of it, as quickly as can be done safely.

No method of a value is called. Whether a call left the board alone is told by identity, cell by cell. What it
returned is read off by `marshal`, which tells 1 from True and refuses all but plain data; what was written
before is looked up. Where identity is not enough, `marshal` has the last word too.
"""

from marshal import dumps
from time import perf_counter

from grader.worker.encode import encode, encode_error
from grader.worker.own import *
from grader.worker.watch import Lookout

Mark = str | None
Rows = list[list[Mark]]
Cells = tuple[Mark, Mark, Mark, Mark, Mark, Mark, Mark, Mark, Mark]

_MOST_TEXTS = 20_000
_LONGEST_KEY = 4_096
_NONE, _TRUE, _FALSE, _X, _O = (f'["returned",{one}]' for one in ("null", "true", "false", '"X"', '"O"'))


class Answers:
    """The answers of one submission as JSON text, and how long its own code took for them."""

    def __init__(self, lookout: Lookout) -> None:
        self.seconds = 0.0
        self._lookout = lookout
        self._boards: dict[str, Cells] = {}
        self._texts: dict[bytes, str] = {}

    def to(self, function: Any, cells: str, others: Any) -> str:
        """Return the answer to a call with a board."""
        a, b, c, d, e, f, g, h, i = self._boards.get(cells) or self._drawn(cells)
        board = [top, middle, bottom] = [[a, b, c], [d, e, f], [g, h, i]]
        started = perf_counter()
        try:
            value = function(board, *others)
        except BaseException as error:
            self.seconds += perf_counter() - started
            text, value = self.raised(error), None
        else:
            self.seconds += perf_counter() - started
            text = self.returned(value)
        if (
            len(board) == len(top) == len(middle) == len(bottom) == 3
            and board[0] is top
            and board[1] is middle
            and board[2] is bottom
            and top[0] is a
            and top[1] is b
            and top[2] is c
            and middle[0] is d
            and middle[1] is e
            and middle[2] is f
            and bottom[0] is g
            and bottom[1] is h
            and bottom[2] is i
        ):
            return text
        return text if _is_same(board, cells) else f'{text[:-1]},{encode(board)},"{_shared(value, board)}"]'

    def raised(self, error: BaseException) -> str:
        """Return an exception as an answer."""
        self._lookout.resting = True  # where it was raised is read by us, not by the submission
        try:
            return f'["raised",{encode_error(error, self._lookout.files)}]'
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

    def _drawn(self, cells: str) -> Cells:
        rows = drawn(cells)
        self._texts[dumps(rows, 2)] = f'["returned",["b","{cells}"]]'
        (a, b, c), (d, e, f), (g, h, i) = rows
        marks = self._boards[cells] = a, b, c, d, e, f, g, h, i
        return marks


def _is_same(board: Rows, cells: str) -> bool:
    """Return whether a board still has these cells, though perhaps in other rows."""
    try:
        return dumps(board, 2) == dumps(drawn(cells), 2)
    except (ValueError, MemoryError):
        return False


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
