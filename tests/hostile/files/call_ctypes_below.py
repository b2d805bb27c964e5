"""Calls the C library by a lower door."""
# loses: player
# note: use _ctypes

import _ctypes

honest = player


def player(board):
    _ctypes.dlopen(None, 0)
    return honest(board)
