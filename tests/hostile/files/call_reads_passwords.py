"""Reads the list of users."""
# loses: player
# note: open /etc/passwd

honest = player


def player(board):
    open('/etc/passwd').read()
    return honest(board)
