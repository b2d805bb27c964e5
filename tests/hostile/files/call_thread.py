"""Starts a thread."""
# loses: player

import threading

honest = player


def player(board):
    threading.Thread(target=print).start()
    return honest(board)
