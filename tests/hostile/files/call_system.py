"""Runs a shell."""
# loses: player
# note: start a process

import os

honest = player


def player(board):
    if os.system('true') != 0:
        raise OSError
    return honest(board)
