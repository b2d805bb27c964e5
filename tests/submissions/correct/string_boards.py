def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    turn = player(board)
    choose = max if turn == X else min
    text = "".join(cell or "." for row in board for cell in row)
    moves = sorted(actions(board))
    return choose(moves, key=lambda action: value(placed(text, action, turn), turn))


def placed(text, action, mark):
    """
    Returns the board as text after a move.
    """
    index = 3 * action[0] + action[1]
    return text[:index] + mark + text[index + 1:]


def value(text, last):
    """
    Returns the value of a board as text, given who moved last.
    """
    board = [[None if cell == "." else cell for cell in text[i:i + 3]] for i in (0, 3, 6)]
    if terminal(board):
        return utility(board)
    turn = O if last == X else X
    values = [value(placed(text, action, turn), turn) for action in actions(board)]
    return max(values) if turn == X else min(values)
