moves = []


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    moves.clear()
    value = search(board, -2, 2, 0)
    return [action for score, action in moves if score == value][0]


def search(board, alpha, beta, depth):
    """
    Returns the value of the board; at the root it fills the list of moves.
    """
    if terminal(board):
        return utility(board)
    values = []
    for action in sorted(actions(board)):
        value = search(result(board, action), alpha, beta, depth + 1)
        values.append(value)
        if depth == 0:
            moves.append((value, action))
        elif player(board) == X:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return max(values) if player(board) == X else min(values)
