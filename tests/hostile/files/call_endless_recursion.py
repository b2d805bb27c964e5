"""Calls itself without end."""
# loses: player

honest = player


def player(board):
    player(board)
    return honest(board)
