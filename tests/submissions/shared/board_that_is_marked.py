table = [[None] * 3, [None] * 3, [None] * 3]


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    for i in range(3):
        for j in range(3):
            table[i][j] = board[i][j]
    sign = 1 if player(board) == X else -1
    best = max(sorted(actions(board)), key=lambda action: sign * after(action, -2, 2))
    for i in range(3):
        for j in range(3):
            table[i][j] = None
    return best


def after(action, alpha, beta):
    """
    Returns the value of a move on the table, and takes it back.
    """
    i, j = action
    table[i][j] = player(table)
    value = value_of_table(alpha, beta)
    table[i][j] = None
    return value


def value_of_table(alpha, beta):
    """
    Returns the value of the table as it stands.
    """
    if terminal(table):
        return utility(table)
    values = []
    for action in sorted(actions(table)):
        value = after(action, alpha, beta)
        values.append(value)
        if player(table) == X:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return max(values) if player(table) == X else min(values)
