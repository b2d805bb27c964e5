from functools import lru_cache


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return best(tuple(tuple(row) for row in board))[1]


@lru_cache(maxsize=None)
def best(cells):
    """
    Returns the value of a board of tuples, and the action that reaches it.
    """
    board = [list(row) for row in cells]
    if terminal(board):
        return utility(board), None
    options = []
    for action in sorted(actions(board)):
        after = tuple(tuple(row) for row in result(board, action))
        options.append((best(after)[0], action))
    choose = max if player(board) == X else min
    return choose(options, key=lambda option: option[0])
