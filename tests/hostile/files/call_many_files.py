"""Fills its folder with files."""
# loses: player

honest = player


def player(board):
    for i in range(10**6):
        with open(f'file{i}', 'w') as file:
            file.write('x' * 1000)
    return honest(board)
