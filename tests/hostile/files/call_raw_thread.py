"""Starts a thread of its own, past the library."""
# loses: player

import _thread

honest = player


def player(board):
    _thread.start_new_thread(print, ())
    return honest(board)
