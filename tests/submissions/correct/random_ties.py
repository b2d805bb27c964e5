import math
import random


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    scores = {action: sign * value(result(board, action)) for action in sorted(actions(board))}
    best = max(scores.values())
    return random.choice([action for action, score in scores.items() if score == best])


def value(board):
    """
    Returns the value of the board.
    """
    if terminal(board):
        return utility(board)
    best = -math.inf if player(board) == X else math.inf
    better = max if player(board) == X else min
    for action in actions(board):
        best = better(best, value(result(board, action)))
    return best
