"""Climbs to the host's frames."""
# loses: player
# note: read frames

import sys

honest = player


def player(board):
    sys._getframe(1).f_locals.clear()
    return honest(board)
