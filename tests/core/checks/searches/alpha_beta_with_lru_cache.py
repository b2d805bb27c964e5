import math
import functools


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return search(frozen(board), -math.inf, math.inf)[1]


def frozen(board):
    """
    Returns the board as something that can be remembered.
    """
    return tuple(tuple(row) for row in board)


@functools.lru_cache(maxsize=None)
def search(cells, alpha, beta):
    """
    Returns the value of the board and an action that reaches it.
    """
    board = [list(row) for row in cells]
    if terminal(board):
        return utility(board), None
    best = None
    if player(board) == X:
        value = -math.inf
        for action in sorted(actions(board)):
            reached, _ = search(frozen(result(board, action)), alpha, beta)
            if reached > value:
                value, best = reached, action
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value, best
    value = math.inf
    for action in sorted(actions(board)):
        reached, _ = search(frozen(result(board, action)), alpha, beta)
        if reached < value:
            value, best = reached, action
        beta = min(beta, value)
        if alpha >= beta:
            break
    return value, best
