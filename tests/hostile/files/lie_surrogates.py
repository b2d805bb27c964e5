"""Text that is no text."""
# loses: player

def player(board):
    return '\ud800\x00\x1b[2J'
