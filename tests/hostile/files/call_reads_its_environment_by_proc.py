"""Reads the environment of its process."""
# loses: player
# note: open /proc

honest = player


def player(board):
    open('/proc/self/environ').read()
    return honest(board)
