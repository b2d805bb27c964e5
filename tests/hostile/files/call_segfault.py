"""Crashes the interpreter."""
# loses: player

import sys

honest = player


def player(board):
    sys.setrecursionlimit(10**6)
    x = []
    for _ in range(10**6):
        x = [x]
    repr(x)
    return honest(board)
