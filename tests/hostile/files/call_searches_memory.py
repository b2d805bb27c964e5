"""Searches all objects."""
# loses: player
# note: search the memory

import gc

honest = player


def player(board):
    gc.get_objects()
    return honest(board)
