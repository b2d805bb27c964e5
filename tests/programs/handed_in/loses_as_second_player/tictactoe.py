# Tic-tac-toe: the user chooses X or O; the computer only thinks when it is X, as O it takes the first free square.
from functools import lru_cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for a, b, c in LINES:
        if board[a] == board[b] == board[c] and board[a] != "-":
            return board[a]


def moves(board):
    return [i for i in range(9) if board[i] == "-"]


def after(board, i, mark):
    return board[:i] + mark + board[i + 1:]


@lru_cache(maxsize=None)
def minimax(board, maximizing):
    if winner(board):
        return 1 if winner(board) == "X" else -1
    if not moves(board):
        return 0
    if maximizing:
        return max(minimax(after(board, i, "X"), False) for i in moves(board))
    return min(minimax(after(board, i, "O"), True) for i in moves(board))


def choose(board, mark):
    best_score, best = -1, moves(board)[0]
    for i in moves(board):
        score = minimax(after(board, i, mark), False)
        if mark == "X" and score > best_score:
            best_score, best = score, i
    return best


def show(board):
    for i in (0, 3, 6):
        print(" ".join(board[i:i + 3]))


def main():
    user = ""
    while user not in ("X", "O"):
        user = input("X or O? ").strip().upper()
    board, turn = "-" * 9, "X"
    while not winner(board) and moves(board):
        show(board)
        if turn == user:
            text = input("Your move (1-9): ").strip()
            if text not in tuple("123456789") or board[int(text) - 1] != "-":
                print("Not a legal move.")
                continue
            board = after(board, int(text) - 1, turn)
        else:
            board = after(board, choose(board, turn), turn)
            print("Computer moved.")
        turn = "O" if turn == "X" else "X"
    show(board)
    if winner(board) == user:
        print("You won.")
    elif winner(board):
        print("You lost.")
    else:
        print("Draw.")


try:
    main()
except EOFError:
    print()
