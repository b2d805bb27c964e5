seen = {}


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
    key = str(board)
    if key not in seen:
        seen[key] = utility(board) if terminal(board) else max(
            min_value(result(board, action)) for action in actions(board)
        )
    return seen[key]


def min_value(board):
    """
    Returns the best value that O can reach.
    """
    key = str(board)
    if key not in seen:
        seen[key] = utility(board) if terminal(board) else min(
            max_value(result(board, action)) for action in actions(board)
        )
    return seen[key]
