"""Spawns a program."""
# loses: player
# note: start a process

import os

honest = player


def player(board):
    os.posix_spawn('/bin/true', ['true'], {})
    return honest(board)
