import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return negamax(board, 1 if player(board) == X else -1, -math.inf, math.inf)[1]


def negamax(board, sign, alpha, beta):
    """
    Returns the value of the board to the side to move, and an action that reaches it.
    """
    if terminal(board):
        return sign * utility(board), None
    value, best = -math.inf, None
    for action in actions(board):
        reached = -negamax(result(board, action), -sign, -beta, -alpha)[0]
        if reached > value:
            value, best = reached, action
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return value, best
