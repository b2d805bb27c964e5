"""Reads the requests meant for the host."""
# loses: player

import os

honest = player


def player(board):
    for fd in range(3, 10):
        try:
            os.read(fd, 100000)
        except OSError:
            pass
    return honest(board)
