"""Answers with nested lists by the thousand, to fill the judge's memory."""
# loses: player


def player(board):
    return [[[[] for _ in range(31)] for _ in range(11)] for _ in range(2)]
