"""Takes all memory at once."""
# loses: player

honest = player


def player(board):
    bytearray(10**12)
    return honest(board)
