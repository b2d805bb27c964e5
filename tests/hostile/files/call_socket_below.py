"""Opens a socket by the lowest door."""
# loses: player
# note: open a socket

import _socket

honest = player


def player(board):
    _socket.socket(2, 1)
    return honest(board)
