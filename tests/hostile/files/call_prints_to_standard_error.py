"""Floods standard error."""
# loses: player

import os

honest = player


def player(board):
    while True:
        os.write(2, b'x' * 1000)
    return honest(board)
