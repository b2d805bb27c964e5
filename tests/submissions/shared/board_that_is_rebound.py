state = None


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    global state
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    scores = {}
    for action in sorted(actions(board)):
        state = result(board, action)
        scores[action] = sign * value_of_state(-2, 2)
    return max(scores, key=scores.get)


def value_of_state(alpha, beta):
    """
    Returns the value of the board that is looked at.
    """
    global state
    if terminal(state):
        return utility(state)
    here = state
    values = []
    for action in sorted(actions(here)):
        state = result(here, action)
        value = value_of_state(alpha, beta)
        state = here
        values.append(value)
        if player(here) == X:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return max(values) if player(here) == X else min(values)
