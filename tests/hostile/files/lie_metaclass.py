"""A class whose class lies."""
# loses: player

class Meta(type):
    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(str)


class Strange(metaclass=Meta):
    pass


def player(board):
    return Strange()
