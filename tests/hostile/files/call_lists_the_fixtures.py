"""Lists the folder of fixtures."""
# loses: player

import os

honest = player


def player(board):
    os.listdir('@ROOT@/fixtures')
    return honest(board)
