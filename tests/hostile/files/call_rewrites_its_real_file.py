"""Rewrites its own file where it really is."""
# loses: player

honest = player


def player(board):
    open('@OWN@', 'w').write('x')
    return honest(board)
