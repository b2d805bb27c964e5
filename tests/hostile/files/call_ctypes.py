"""Calls the C library: the module does not even load."""
# loses: player
# note: use ctypes

import ctypes

honest = player


def player(board):
    ctypes.CDLL(None).getpid()
    return honest(board)
