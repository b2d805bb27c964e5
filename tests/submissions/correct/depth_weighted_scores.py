import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(sorted(actions(board)), key=lambda action: sign * value(result(board, action), 1))


def value(board, depth):
    """
    Returns the value of the board: a quick win is worth more than a slow one.
    """
    if terminal(board):
        return utility(board) * (10 - depth)
    best = -math.inf if player(board) == X else math.inf
    better = max if player(board) == X else min
    for action in actions(board):
        best = better(best, value(result(board, action), depth + 1))
    return best
