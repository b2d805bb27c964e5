"""Prints a megabyte, then plays fair: that is only noise."""
# loses: nothing
# note: prints while it is graded

honest = player


def player(board):
    if board == [[None] * 3] * 3:
        print('x' * 10**6)
    return honest(board)
