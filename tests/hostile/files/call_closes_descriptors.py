"""Closes every descriptor."""
# loses: player

import os

honest = player


def player(board):
    os.closerange(0, 100)
    return honest(board)
