"""Changes the board and puts it back before it returns: that cannot be told, and costs nothing."""
# loses: nothing

honest = player


def player(board):
    keep = board[0][0]
    board[0][0] = 'X'
    board[0][0] = keep
    return honest(board)
