"""Looks for other submissions."""
# loses: player

import os

honest = player


def player(board):
    os.listdir(os.path.dirname(os.getcwd()))
    return honest(board)
