# Tic-tac-toe: asks for a name, for the mark and for who starts; all four combinations are possible.
from math import inf


class Game:
    def __init__(self, name, mark):
        self.cells = [" "] * 9
        self.name = name
        self.user = mark
        self.computer = "O" if mark == "X" else "X"

    def free(self):
        return [i for i, cell in enumerate(self.cells) if cell == " "]

    def has_won(self, mark):
        c = self.cells
        rows = [c[0:3], c[3:6], c[6:9], c[0::3], c[1::3], c[2::3], c[0::4], c[2:7:2]]
        return [mark] * 3 in rows

    def over(self):
        return self.has_won("X") or self.has_won("O") or not self.free()

    def score(self, mark, alpha, beta):
        """Alpha-beta from the side of the computer. Returns (value, square)."""
        if self.has_won(self.computer):
            return 1 + len(self.free()), None
        if self.has_won(self.user):
            return -1 - len(self.free()), None
        if not self.free():
            return 0, None
        best, where = (-inf, None) if mark == self.computer else (inf, None)
        for i in self.free():
            self.cells[i] = mark
            value, _ = self.score("O" if mark == "X" else "X", alpha, beta)
            self.cells[i] = " "
            if mark == self.computer and value > best:
                best, where = value, i
                alpha = max(alpha, best)
            elif mark == self.user and value < best:
                best, where = value, i
                beta = min(beta, best)
            if beta <= alpha:
                break
        return best, where

    def show(self):
        print()
        for i in (0, 3, 6):
            print(" %s | %s | %s " % tuple(self.cells[i:i + 3]))
            if i < 6:
                print("-----------")
        print()


def ask(question, allowed):
    while True:
        answer = input(question).strip().lower()
        if answer in allowed:
            return answer
        print("Please answer with one of:", ", ".join(allowed))


def main():
    name = input("What is your name? ").strip() or "Player"
    game = Game(name, ask(f"Hello {name}. Do you want X or O? ", ["x", "o"]).upper())
    users_turn = ask("Do you want to go first? (yes/no) ", ["yes", "no", "y", "n"])[0] == "y"
    game.show()
    while not game.over():
        if users_turn:
            square = int(ask(f"{name}, choose a square (1-9): ", list("123456789"))) - 1
            if game.cells[square] != " ":
                print("This square is not free.")
                continue
            game.cells[square] = game.user
        else:
            square = game.score(game.computer, -inf, inf)[1]
            game.cells[square] = game.computer
            print("The computer takes square", square + 1)
        game.show()
        users_turn = not users_turn
    if game.has_won(game.user):
        print(f"{name} wins!")
    elif game.has_won(game.computer):
        print("Computer wins!")
    else:
        print("Nobody wins.")


try:
    main()
except EOFError:
    print("\nSee you.")
