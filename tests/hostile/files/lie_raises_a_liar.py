"""An exception whose text runs code."""
# loses: player

class Sly(Exception):
    def __str__(self):
        import os
        os._exit(0)

    __repr__ = __str__


def raise_it():
    raise Sly


def player(board):
    return raise_it()
