"""An integer of a million digits."""
# loses: player

def player(board):
    return 10**1000000
