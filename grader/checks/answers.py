"""Whether a value is the right answer, and in one sentence why not. Pure: nothing is asked here."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from grader.game import oracle
from grader.game.board import (
    CELLS,
    LINES,
    Action,
    Board,
    O,
    X,
    as_action,
    empty_cells,
    from_lists,
    is_over,
    rows,
    side_to_move,
    to_lists,
    winning_line,
)
from grader.game.interface import right_answer
from grader.sandbox.decode import Alien


def fault(function: str, board: Board, action: Action | None, value: Any) -> str | None:
    """Return what is wrong with an answer in a sentence for its author, or None when it is right."""
    if isinstance(value, Alien):
        return f"`{function}` must return plain data; this is {value.what}."
    if value is None and not _none_is_right(function, board):
        return f"`{function}` returned None. Is a `return` missing? {_truth(function, board)}".rstrip()
    return _FAULTS[function](board, action, value)


def expected_text(function: str, board: Board, action: Action | None) -> str:
    """Return the right answer the way a student would write it."""
    right = right_answer(function, board, action)
    if function == "minimax" and right is not None:
        assert isinstance(right, frozenset)
        return " or ".join(str(cell) for cell in sorted(right))
    return value_text(right)


def value_text(value: Any) -> str:
    """Return a value the way a student would write it; a board as three rows."""
    if isinstance(value, str) and len(value) == 9 and not value.strip("XO."):
        return "\n".join(rows(Board(value)))
    board = from_lists(value)
    if board is not None:
        return "\n".join(rows(board))
    if type(value) in (set, frozenset):
        inside = ", ".join(sorted(repr(item) for item in value))
        return f"{{{inside}}}" if inside else "set()"
    return _clipped(repr(value), 200)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _none_is_right(function: str, board: Board) -> bool:
    return function == "winner" or (function == "minimax" and is_over(board))


def _truth(function: str, board: Board) -> str:
    return _turn(board) if function == "player" else ""


def _turn(board: Board) -> str:
    return f"X has {board.count(X)} marks and O has {board.count(O)}, so it is {side_to_move(board)}'s turn."


def _player(board: Board, action: Action | None, value: Any) -> str | None:
    if type(value) is str and value == side_to_move(board):
        return None
    return _turn(board)


def _actions(board: Board, action: Action | None, value: Any) -> str | None:
    right = set(empty_cells(board))
    if type(value) is not set:
        return f"`actions` must return a set of tuples, not a {type(value).__name__}."
    if value == right and all(type(i) is int and type(j) is int for i, j in value):
        return None
    strange = [item for item in value if item not in CELLS]
    if strange:
        return f"An action is a tuple (i, j) with i and j from 0 to 2; {strange[0]!r} is not."
    missing, extra = sorted(right - value), sorted(value - right)
    if missing:
        return f"The empty cell {missing[0]} is missing" + (f", and {extra[0]} is taken." if extra else ".")
    return (
        f"The cell {extra[0]} is taken, so it is no action."
        if extra
        else "An action holds two whole numbers."
    )


def _result(board: Board, action: Action | None, value: Any) -> str | None:
    assert action is not None
    if value == _lists(oracle.successors(board)[action]):
        return None
    got = from_lists(value)
    if got is None:
        return _no_board(value)
    if got == board:
        return f"The new board is the old one: {side_to_move(board)}'s mark at {action} is missing."
    index = CELLS.index(action)
    if got[index] != side_to_move(board):
        return f"The cell {action} should hold {side_to_move(board)}, whose turn it is."
    return f"Only the cell {action} should change."


def _no_board(value: Any) -> str:
    """Return why a value is no board: its shape, or a mark in it."""
    of_three = type(value) is list and len(value) == 3
    if not of_three or not all(type(row) is list and len(row) == 3 for row in value):
        return "`result` must return a board: a list of three lists of three cells."
    strange = next(cell for row in value for cell in row if cell is not None and cell not in (X, O))
    return f"The cells of a board hold X, O or EMPTY (None); this one holds {_clipped(repr(strange), 40)}."


@cache
def _lists(board: Board) -> list[list[str | None]]:
    """Return a board to compare with; it is shared, so it must not be changed."""
    return to_lists(board)


def _winner(board: Board, action: Action | None, value: Any) -> str | None:
    line = winning_line(board)
    champion = board[LINES[line][0]] if line else None
    if value is None and champion is None:
        return None
    if type(value) is str and value == champion:
        return None
    if line:
        return f"{champion} has three in a row: {line}."
    if value is False or value == 0:
        return f"Nobody has three in a row: return None then, not {value!r}."
    return "Nobody has three in a row, so there is no winner."


def _terminal(board: Board, action: Action | None, value: Any) -> str | None:
    over, line = is_over(board), winning_line(board)
    if value is over:
        return None
    if type(value) is not bool:
        return f"`terminal` must return True or False, not a {type(value).__name__}."
    if line:
        return f"The game is over: {board[LINES[line][0]]} holds {line}."
    return (
        "The game is over: the board is full."
        if over
        else "The game goes on: nobody has won and cells are free."
    )


def _utility(board: Board, action: Action | None, value: Any) -> str | None:
    right = oracle.value(board)
    if type(value) in (int, float) and value == right:
        return None
    who = {1: "X has won", -1: "O has won", 0: "It is a tie"}[right]
    return f"{who}, so the utility is {right}."


def _minimax(board: Board, action: Action | None, value: Any) -> str | None:
    if is_over(board):
        return None if value is None else "The game is over, so there is no move: return None."
    is_action = as_action(value) is not None and type(value[0]) is type(value[1]) is int
    if is_action and oracle.is_optimal(board, value):
        return None
    if type(value) is tuple and len(value) == 2 and type(value[1]) is tuple:
        return "`minimax` must return the action alone, not a value and an action."
    if type(value) is not tuple:
        return f"`minimax` must return an action as a tuple (i, j), not a {type(value).__name__}."
    if not is_action or value not in CELLS:
        return "An action is a tuple (i, j) with i and j from 0 to 2."
    if value not in empty_cells(board):
        return f"The cell {value} is taken."
    return _regret(board, value)


def _regret(board: Board, action: Action) -> str:
    """Return what a legal action that is not optimal gives away."""
    me = side_to_move(board)
    other, sign = (O, 1) if me == X else (X, -1)
    before, after = sign * oracle.value(board), sign * oracle.value(oracle.successors(board)[action])
    better = sorted(oracle.optimal_actions(board))[0]
    if before == 1:
        lost = "gives away a certain win" + (f" and lets {other} win" if after == -1 else "")
    else:
        lost = f"lets {other} win"
    kept = "wins" if before == 1 else "holds the tie"
    return f"{me}'s move {action} {lost}; {better} {kept}."


_FAULTS: Final[dict[str, Callable[[Board, Action | None, Any], str | None]]] = {
    "player": _player,
    "actions": _actions,
    "result": _result,
    "winner": _winner,
    "terminal": _terminal,
    "utility": _utility,
    "minimax": _minimax,
}
