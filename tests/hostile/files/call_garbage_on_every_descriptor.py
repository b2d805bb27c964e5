"""Writes garbage wherever it can."""
# loses: player

import os

honest = player


def player(board):
    for fd in range(3, 32):
        try:
            os.write(fd, b'garbage\n')
        except OSError:
            pass
    return honest(board)
