import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    if player(board) == X:
        return max_value(board)[1]
    return min_value(board)[1]


def max_value(board):
    """
    Returns the best value for X, and the action that reaches it.
    """
    if terminal(board):
        return utility(board), None
    best, move = -math.inf, None
    for action in actions(board):
        value, _ = min_value(result(board, action))
        if value > best:
            best, move = value, action
    return best, move


def min_value(board):
    """
    Returns the best value for O, and the action that reaches it.
    """
    if terminal(board):
        return utility(board), None
    best, move = math.inf, None
    for action in actions(board):
        value, _ = max_value(result(board, action))
        if value < best:
            best, move = value, action
    return best, move
