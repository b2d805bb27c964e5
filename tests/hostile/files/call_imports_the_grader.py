"""Imports the oracle."""
# loses: everything

honest = player


def player(board):
    from grader.core.game import oracle
    oracle.value('.........')
    return honest(board)
