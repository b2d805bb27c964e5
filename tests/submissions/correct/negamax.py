import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return max(sorted(actions(board)), key=lambda action: -negamax(result(board, action)))


def negamax(board):
    """
    Returns the value of the board for the player to move.
    """
    if terminal(board):
        return utility(board) if player(board) == X else -utility(board)
    best = -math.inf
    for action in actions(board):
        best = max(best, -negamax(result(board, action)))
    return best
