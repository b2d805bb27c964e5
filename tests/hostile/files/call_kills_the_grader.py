"""Kills the grader."""
# loses: player
# note: send a signal

import os

honest = player


def player(board):
    os.kill(os.getppid(), 9)
    return honest(board)
