"""Reads the file of the student beside it."""
# loses: player

honest = player


def player(board):
    open(__file__.replace('tictactoe', 'neighbour')).read()
    return honest(board)
