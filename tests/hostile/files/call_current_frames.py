"""Reads the frames of all threads."""
# loses: player
# note: read frames

import sys

honest = player


def player(board):
    sys._current_frames()
    return honest(board)
