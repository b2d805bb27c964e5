# Tic-tac-toe on a cleared screen, with a short pause before the computer moves.
import os
import time

board = [" "] * 10  # square 0 is not used
table = {}


def draw():
    os.system("clear")
    print("TIC TAC TOE   computer: X   you: O\n")
    for row in (1, 4, 7):
        print("     |     |")
        print("  " + board[row] + "  |  " + board[row + 1] + "  |  " + board[row + 2])
        if row < 7:
            print("_____|_____|_____")
    print("     |     |\n")


def three(mark):
    for a, b, c in ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)):
        if board[a] == board[b] == board[c] == mark:
            return True
    return False


def empty():
    return [i for i in range(1, 10) if board[i] == " "]


def value(mark):
    key = "".join(board)
    if key not in table:
        if three("X"):
            table[key] = 1
        elif three("O"):
            table[key] = -1
        elif not empty():
            table[key] = 0
        else:
            values = []
            for i in empty():
                board[i] = mark
                values.append(value("O" if mark == "X" else "X"))
                board[i] = " "
            table[key] = max(values) if mark == "X" else min(values)
    return table[key]


def computer():
    time.sleep(0.75)
    best, where = -2, 0
    for i in (5, 1, 3, 7, 9, 2, 4, 6, 8):
        if board[i] == " ":
            board[i] = "X"
            v = value("O")
            board[i] = " "
            if v > best:
                best, where = v, i
    board[where] = "X"


def user():
    message = "Choose a square from 1 to 9: "
    while True:
        text = input(message)
        if text.isdecimal() and 1 <= int(text) <= 9 and board[int(text)] == " ":
            board[int(text)] = "O"
            return
        draw()
        message = "'" + text + "' is not possible. Choose a free square from 1 to 9: "


def main():
    draw()
    while True:
        print("The computer is thinking ...")
        computer()
        draw()
        if three("X"):
            return "Computer wins. Better luck next time!"
        if not empty():
            return "It's a draw."
        user()
        draw()
        if three("O"):
            return "You beat the computer!"


try:
    print(main())
except EOFError:
    print("\nStopped.")
