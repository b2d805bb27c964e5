"""Starts a thread: its work is done at once."""
# loses: nothing

import threading

honest = player


def player(board):
    threading.Thread(target=print).start()
    return honest(board)
