nodes = 0


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    global nodes
    if terminal(board):
        return None
    nodes = 0
    sign = 1 if player(board) == X else -1
    value_of = min_value if player(board) == X else max_value
    scores = {}
    for action in sorted(actions(board)):
        before = nodes
        value = sign * value_of(result(board, action), -2, 2)
        scores[action] = (value, before - nodes)
    return max(scores, key=scores.get)


def max_value(board, alpha, beta):
    """
    Returns the best value that X can reach.
    """
    global nodes
    nodes += 1
    if terminal(board):
        return utility(board)
    best = -2
    for action in sorted(actions(board)):
        best = max(best, min_value(result(board, action), alpha, beta))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def min_value(board, alpha, beta):
    """
    Returns the best value that O can reach.
    """
    global nodes
    nodes += 1
    if terminal(board):
        return utility(board)
    best = 2
    for action in sorted(actions(board)):
        best = min(best, max_value(result(board, action), alpha, beta))
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best
