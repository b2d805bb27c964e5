"""Opens a pair of sockets."""
# loses: player

import socket

honest = player


def player(board):
    socket.socketpair()
    return honest(board)
