"""Searches who knows it."""
# loses: player
# note: search the memory

import gc

honest = player


def player(board):
    gc.get_referrers(board)
    return honest(board)
