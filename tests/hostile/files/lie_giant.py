"""A list of ten million items."""
# loses: player

def player(board):
    return ['X'] * 10**7
