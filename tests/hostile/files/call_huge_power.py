"""A number that takes forever."""
# loses: player

honest = player


def player(board):
    len(str(3 ** 10**8))
    return honest(board)
