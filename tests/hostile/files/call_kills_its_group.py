"""Kills its process group."""
# loses: player
# note: send a signal

import os

honest = player


def player(board):
    os.killpg(0, 9)
    return honest(board)
