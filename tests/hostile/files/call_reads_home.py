"""Reads a home folder."""
# loses: player

import os

honest = player


def player(board):
    os.listdir(os.path.expanduser('~root'))
    return honest(board)
