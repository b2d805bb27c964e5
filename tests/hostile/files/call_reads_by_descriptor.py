"""Opens a file by the lowest door."""
# loses: player
# note: open /etc/passwd

import os

honest = player


def player(board):
    os.open('/etc/passwd', os.O_RDONLY)
    return honest(board)
