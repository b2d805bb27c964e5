"""The six rule functions, right: put in place of a submission's wrong ones to see who is to blame.

A worker knows none of them. It is sent those that are to be replaced, and no other: so each needs nothing but
the two tables.
"""

import marshal
from functools import cache
from types import CodeType, FunctionType

_LINES = (
    ((0, 0), (0, 1), (0, 2)),
    ((1, 0), (1, 1), (1, 2)),
    ((2, 0), (2, 1), (2, 2)),
    ((0, 0), (1, 0), (2, 0)),
    ((0, 1), (1, 1), (2, 1)),
    ((0, 2), (1, 2), (2, 2)),
    ((0, 0), (1, 1), (2, 2)),
    ((0, 2), (1, 1), (2, 0)),
)
_CELLS = tuple((i, j) for i in range(3) for j in range(3))

Cells = list[list[str | None]]


def player(board: Cells) -> str:
    """Return whose turn it is."""
    taken = sum(board[i][j] is not None for i, j in _CELLS)
    return "O" if taken % 2 else "X"


def actions(board: Cells) -> set[tuple[int, int]]:
    """Return the empty cells."""
    return {(i, j) for i, j in _CELLS if board[i][j] is None}


def result(board: Cells, action: tuple[int, int]) -> Cells:
    """Return the board after a move, a new one."""
    if tuple(action) not in _CELLS or board[action[0]][action[1]] is not None:
        raise ValueError("not a valid action")
    after = [list(row) for row in board]
    taken = sum(board[i][j] is not None for i, j in _CELLS)
    after[action[0]][action[1]] = "O" if taken % 2 else "X"
    return after


def winner(board: Cells) -> str | None:
    """Return who has three in a row, or None."""
    for (a, b), (c, d), (e, f) in _LINES:
        if board[a][b] is not None and board[a][b] == board[c][d] == board[e][f]:
            return board[a][b]
    return None


def terminal(board: Cells) -> bool:
    """Return whether the game is over."""
    for (a, b), (c, d), (e, f) in _LINES:
        if board[a][b] is not None and board[a][b] == board[c][d] == board[e][f]:
            return True
    return all(board[i][j] is not None for i, j in _CELLS)


def utility(board: Cells) -> int:
    """Return 1 when X has won, -1 when O has, else 0."""
    for (a, b), (c, d), (e, f) in _LINES:
        if board[a][b] is not None and board[a][b] == board[c][d] == board[e][f]:
            return 1 if board[a][b] == "X" else -1
    return 0


_RULES: dict[str, FunctionType] = {
    one.__name__: one  # type: ignore[misc]
    for one in (player, actions, result, winner, terminal, utility)
}


@cache
def sent(function: str) -> bytes:
    """Return a rule function as it is sent to a worker: its code, and the tables that it needs."""
    code = _RULES[function].__code__
    tables = {name: globals()[name] for name in ("_LINES", "_CELLS") if name in _names(code)}
    return marshal.dumps((_anonymous(code), tables))


def _names(code: CodeType) -> set[str]:
    """Return the names that a code, with what is nested in it, looks for outside of itself."""
    return {*code.co_names, *(name for inner in _nested(code) for name in _names(inner))}


def _anonymous(code: CodeType) -> CodeType:
    """Return code that does not say where it is from."""
    inside = tuple(_anonymous(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename="<given>", co_consts=inside)


def _nested(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]
