# Tic-tac-toe: the first square is drawn by lot, every later move is searched.
import random

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board:
    def __init__(self):
        self.squares = [" "] * 9

    def __str__(self):
        s = self.squares
        lines = ["\t%s\t%s\t%s" % tuple("." if c == " " else c for c in s[i:i + 3]) for i in (0, 3, 6)]
        return "\n".join(lines) + "\n"

    def free(self):
        return [i for i in range(9) if self.squares[i] == " "]

    def winner(self):
        for a, b, c in LINES:
            if self.squares[a] != " " and self.squares[a] == self.squares[b] == self.squares[c]:
                return self.squares[a]
        return None

    def best(self, mark, low=-9, high=9):
        """Return (value, square), where X wants a high value and an early win counts more."""
        if self.winner():
            return (1 + len(self.free())) * (1 if self.winner() == "X" else -1), None
        if not self.free():
            return 0, None
        square = None
        for i in self.free():
            self.squares[i] = mark
            value = self.best("O" if mark == "X" else "X", low, high)[0]
            self.squares[i] = " "
            if mark == "X" and value > low:
                low, square = value, i
            if mark == "O" and value < high:
                high, square = value, i
            if low >= high:
                break
        return (low if mark == "X" else high), square


def ask(board):
    while True:
        try:
            square = int(input("Please choose 1-9: ")) - 1
        except ValueError:
            square = -1
        if square in board.free():
            return square
        print("That is not one of the free squares:", ", ".join(str(i + 1) for i in board.free()))


def main():
    board = Board()
    board.squares[random.randrange(9)] = "X"
    mark = "O"
    print(board)
    while board.free() and not board.winner():
        square = ask(board) if mark == "O" else board.best("X")[1]
        board.squares[square] = mark
        print(board)
        mark = "O" if mark == "X" else "X"
    print({"X": "The computer wins.", "O": "You win.", None: "Tie."}[board.winner()])


try:
    main()
except EOFError:
    print("\nBye")
