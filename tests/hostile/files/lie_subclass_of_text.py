"""Text that says it equals everything, and is wrong."""
# loses: player

class Mark(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


def player(board):
    return Mark('O')
