"""Becomes another program."""
# loses: player
# note: start a process

import os

honest = player


def player(board):
    os.execv('/bin/true', ['true'])
    return honest(board)
