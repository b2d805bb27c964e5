# Tic-tac-toe: in its fourth turn the program puts down a second mark when the first did not win.
board = ["_"] * 9
known = {}
LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]


def three(mark):
    return any(all(board[i] == mark for i in line) for line in LINES)


def value(mark):
    """1 when X can win, -1 when O can, else 0."""
    key = "".join(board)
    if key not in known:
        if three("X"):
            known[key] = 1
        elif three("O"):
            known[key] = -1
        elif "_" not in board:
            known[key] = 0
        else:
            other, pick = ("O", max) if mark == "X" else ("X", min)
            known[key] = pick(after(i, mark, other) for i in range(9) if board[i] == "_")
    return known[key]


def after(i, mark, other):
    board[i] = mark
    result = value(other)
    board[i] = "_"
    return result


def move():
    free = [i for i in range(9) if board[i] == "_"]
    board[max(free, key=lambda i: after(i, "X", "O"))] = "X"


def show():
    for i in (0, 3, 6):
        print(board[i:i + 3])


def read():
    while True:
        print("Your turn, type 1 to 9.")
        text = input().strip()
        if text in list("123456789") and board[int(text) - 1] == "_":
            board[int(text) - 1] = "O"
            return
        print("Impossible.")


def game():
    turn = 1
    while True:
        move()
        if turn == 4 and not three("X"):
            move()
        show()
        if three("X"):
            return "I won."
        if "_" not in board:
            return "A tie."
        read()
        show()
        if three("O"):
            return "You won."
        if "_" not in board:
            return "A tie."
        turn += 1


try:
    print(game())
except EOFError:
    print("Stopped.")
