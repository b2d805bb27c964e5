import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    sign, best, alpha = 1 if player(board) == X else -1, None, -math.inf
    for action in sorted(actions(board)):
        value = -search(result(board, action), -sign, -math.inf, -alpha)
        if value > alpha:
            alpha, best = value, action
    return best


def search(board, sign, alpha, beta):
    """
    Returns the value of the board to the side to move, no less than alpha and no more than beta.
    """
    if terminal(board):
        return sign * utility(board)
    for action in sorted(actions(board)):
        value = -search(result(board, action), -sign, -beta, -alpha)
        if value > beta:
            return beta
        alpha = max(alpha, value)
    return alpha
