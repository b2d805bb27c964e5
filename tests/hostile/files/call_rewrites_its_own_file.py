"""Rewrites what it takes for its own file, in its private folder."""
# loses: nothing

honest = player


def player(board):
    if board == [[None] * 3] * 3:
        open(__file__, 'w').write('x')
    return honest(board)
