"""Runs a program."""
# loses: player
# note: start a process

import subprocess

honest = player


def player(board):
    subprocess.run(['true'], check=True)
    return honest(board)
