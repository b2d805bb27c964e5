"""Makes a link out of its folder and reads that."""
# loses: player

import os

honest = player


def player(board):
    os.symlink('/etc/passwd', 'link')
    open('link').read()
    return honest(board)
