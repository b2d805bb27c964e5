def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value_of(result(board, action)))


def value_of(board, depth=1):
    """
    Returns the value of the board.
    """
    if terminal(board):
        return utility(board) * (10 - depth)
    best = max if player(board) == X else min
    return best(value_of(result(board, action), depth + 1) for action in sorted(actions(board)))
