"""Aborts the process."""
# loses: player

import os

honest = player


def player(board):
    os.abort()
    return honest(board)
