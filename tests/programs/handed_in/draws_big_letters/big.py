# Tic-tac-toe with marks drawn as large pictures of # signs.
from functools import lru_cache

PICTURES = {
    "X": ["#   #", " # # ", "  #  ", " # # ", "#   #"],
    "O": [" ### ", "#   #", "#   #", "#   #", " ### "],
    " ": ["     "] * 5,
}
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def show(board):
    for row in (0, 3, 6):
        for line in range(5):
            print("  %  ".join(PICTURES[mark][line] for mark in board[row:row + 3]))
        if row < 6:
            print("%" * 25)
    print()


def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


@lru_cache(None)
def value(board, mark):
    if winner(board):
        return -1
    if " " not in board:
        return 0
    other = "O" if mark == "X" else "X"
    return max(-value(board[:i] + mark + board[i + 1:], other) for i in range(9) if board[i] == " ")


def computer(board):
    free = [i for i in range(9) if board[i] == " "]
    i = max(free, key=lambda i: -value(board[:i] + "X" + board[i + 1:], "O"))
    return board[:i] + "X" + board[i + 1:]


def user(board):
    while True:
        text = input("Your square (1-9): ")
        if text in tuple("123456789") and board[int(text) - 1] == " ":
            return board[:int(text) - 1] + "O" + board[int(text):]
        print("Please choose a free square.")


def main():
    board = " " * 9
    while True:
        for move in (computer, user):
            board = move(board)
            show(board)
            if winner(board):
                return "I win!" if winner(board) == "X" else "You win!"
            if " " not in board:
                return "It's a draw!"


try:
    print(main())
except EOFError:
    print()
