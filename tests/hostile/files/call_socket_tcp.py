"""Opens a socket of family AF_INET."""
# loses: player
# note: open a socket

import socket

honest = player


def player(board):
    socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    return honest(board)
