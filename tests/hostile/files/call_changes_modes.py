"""Makes a file of the project unreadable."""
# loses: player

import os

honest = player


def player(board):
    os.chmod('@ROOT@/README.md', 0)
    return honest(board)
