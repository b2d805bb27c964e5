"""
An engine for Tic-Tac-Toe that never loses.
"""

import copy
import math

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """
    Gives the empty board, on which every game begins.
    """
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    """
    Tells whose turn it is: X begins, and then they take turns.
    """
    count_x = sum(row.count(X) for row in board)
    count_o = sum(row.count(O) for row in board)
    return X if count_x == count_o else O


def actions(board):
    """
    Gives every free cell, each as row and column.
    """
    possible = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                possible.add((i, j))
    return possible


def result(board, action):
    """
    Gives the board after a move; the given one stays as it was.
    """
    if action not in actions(board):
        raise ValueError("not a valid action")
    i, j = action
    new_board = copy.deepcopy(board)
    new_board[i][j] = player(board)
    return new_board


def winner(board):
    """
    Tells who has three in a row: X, O or nobody.
    """
    for mark in (X, O):
        for i in range(3):
            if all(board[i][j] == mark for j in range(3)):
                return mark
            if all(board[j][i] == mark for j in range(3)):
                return mark
        if all(board[i][i] == mark for i in range(3)):
            return mark
        if all(board[i][2 - i] == mark for i in range(3)):
            return mark
    return None


def terminal(board):
    """
    Tells whether the game has ended, by a win or because no cell is free.
    """
    if winner(board) is not None:
        return True
    return all(cell is not EMPTY for row in board for cell in row)


def utility(board):
    """
    Gives the value of a finished game: 1 for X, -1 for O, 0 for a tie.
    """
    champion = winner(board)
    if champion == X:
        return 1
    if champion == O:
        return -1
    return 0


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    if player(board) == X:
        return max(sorted(actions(board)), key=lambda action: min_value(result(board, action)))
    return min(sorted(actions(board)), key=lambda action: max_value(result(board, action)))


def max_value(board):
    """
    Returns the best value that X can reach.
    """
    if terminal(board):
        return utility(board)
    best = -math.inf
    for action in actions(board):
        best = max(best, min_value(result(board, action)))
    return best


def min_value(board):
    """
    Returns the best value that O can reach.
    """
    if terminal(board):
        return utility(board)
    best = math.inf
    for action in actions(board):
        best = min(best, max_value(result(board, action)))
    return best
