import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return search(board)[1]


def search(board):
    """
    Returns the value of the board and an action that reaches it.
    """
    if terminal(board):
        return utility(board), None
    sign, value, best = 1 if player(board) == X else -1, -math.inf, None
    for action in sorted(actions(board)):
        reached = sign * search(result(board, action))[0]
        if reached > value:
            value, best = reached, action
        if value > 0:
            break
    return sign * value, best
