"""Swallows every exception, also those that would end it."""
# loses: player

import time

honest = player


def player(board):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
    return honest(board)
