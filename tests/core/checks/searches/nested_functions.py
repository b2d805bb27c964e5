import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    def max_value(state, alpha, beta):
        if terminal(state):
            return utility(state)
        value = -math.inf
        for action in actions(state):
            value = max(value, min_value(result(state, action), alpha, beta))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(state, alpha, beta):
        if terminal(state):
            return utility(state)
        value = math.inf
        for action in actions(state):
            value = min(value, max_value(result(state, action), alpha, beta))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value

    if terminal(board):
        return None
    best, alpha, beta = None, -math.inf, math.inf
    for action in actions(board):
        if player(board) == X:
            value = min_value(result(board, action), alpha, beta)
            if value > alpha:
                alpha, best = value, action
        else:
            value = max_value(result(board, action), alpha, beta)
            if value < beta:
                beta, best = value, action
    return best
