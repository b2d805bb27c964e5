"""An object equal to everything."""
# loses: player

class Yes:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash('X')

    def __iter__(self):
        return iter('X')


def player(board):
    return Yes()
