seen = {}


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    seen.clear()
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(sorted(actions(board)), key=lambda action: sign * value_of(result(board, action)))


def value_of(board):
    """
    Returns the value of the board, from the cache if it is there.
    """
    key = str(board)
    if key not in seen:
        if terminal(board):
            seen[key] = utility(board)
        else:
            values = [value_of(result(board, action)) for action in actions(board)]
            seen[key] = max(values) if player(board) == X else min(values)
    return seen[key]
