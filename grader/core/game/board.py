"""The board: rules, parsing and drawing, independent of any submission.

There are few boards and many questions about each, so what is asked often is remembered.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import product
from typing import Any, Final, NewType

from grader.core.messages import _, later

Board = NewType("Board", str)
"""Nine cells, row by row, each "X", "O" or "."."""

Action = tuple[int, int]
"""Row and column, each 0 to 2."""

X: Final = "X"
O: Final = "O"
EMPTY: Final = "."
START: Final = Board(EMPTY * 9)
CELLS: Final[tuple[Action, ...]] = tuple((row, column) for row in range(3) for column in range(3))

_NUMBERS: Final = (int, bool, float)

_ROWS: Final = {
    "".join(cells): tuple([None if cell == EMPTY else cell for cell in cells])
    for cells in product((X, O, EMPTY), repeat=3)
}
"""Each row that there can be, as submissions know it."""


def _cells_of(marks: str) -> list[dict[str, tuple[Action, ...]]]:
    """Return for each of the three rows, by what it holds, its cells with one of these marks."""
    return [
        {row: tuple([cell for cell, mark in zip(cells, row, strict=True) if mark in marks]) for row in _ROWS}
        for cells in (CELLS[:3], CELLS[3:6], CELLS[6:])
    ]


_EMPTY_IN: Final = _cells_of(EMPTY)
_TAKEN_IN: Final = _cells_of(X + O)

LINES: Final[dict[str, tuple[int, int, int]]] = {
    later("the top row"): (0, 1, 2),
    later("the middle row"): (3, 4, 5),
    later("the bottom row"): (6, 7, 8),
    later("the left column"): (0, 3, 6),
    later("the middle column"): (1, 4, 7),
    later("the right column"): (2, 5, 8),
    later("the diagonal"): (0, 4, 8),
    later("the anti-diagonal"): (2, 4, 6),
}


def parse(text: str | Iterable[str]) -> Board:
    """Return the board drawn as three rows of X, O and . (spaces and | between cells are ignored).

    Raises ValueError with a sentence for the author of the drawing.
    """
    lines = text.splitlines() if isinstance(text, str) else list(text)
    rows = ["".join(line.replace("|", "").split()) for line in lines]
    rows = [row for row in rows if row]
    if [len(row) for row in rows] != [3, 3, 3]:
        raise ValueError(_("a board is three rows of three cells, each X, O or ."))
    cells = "".join(rows)
    wrong = sorted(set(cells) - {X, O, EMPTY})
    if wrong:
        raise ValueError(_("a cell is X, O or . (an empty cell), not {sign!r}", sign=wrong[0]))
    return Board(cells)


def rows(board: Board) -> tuple[str, str, str]:
    """Return the three rows as text."""
    return board[:3], board[3:6], board[6:]


@cache
def marks(board: Board) -> int:
    """Return how many cells are taken."""
    return 9 - board.count(EMPTY)


@cache
def side_to_move(board: Board) -> str:
    """Return whose turn it is: X starts, then they alternate."""
    return X if board.count(X) == board.count(O) else O


@cache
def empty_cells(board: Board) -> tuple[Action, ...]:
    """Return the empty cells, row by row."""
    return _EMPTY_IN[0][board[:3]] + _EMPTY_IN[1][board[3:6]] + _EMPTY_IN[2][board[6:]]


def taken_cells(board: Board) -> tuple[Action, ...]:
    """Return the taken cells, row by row."""
    return _TAKEN_IN[0][board[:3]] + _TAKEN_IN[1][board[3:6]] + _TAKEN_IN[2][board[6:]]


def place(board: Board, action: Action) -> Board:
    """Return the board after the side to move takes an empty cell."""
    index = action[0] * 3 + action[1]
    return Board(board[:index] + side_to_move(board) + board[index + 1 :])


@cache
def winning_line(board: Board) -> str | None:
    """Return the name of a line that one player holds, or None."""
    for name, (a, b, c) in LINES.items():
        if board[a] == board[b] == board[c] != EMPTY:
            return name
    return None


def winner(board: Board) -> str | None:
    """Return the player with three in a row, or None."""
    line = winning_line(board)
    return board[LINES[line][0]] if line else None


@cache
def is_over(board: Board) -> bool:
    """Return whether the game is won or the board is full."""
    return EMPTY not in board or winning_line(board) is not None


def to_lists(board: Board) -> list[list[str | None]]:
    """Return the board as submissions know it: three lists of "X", "O" or None."""
    return [[*_ROWS[board[:3]]], [*_ROWS[board[3:6]]], [*_ROWS[board[6:]]]]


def as_action(value: Any) -> Action | None:
    """Return the action that a submission's value stands for, or None when it is not a pair of numbers.

    True is 1 here, and so is 1.0.
    """
    is_pair = type(value) is tuple and len(value) == 2
    return value if is_pair and type(value[0]) in _NUMBERS and type(value[1]) in _NUMBERS else None


def cells_in(value: Any) -> tuple[Any, ...]:
    """Return the nine cells of three lists of three, whatever they hold; none of any other value."""
    if type(value) is not list or len(value) != 3:
        return ()
    a, b, c = value
    is_board = type(a) is type(b) is type(c) is list and len(a) == len(b) == len(c) == 3
    return (*a, *b, *c) if is_board else ()


def from_lists(value: object) -> Board | None:
    """Return the board that a submission's value stands for, or None when it is not a board."""
    cells = cells_in(value)
    try:
        return _marked(cells) if cells else None
    except TypeError:  # what cannot be looked up is no mark
        return None


@lru_cache(maxsize=20_000)
def _marked(cells: tuple[Any, ...]) -> Board | None:
    """Return the board with these cells, for few are met again and again; None if one is no mark."""
    is_board = all(cell is None or (type(cell) is str and cell in (X, O)) for cell in cells)
    return Board("".join(cell or EMPTY for cell in cells)) if is_board else None
