"""Ends the process with exit code 0."""
# loses: player

import os

honest = player


def player(board):
    os._exit(0)
    return honest(board)
