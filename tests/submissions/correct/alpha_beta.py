import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    _, action = search(board, alpha=-math.inf, beta=math.inf)
    return action


def search(board, alpha=-1, beta=1):
    """
    Returns the value of the board and the action that reaches it, with alpha-beta pruning.
    """
    if terminal(board):
        return utility(board), None
    chosen = None
    if player(board) == X:
        value = -math.inf
        for action in sorted(actions(board)):
            reached, _ = search(result(board, action), alpha=alpha, beta=beta)
            if reached > value:
                value, chosen = reached, action
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value, chosen
    value = math.inf
    for action in sorted(actions(board)):
        reached, _ = search(result(board, action), alpha=alpha, beta=beta)
        if reached < value:
            value, chosen = reached, action
        beta = min(beta, value)
        if alpha >= beta:
            break
    return value, chosen
