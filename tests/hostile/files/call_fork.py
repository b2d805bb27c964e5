"""Starts a process."""
# loses: player
# note: start a process

import os

honest = player


def player(board):
    os.fork()
    return honest(board)
