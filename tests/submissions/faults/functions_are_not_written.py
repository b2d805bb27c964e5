"""
Tic Tac Toe Player
"""

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """
    Returns starting state of the board.
    """
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    """
    To be written.
    """
    raise NotImplementedError


def actions(board):
    """
    To be written.
    """
    raise NotImplementedError


def result(board, action):
    """
    To be written.
    """
    raise NotImplementedError


def winner(board):
    """
    To be written.
    """
    raise NotImplementedError


def terminal(board):
    """
    To be written.
    """
    raise NotImplementedError


def utility(board):
    """
    To be written.
    """
    raise NotImplementedError


def minimax(board):
    """
    To be written.
    """
    raise NotImplementedError
