# Tic-tac-toe: who starts is decided with dice from a package.
import colorfuldice

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
board = ["-"] * 9


def wins(mark):
    return any(board[a] == board[b] == board[c] == mark for a, b, c in LINES)


def value(mark):
    if wins("X"):
        return 1
    if wins("O"):
        return -1
    if "-" not in board:
        return 0
    values = []
    for i in range(9):
        if board[i] == "-":
            board[i] = mark
            values.append(value("O" if mark == "X" else "X"))
            board[i] = "-"
    return max(values) if mark == "X" else min(values)


def computer():
    best, where = -2, None
    for i in range(9):
        if board[i] == "-":
            board[i] = "X"
            v = value("O")
            board[i] = "-"
            if v > best:
                best, where = v, i
    board[where] = "X"


def user():
    text = input("Your move (1-9): ")
    while text not in tuple("123456789") or board[int(text) - 1] != "-":
        text = input("Not possible. Your move (1-9): ")
    board[int(text) - 1] = "O"


turn = "X" if colorfuldice.roll() > 3 else "O"
while "-" in board and not wins("X") and not wins("O"):
    computer() if turn == "X" else user()
    turn = "O" if turn == "X" else "X"
    print(*board[0:3])
    print(*board[3:6])
    print(*board[6:9])
print("X wins" if wins("X") else "O wins" if wins("O") else "Tie")
