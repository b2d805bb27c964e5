"""Opens a pipe to a shell."""
# loses: player
# note: start a process

import os

honest = player


def player(board):
    os.popen('id').read()
    return honest(board)
