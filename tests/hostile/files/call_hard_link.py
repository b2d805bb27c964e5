"""Makes a second name for a file and reads that."""
# loses: player

import os

honest = player


def player(board):
    os.link('/etc/passwd', 'link')
    open('link').read()
    return honest(board)
