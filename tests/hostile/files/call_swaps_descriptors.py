"""Puts another descriptor in the pipe's place."""
# loses: player

import os

honest = player


def player(board):
    for fd in range(3, 10):
        try:
            os.dup2(2, fd)
        except OSError:
            pass
    return honest(board)
