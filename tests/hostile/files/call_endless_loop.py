"""Never answers."""
# loses: player

honest = player


def player(board):
    while True:
        pass
    return honest(board)
