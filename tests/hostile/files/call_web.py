"""Calls home."""
# loses: player
# note: look up an address

import urllib.request

honest = player


def player(board):
    urllib.request.urlopen('http://127.0.0.1:9/')
    return honest(board)
