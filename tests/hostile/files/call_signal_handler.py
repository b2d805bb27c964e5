"""Puts a handler in the way."""
# loses: player

import signal

honest = player


def player(board):
    signal.signal(signal.SIGTERM, print)
    return honest(board)
