"""Starts processes without end."""
# loses: player
# note: start a process

import os

honest = player


def player(board):
    while True:
        os.fork()
    return honest(board)
