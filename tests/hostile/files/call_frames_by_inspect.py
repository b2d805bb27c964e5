"""Climbs to the host's frames by library."""
# loses: player
# note: read frames

import inspect

honest = player


def player(board):
    inspect.stack()
    return honest(board)
