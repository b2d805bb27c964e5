import math

nodes = 0


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    if player(board) == X:
        return max(sorted(actions(board)), key=lambda action: min_value(result(board, action)))
    return min(sorted(actions(board)), key=lambda action: max_value(result(board, action)))


def max_value(board):
    """
    Returns the best value that X can reach.
    """
    global nodes
    nodes += 1
    if terminal(board):
        return utility(board)
    best = -math.inf
    for action in actions(board):
        best = max(best, min_value(result(board, action)))
    return best


def min_value(board):
    """
    Returns the best value that O can reach.
    """
    if terminal(board):
        return utility(board)
    best = math.inf
    for action in actions(board):
        best = min(best, max_value(result(board, action)))
    return best
