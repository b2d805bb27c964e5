"""Starts a thread by the lowest door."""
# loses: player

import _thread

honest = player


def player(board):
    _thread.start_new_thread(print, ())
    return honest(board)
