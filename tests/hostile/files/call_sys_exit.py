"""Leaves by exception."""
# loses: player

import sys

honest = player


def player(board):
    sys.exit(0)
    return honest(board)
