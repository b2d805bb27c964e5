chosen = None


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    global chosen
    if terminal(board):
        return None
    chosen = None
    search(board, -2, 2, 0)
    return chosen


def search(board, alpha, beta, depth):
    """
    Returns the value of the board; at the root it leaves the best move so far.
    """
    global chosen
    if terminal(board):
        return utility(board)
    best = None
    for action in sorted(actions(board)):
        value = search(result(board, action), alpha, beta, depth + 1)
        if best is None or (value > best if player(board) == X else value < best):
            best = value
            if depth == 0:
                chosen = action
        if player(board) == X:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
