"""
Tic Tac Toe Player
"""

import copy
import math

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
    Returns player who has the next turn on a board.
    """
    count_x = sum(row.count(X) for row in board)
    count_o = sum(row.count(O) for row in board)
    return X if count_x == count_o else O


def actions(board):
    """
    Returns set of all possible actions (i, j) available on the board.
    """
    possible = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                possible.add((i, j))
    return possible


def result(board, action):
    """
    Returns the board that results from making move (i, j) on the board.
    """
    if action not in actions(board):
        raise ValueError("not a valid action")
    i, j = action
    new_board = copy.deepcopy(board)
    new_board[i][j] = player(board)
    return new_board


def winner(board):
    """
    Returns the winner of the game, if there is one.
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
    Returns True if game is over, False otherwise.
    """
    if winner(board) is not None:
        return True
    return all(cell is not EMPTY for row in board for cell in row)


def utility(board):
    """
    Returns 1 if X has won the game, -1 if O has won, 0 otherwise.
    """
    champion = winner(board)
    if champion == X:
        return 1
    if champion == O:
        return -1
    return 0


def minimax(board):
    """
    Returns the optimal action for the current player on the board.
    """
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(sorted(actions(board)), key=lambda action: sign * value(result(board, action), 1))


def value(board, depth):
    """
    Returns the value of the board: a quick win is worth more than a slow one.
    """
    if terminal(board):
        return utility(board) * (10 - depth)
    best = -math.inf if player(board) == X else math.inf
    better = max if player(board) == X else min
    for action in actions(board):
        best = better(best, value(result(board, action), depth + 1))
    return best
