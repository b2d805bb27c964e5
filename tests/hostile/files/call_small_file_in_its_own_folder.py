"""Writes a note to its own folder: allowed."""
# loses: nothing

honest = player


def player(board):
    if board == [[None] * 3] * 3:
        with open('note.txt', 'w') as file:
            file.write('x')
    return honest(board)
