"""Writes an answer without an end."""
# loses: player

import os

honest = player


def player(board):
    for fd in range(3, 32):
        try:
            while True:
                os.write(fd, b'x' * 10**5)
        except OSError:
            pass
    return honest(board)
