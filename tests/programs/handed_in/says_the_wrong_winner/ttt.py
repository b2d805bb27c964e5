# Tic-tac-toe: the names of the winner and the loser are mixed up at the end.
from functools import lru_cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(board):
    for line in LINES:
        marks = {board[i] for i in line}
        if marks == {"X"} or marks == {"O"}:
            return marks.pop()
    return None


def over(board):
    return winner(board) is not None or None not in board


def player(board):
    return "X" if board.count("X") == board.count("O") else "O"


def result(board, i):
    return board[:i] + (player(board),) + board[i + 1:]


def actions(board):
    return [i for i in range(9) if board[i] is None]


@lru_cache(maxsize=None)
def utility(board):
    if over(board):
        return {"X": 1, "O": -1, None: 0}[winner(board)]
    values = [utility(result(board, i)) for i in actions(board)]
    return max(values) if player(board) == "X" else min(values)


def show(board):
    print("\n".join("  ".join(mark or "-" for mark in board[i:i + 3]) for i in (0, 3, 6)))


def user(board):
    while True:
        try:
            i = int(input("Your number (1..9): ")) - 1
        except ValueError:
            i = -1
        if i in actions(board):
            return i
        print("No. Free are:", *[a + 1 for a in actions(board)])


def main():
    board = (None,) * 9
    while not over(board):
        if player(board) == "X":
            board = result(board, max(actions(board), key=lambda i: utility(result(board, i))))
        else:
            show(board)
            board = result(board, user(board))
    if winner(board) == "X":
        print("Congratulations, you win!")
    elif winner(board) == "O":
        print("Sorry, the computer wins!")
    else:
        print("The game ended in a draw.")
    show(board)


try:
    main()
except EOFError:
    print("\nbye")
