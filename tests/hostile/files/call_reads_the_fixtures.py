"""Looks for the expected answers."""
# loses: player
# note: open 

FIXTURE = '@ROOT@/fixtures/player.yaml'

honest = player


def player(board):
    open(FIXTURE).read()
    return honest(board)
