"""Opens a socket of family AF_NETLINK."""
# loses: player
# note: open a socket

import socket

honest = player


def player(board):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)
    return honest(board)
