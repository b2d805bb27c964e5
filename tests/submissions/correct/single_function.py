def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    turn = player(board)
    best_action, best_value = None, None
    for action in sorted(actions(board)):
        after = result(board, action)
        # Both sides play on by this very function until the game is over.
        while not terminal(after):
            after = result(after, minimax(after))
        value = utility(after) if turn == X else -utility(after)
        if best_value is None or value > best_value:
            best_action, best_value = action, value
    return best_action
