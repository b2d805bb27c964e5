# Tic-tac-toe: says who has won, but only stops when the board is full.
from functools import lru_cache


def rows(b):
    return [b[0:3], b[3:6], b[6:9], b[0::3], b[1::3], b[2::3], b[0::4], b[2:7:2]]


def wins(b, mark):
    return mark * 3 in rows(b)


def place(b, i, mark):
    return b[:i] + mark + b[i + 1:]


@lru_cache(None)
def score(b, mark):
    if wins(b, "X"):
        return 1
    if wins(b, "O"):
        return -1
    if " " not in b:
        return 0
    pick, other = (max, "O") if mark == "X" else (min, "X")
    return pick(score(place(b, i, mark), other) for i in range(9) if b[i] == " ")


def computer(b):
    free = [i for i in range(9) if b[i] == " "]
    return place(b, max(free, key=lambda i: score(place(b, i, "X"), "O")), "X")


def show(b):
    print("---------------")
    for i in (0, 3, 6):
        print("| " + b[i] + " || " + b[i + 1] + " || " + b[i + 2] + " |")
        print("---------------")


def person(b):
    while True:
        text = input("Enter 1-9: ").strip()
        if not text.isdecimal() or int(text) not in range(1, 10):
            print("Only 1-9!")
        elif b[int(text) - 1] != " ":
            print("Taken!")
        else:
            return place(b, int(text) - 1, "O")


def main():
    b = " " * 9
    mark = "X"
    while " " in b:
        b = computer(b) if mark == "X" else person(b)
        show(b)
        mark = "O" if mark == "X" else "X"
        if wins(b, "X"):
            print("Computer has won!")
        elif wins(b, "O"):
            print("You have won!")
    if not wins(b, "X") and not wins(b, "O"):
        print("Tie!")


try:
    main()
except EOFError:
    print("\nOver.")
