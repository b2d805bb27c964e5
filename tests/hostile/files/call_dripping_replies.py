"""Writes a byte now and then."""
# loses: player

import os
import time

honest = player


def player(board):
    while True:
        for fd in range(3, 32):
            try:
                os.write(fd, b'x')
            except OSError:
                pass
        time.sleep(0.1)
    return honest(board)
