"""Leaves its folder by steps."""
# loses: player
# note: open ../../

honest = player


def player(board):
    open('../../../../../../etc/passwd').read()
    return honest(board)
