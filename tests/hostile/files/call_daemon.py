"""Leaves a grandchild behind."""
# loses: player
# note: start a process

import os
import time

honest = player


def player(board):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
    return honest(board)
