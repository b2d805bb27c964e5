def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value_of(result(board, action)))


def value_of(board):
    """
    Returns the value of the board.
    """
    if terminal(board):
        return utility(board)
    best = max if player(board) == X else min
    return best(value_of(result(board, action)) for action in sorted(actions(board)))
