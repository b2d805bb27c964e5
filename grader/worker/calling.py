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
from grader.worker.wire import TOGETHER

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
        self._boards, self._texts = {**_BOARDS}, {**_TEXTS}
        self._sets: dict[bytes, str] = {}

    def to(
        self, function: Any, calls: "Iterable[tuple[str] | tuple[str, object]]", patience: float
    ) -> "Iterator[str]":
        """Yield the answers to calls with a board and at most one value more, several of them together.

        They are collected while they come quickly, and told at the latest when `patience` (seconds) is over.
        """
        boards, texts, now = self._boards, self._texts, perf_counter
        waiting, due = list[str](), now() + patience
        for call in calls:
            cells = call[0]
            a, b, c, d, e, f, g, h, i = boards.get(cells) or _draw(cells, boards, texts)
            board = [top, middle, bottom] = [[a, b, c], [d, e, f], [g, h, i]]
            started = now()
            try:
                value = function(board) if len(call) == 1 else function(board, call[1])
            except BaseException as error:
                ended = now()
                text, value = self.raised(error), None
            else:
                ended = now()
                text = self.returned(value)
            self.seconds += ended - started
            if not (
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
            ) and not _is_same(board, cells):
                text = f'{text[:-1]},{encode(board)},"{_shared(value, board)}"]'
            waiting.append(text)
            if ended >= due or len(waiting) == TOGETHER:
                yield "\t".join(waiting)
                waiting.clear()
                due = now() + patience
        if waiting:
            yield "\t".join(waiting)

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
        is_set = type(value) is set
        texts = self._sets if is_set else self._texts
        try:  # a set as a list, in whatever order: dumps would go by way of the audit hook for each member
            key = dumps([*value] if is_set else value, 2)
        except (ValueError, MemoryError):  # not plain, or too large to be looked up
            return f'["returned",{encode(value)}]'
        text = texts.get(key)
        if text is None:
            text = f'["returned",{encode(value)}]'
            if len(texts) < _MOST_TEXTS and len(key) <= _LONGEST_KEY:
                texts[key] = text
        return text


_BOARDS: dict[str, Cells] = {}
_TEXTS: dict[bytes, str] = {}
"""The boards that are drawn before anybody asks, and the answers with one of them."""


def draw_boards() -> None:
    """Draw every board with as many X as O or one more: whoever is forked from here has them.

    What `marshal` writes of a board is put together from what it writes of the rows.
    """
    rows = list[Any]()
    for cells in [a + b + c for a in "XO." for b in "XO." for c in "XO."]:
        marks = [None if cell == "." else cell for cell in cells]
        rows.append((cells, (*marks,), dumps(marks, 2), cells.count("X") - cells.count("O")))
    three = dumps([None] * 3, 2)[:5]
    for top, a, x, i in rows:
        for middle, b, y, j in rows:
            for bottom, c, z, k in rows:
                if 0 <= i + j + k <= 1:
                    cells = top + middle + bottom
                    _BOARDS[cells] = a + b + c
                    _TEXTS[three + x + y + z] = f'["returned",["b","{cells}"]]'


def _draw(cells: str, boards: dict[str, Cells], texts: dict[bytes, str]) -> Cells:
    rows = drawn(cells)
    texts[dumps(rows, 2)] = f'["returned",["b","{cells}"]]'
    (a, b, c), (d, e, f), (g, h, i) = rows
    marks = boards[cells] = a, b, c, d, e, f, g, h, i
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
