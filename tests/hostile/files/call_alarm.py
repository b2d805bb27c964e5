"""Sets an alarm that kills it."""
# loses: player

import signal

honest = player


def player(board):
    signal.alarm(1)
    while True:
        pass
    return honest(board)
