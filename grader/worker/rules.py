"""The six rule functions, right: put in place of a submission's wrong ones to see who is to blame."""

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
    after[action[0]][action[1]] = player(board)
    return after


def winner(board: Cells) -> str | None:
    """Return who has three in a row, or None."""
    for (a, b), (c, d), (e, f) in _LINES:
        if board[a][b] is not None and board[a][b] == board[c][d] == board[e][f]:
            return board[a][b]
    return None


def terminal(board: Cells) -> bool:
    """Return whether the game is over."""
    return winner(board) is not None or all(board[i][j] is not None for i, j in _CELLS)


def utility(board: Cells) -> int:
    """Return 1 when X has won, -1 when O has, else 0."""
    champion = winner(board)
    return 0 if champion is None else 1 if champion == "X" else -1


RULES = {function.__name__: function for function in (player, actions, result, winner, terminal, utility)}
