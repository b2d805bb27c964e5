"""
An engine for Tic-Tac-Toe that never loses.
"""

import math

X = "X"
O = "O"
EMPTY = None

LINES = [
    [(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)], [(2, 0), (2, 1), (2, 2)],  # rows
    [(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 1), (2, 1)], [(0, 2), (1, 2), (2, 2)],  # columns
    [(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)],  # diagonals
]

# The centre lies on four lines, a corner on three, an edge on two.
STRONGEST_FIRST = [(1, 1), (0, 0), (0, 2), (2, 0), (2, 2), (0, 1), (1, 0), (1, 2), (2, 1)]


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
    empty = sum(row.count(EMPTY) for row in board)
    return X if empty % 2 == 1 else O


def actions(board):
    """
    Gives every free cell, each as row and column.
    """
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board, action):
    """
    Gives the board after a move; the given one stays as it was.
    """
    i, j = action
    if i not in (0, 1, 2) or j not in (0, 1, 2) or board[i][j] is not EMPTY:
        raise ValueError(f"not a valid action: {action}")
    after = [row[:] for row in board]
    after[i][j] = player(board)
    return after


def winner(board):
    """
    Tells who has three in a row: X, O or nobody.
    """
    for (a, b), (c, d), (e, f) in LINES:
        if board[a][b] is not EMPTY and board[a][b] == board[c][d] == board[e][f]:
            return board[a][b]
    return None


def terminal(board):
    """
    Tells whether the game has ended, by a win or because no cell is free.
    """
    return winner(board) is not None or all(EMPTY not in row for row in board)


def utility(board):
    """
    Gives the value of a finished game: 1 for X, -1 for O, 0 for a tie.
    """
    return {X: 1, O: -1, None: 0}[winner(board)]


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return best_move(board, -1, 1)[1]


def best_move(board, alpha, beta):
    """
    Gives the value of the board and an action that reaches it, by alpha-beta search.

    X is sure of alpha elsewhere in the tree, and O of beta. As soon as the two meet, one of the
    players would never let the game come to this board: its other moves need no look.
    """
    if terminal(board):
        return utility(board), None

    best_action = None
    if player(board) == X:
        best_value = -math.inf
        for action in ordered_actions(board):
            value, _ = best_move(result(board, action), alpha, beta)
            if value > best_value:
                best_value, best_action = value, action
            alpha = max(alpha, best_value)
            if alpha >= beta:
                break
    else:
        best_value = math.inf
        for action in ordered_actions(board):
            value, _ = best_move(result(board, action), alpha, beta)
            if value < best_value:
                best_value, best_action = value, action
            beta = min(beta, best_value)
            if alpha >= beta:
                break
    return best_value, best_action


def ordered_actions(board):
    """
    Gives the available actions, the most promising first: wins, then blocks, then strong cells.

    The earlier a good move is known, the more alpha-beta cuts off.
    """
    mover = player(board)
    wins, blocks = [], []
    for line in LINES:
        marks = [board[i][j] for i, j in line]
        if marks.count(EMPTY) == 1:
            gap = line[marks.index(EMPTY)]
            if marks.count(mover) == 2:
                wins.append(gap)
            elif marks.count(mover) == 0:
                blocks.append(gap)
    others = [(i, j) for i, j in STRONGEST_FIRST if board[i][j] is EMPTY]
    return list(dict.fromkeys(wins + blocks + others))
