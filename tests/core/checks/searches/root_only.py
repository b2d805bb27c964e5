import math


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    sign, value, best = 1 if player(board) == X else -1, -math.inf, None
    for action in sorted(actions(board)):
        reached = -reply(result(board, action), -sign, -value)
        if reached > value:
            value, best = reached, action
    return best


def reply(board, sign, enough):
    """
    Returns what the opponent makes of the board; more than enough is not looked for.
    """
    if terminal(board):
        return sign * utility(board)
    value = -math.inf
    for action in sorted(actions(board)):
        value = max(value, -value_of(result(board, action), -sign))
        if value >= enough:
            break
    return value


def value_of(board, sign):
    """
    Returns the value of the board to the side to move.
    """
    if terminal(board):
        return sign * utility(board)
    return max(-value_of(result(board, action), -sign) for action in sorted(actions(board)))
