"""Leaves by another exception."""
# loses: player

honest = player


def player(board):
    raise KeyboardInterrupt
    return honest(board)
