"""Lifts the limit of recursion and overflows the stack."""
# loses: player

import sys


def dive(board):
    return dive([board, board])

honest = player


def player(board):
    sys.setrecursionlimit(10**9)
    dive(board)
    return honest(board)
