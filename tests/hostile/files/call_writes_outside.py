"""Writes a file where it must not."""
# loses: player
# note: open /tmp

honest = player


def player(board):
    open('/tmp/hostile-was-here', 'w').write('x')
    return honest(board)
