"""A generator of the right answer."""
# loses: player

def player(board):
    return (mark for mark in 'X')
