"""Opens a socket of family AF_INET6."""
# loses: player
# note: open a socket

import socket

honest = player


def player(board):
    socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    return honest(board)
