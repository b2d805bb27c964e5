# Tic-tac-toe as it is played blindfold: moves are told, the board is never drawn.
from functools import lru_cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def won(board):
    return any(board[a] != " " and board[a] == board[b] == board[c] for a, b, c in LINES)


@lru_cache(None)
def value(board, mark):
    if won(board) or " " not in board:
        return -won(board)
    other = "O" if mark == "X" else "X"
    return max(-value(board[:i] + mark + board[i + 1:], other) for i in range(9) if board[i] == " ")


def computer(board):
    free = [i for i in range(9) if board[i] == " "]
    cell = max(free, key=lambda i: -value(board[:i] + "X" + board[i + 1:], "O"))
    print("I take square", cell + 1)
    return board[:cell] + "X" + board[cell + 1:]


def user(board):
    while True:
        text = input("Blindfold, your square (1-9): ")
        if text in tuple("123456789") and board[int(text) - 1] == " ":
            return board[:int(text) - 1] + "O" + board[int(text):]
        print("That one is taken.")


def main():
    board = " " * 9
    while True:
        for move, words in ((computer, "I win!"), (user, "You win!")):
            board = move(board)
            if won(board) or " " not in board:
                return words if won(board) else "It's a draw!"


try:
    print(main())
except EOFError:
    print()
