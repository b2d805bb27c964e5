import functools


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value_of(frozen(result(board, action))))


def frozen(board):
    """
    Returns the board as something that can be remembered.
    """
    return tuple(tuple(row) for row in board)


@functools.lru_cache(maxsize=None)
def value_of(cells):
    """
    Returns the value of the board.
    """
    board = [list(row) for row in cells]
    if terminal(board):
        return utility(board)
    best = max if player(board) == X else min
    return best(value_of(frozen(result(board, action))) for action in sorted(actions(board)))
