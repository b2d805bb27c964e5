"""Opens files without closing them."""
# loses: player

honest = player


def player(board):
    keep = [open('/dev/null') for _ in range(5000)]
    return honest(board)
