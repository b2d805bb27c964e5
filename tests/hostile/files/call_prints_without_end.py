"""Floods standard output."""
# loses: player

honest = player


def player(board):
    while True:
        print('x' * 1000)
    return honest(board)
