"""Lists the folder that it was handed in from."""
# loses: player

import os

honest = player


def player(board):
    os.listdir(os.path.dirname("@OWN@"))
    return honest(board)
