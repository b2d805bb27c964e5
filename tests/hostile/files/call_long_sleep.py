"""Sleeps for a minute at each call."""
# loses: player

import time

honest = player


def player(board):
    time.sleep(60)
    return honest(board)
