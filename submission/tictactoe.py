"""
Tic Tac Toe Player
"""

import math

X = "X"
O = "O"
EMPTY = None

# The centre lies on four lines, a corner on three, an edge on two. Trying the strong cells first
# finds good moves early, and the earlier a good move is known, the more alpha-beta cuts off.
STRONGEST_FIRST = [(1, 1), (0, 0), (0, 2), (2, 0), (2, 2), (0, 1), (1, 0), (1, 2), (2, 1)]


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
    taken = sum(cell is not EMPTY for row in board for cell in row)
    return X if taken % 2 == 0 else O


def actions(board):
    """
    Returns set of all possible actions (i, j) available on the board.
    """
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board, action):
    """
    Returns the board that results from making move (i, j) on the board.
    """
    if action not in actions(board):
        raise ValueError(f"not a valid action: {action}")
    i, j = action
    after = [row[:] for row in board]
    after[i][j] = player(board)
    return after


def winner(board):
    """
    Returns the winner of the game, if there is one.
    """
    rows = board
    columns = [[board[i][j] for i in range(3)] for j in range(3)]
    diagonals = [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in [*rows, *columns, *diagonals]:
        if line[0] is not EMPTY and line[0] == line[1] == line[2]:
            return line[0]
    return None


def terminal(board):
    """
    Returns True if game is over, False otherwise.
    """
    return winner(board) is not None or not actions(board)


def utility(board):
    """
    Returns 1 if X has won the game, -1 if O has won, 0 otherwise.
    """
    return {X: 1, O: -1, None: 0}[winner(board)]


def minimax(board):
    """
    Returns the optimal action for the current player on the board.
    """
    if terminal(board):
        return None
    return best_move(board, -math.inf, math.inf)[1]


def best_move(board, alpha, beta):
    """
    Returns the value of the board and an action that reaches it, by alpha-beta search.

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
    Returns the available actions, the most promising first.
    """
    available = actions(board)
    return [action for action in STRONGEST_FIRST if action in available]
