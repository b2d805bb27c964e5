"""An object that claims to be text."""
# loses: player

class Liar:
    @property
    def __class__(self):
        return str


def player(board):
    return Liar()
