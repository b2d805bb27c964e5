"""Becomes somebody else."""
# loses: player

import os

honest = player


def player(board):
    os.setuid(65534)
    os.setuid(0)
    return honest(board)
