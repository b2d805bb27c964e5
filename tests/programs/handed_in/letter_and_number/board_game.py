# Tic-tac-toe in colours: squares are named like a1, where the letter is the column.
from functools import lru_cache

RED, BLUE, BOLD, END = "\033[31m", "\033[34m", "\033[1m", "\033[0m"
TRIPLES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def paint(mark):
    if mark == "X":
        return RED + "X" + END
    if mark == "O":
        return BLUE + "O" + END
    return " "


def show(board):
    print(BOLD + "    a   b   c" + END)
    print("  +---+---+---+")
    for r in range(3):
        cells = " | ".join(paint(m) for m in board[3 * r:3 * r + 3])
        print(f"{BOLD}{r + 1}{END} | {cells} |")
        print("  +---+---+---+")


def result(board):
    for a, b, c in TRIPLES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return "draw" if " " not in board else None


@lru_cache(None)
def value(board, turn):
    end = result(board)
    if end:
        return {"X": 1, "O": -1, "draw": 0}[end]
    other = "O" if turn == "X" else "X"
    values = [value(board[:i] + (turn,) + board[i + 1:], other) for i in range(9) if board[i] == " "]
    return max(values) if turn == "X" else min(values)


def user_square(board):
    while True:
        text = input("Your square, like b2 > ").strip().lower()
        if len(text) != 2 or text[0] not in "abc" or text[1] not in "123":
            print("I do not know that square.")
            continue
        square = "abc".index(text[0]) + 3 * (int(text[1]) - 1)
        if board[square] == " ":
            return square
        print("That square is not free.")


def main():
    board = (" ",) * 9
    show(board)
    turn = "O"
    while not result(board):
        if turn == "O":
            square = user_square(board)
        else:
            free = [i for i in range(9) if board[i] == " "]
            square = max(free, key=lambda i: value(board[:i] + ("X",) + board[i + 1:], "O"))
            print("I take", "abc"[square % 3] + "123"[square // 3])
        board = board[:square] + (turn,) + board[square + 1:]
        show(board)
        turn = "X" if turn == "O" else "O"
    print({"X": RED + "X wins!" + END, "O": BLUE + "O wins!" + END, "draw": "A draw!"}[result(board)])


try:
    main()
except EOFError:
    print()
