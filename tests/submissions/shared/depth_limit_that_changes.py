depth = 0
limit = 9


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    global limit
    if terminal(board):
        return None
    limit = len(actions(board))
    sign = 1 if player(board) == X else -1
    value_of = min_value if player(board) == X else max_value
    return max(sorted(actions(board)), key=lambda action: sign * value_of(result(board, action), -2, 2))


def max_value(board, alpha, beta):
    """
    Returns the best value that X can reach within the limit.
    """
    global depth
    if terminal(board) or depth >= limit:
        return utility(board)
    depth += 1
    best = -2
    for action in sorted(actions(board)):
        best = max(best, min_value(result(board, action), alpha, beta))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    depth -= 1
    return best


def min_value(board, alpha, beta):
    """
    Returns the best value that O can reach within the limit.
    """
    global depth
    if terminal(board) or depth >= limit:
        return utility(board)
    depth += 1
    best = 2
    for action in sorted(actions(board)):
        best = min(best, max_value(result(board, action), alpha, beta))
        beta = min(beta, best)
        if alpha >= beta:
            break
    depth -= 1
    return best
