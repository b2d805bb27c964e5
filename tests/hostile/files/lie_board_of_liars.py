"""Leaves a lying object on the board."""
# loses: player

honest = player


class Cell:
    def __eq__(self, other):
        return True

    __hash__ = None


def player(board):
    turn = honest(board)
    board[0][0] = Cell()
    return turn
