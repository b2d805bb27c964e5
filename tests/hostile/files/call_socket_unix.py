"""Opens a socket of family AF_UNIX."""
# loses: player
# note: open a socket

import socket

honest = player


def player(board):
    socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    return honest(board)
