"""Writes a large file."""
# loses: player

honest = player


def player(board):
    with open('large', 'wb') as file:
        for _ in range(1000):
            file.write(b'x' * 10**6)
    return honest(board)
