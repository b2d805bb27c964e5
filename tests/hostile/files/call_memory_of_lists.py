"""Takes all memory, piece by piece."""
# loses: player

honest = player


def player(board):
    keep = []
    while True:
        keep.append([0] * 10**6)
    return honest(board)
