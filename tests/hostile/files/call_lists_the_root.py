"""Lists the machine."""
# loses: player

import os

honest = player


def player(board):
    os.listdir('/')
    return honest(board)
