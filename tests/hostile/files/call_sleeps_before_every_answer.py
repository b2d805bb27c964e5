"""Sleeps a little before every answer, and works a little, so that neither seems long."""
# loses: player

import time

honest = player


def player(board):
    time.sleep(0.45)
    end = time.process_time() + 0.16
    while time.process_time() < end:
        pass
    return honest(board)
