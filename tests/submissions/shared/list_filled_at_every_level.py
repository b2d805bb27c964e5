visited = []


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    global visited
    if terminal(board):
        return None
    visited = []
    sign = 1 if player(board) == X else -1
    value_of = min_value if player(board) == X else max_value
    scores = {}
    for action in sorted(actions(board)):
        before = len(visited)
        value = sign * value_of(result(board, action), -2, 2)
        scores[action] = (value, before - len(visited))
    return max(scores, key=scores.get)


def max_value(board, alpha, beta):
    """
    Returns the best value that X can reach.
    """
    visited.append([player(board), len(actions(board))])
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
    visited.append([player(board), len(actions(board))])
    if terminal(board):
        return utility(board)
    best = 2
    for action in sorted(actions(board)):
        best = min(best, max_value(result(board, action), alpha, beta))
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best
