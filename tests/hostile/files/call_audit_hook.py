"""Adds a hook of its own: it is ignored."""
# loses: nothing
# note: add an audit hook

import sys

honest = player


def player(board):
    sys.addaudithook(print)
    return honest(board)
