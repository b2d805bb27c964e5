"""Leaves its folder and reads from there."""
# loses: player

import os

honest = player


def player(board):
    os.chdir('/etc')
    open('passwd').read()
    return honest(board)
