"""Starts a process by library."""
# loses: player
# note: start a process

import multiprocessing

honest = player


def player(board):
    multiprocessing.Process(target=print).start()
    return honest(board)
