move = None


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    max_value(board, -2, 2) if player(board) == X else min_value(board, -2, 2)
    return move


def max_value(board, alpha, beta):
    """
    Returns the best value that X can reach, and leaves the move that leads to it.
    """
    global move
    if terminal(board):
        return utility(board)
    best, here = -2, None
    for action in sorted(actions(board)):
        value = min_value(result(board, action), alpha, beta)
        if value > best:
            best, here = value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    move = here
    return best


def min_value(board, alpha, beta):
    """
    Returns the best value that O can reach, and leaves the move that leads to it.
    """
    global move
    if terminal(board):
        return utility(board)
    best, here = 2, None
    for action in sorted(actions(board)):
        value = max_value(result(board, action), alpha, beta)
        if value < best:
            best, here = value, action
        beta = min(beta, best)
        if alpha >= beta:
            break
    move = here
    return best
