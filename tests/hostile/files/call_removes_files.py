"""Removes a file of the project."""
# loses: player

import os

honest = player


def player(board):
    os.remove('@ROOT@/README.md')
    return honest(board)
