"""A regular expression that takes forever."""
# loses: player

import re

honest = player


def player(board):
    re.match('(a+)+$', 'a' * 40 + 'b')
    return honest(board)
