"""Text of ten million characters."""
# loses: player

def player(board):
    return 'X' * 10**7
