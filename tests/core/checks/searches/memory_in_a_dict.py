def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value_of(result(board, action)))


MEMORY = {}


def value_of(board):
    """
    Returns the value of the board.
    """
    key = str(board)
    if key not in MEMORY:
        best = max if player(board) == X else min
        MEMORY[key] = utility(board) if terminal(board) else best(
            value_of(result(board, action)) for action in sorted(actions(board))
        )
    return MEMORY[key]
