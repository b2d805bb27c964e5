import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return search(board, -math.inf, math.inf)[1]


def different(board):
    """
    Returns the actions without those that lead to a mirror image of a board that another leads to.
    """
    seen, found = [], []
    for action in sorted(actions(board)):
        after = result(board, action)
        if [row[::-1] for row in after] not in seen and after[::-1] not in seen:
            found.append(action)
        seen.append(after)
    return found


def search(board, alpha, beta):
    """
    Returns the value of the board and an action that reaches it.
    """
    if terminal(board):
        return utility(board), None
    best = None
    if player(board) == X:
        value = -math.inf
        for action in different(board):
            reached, _ = search(result(board, action), alpha, beta)
            if reached > value:
                value, best = reached, action
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value, best
    value = math.inf
    for action in different(board):
        reached, _ = search(result(board, action), alpha, beta)
        if reached < value:
            value, best = reached, action
        beta = min(beta, value)
        if alpha >= beta:
            break
    return value, best
