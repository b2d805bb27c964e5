import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    def max_value(state):
        if terminal(state):
            return utility(state)
        value = -math.inf
        for action in actions(state):
            value = max(value, min_value(result(state, action)))
        return value

    def min_value(state):
        if terminal(state):
            return utility(state)
        value = math.inf
        for action in actions(state):
            value = min(value, max_value(result(state, action)))
        return value

    if terminal(board):
        return None
    turn = player(board)

    def score(action):
        after = result(board, action)
        return min_value(after) if turn == X else -max_value(after)

    return max(sorted(actions(board)), key=score)
