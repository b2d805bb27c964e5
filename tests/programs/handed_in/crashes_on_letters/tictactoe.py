# Tic-tac-toe: whatever the user types goes straight into int().
from functools import lru_cache

WIN = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)]


def won(xs):
    return any(set(line) <= xs for line in WIN)


@lru_cache(maxsize=None)
def value(mine, yours):
    """Value for the player who is to move and owns the squares `mine`."""
    if won(yours):
        return -1
    free = set(range(1, 10)) - mine - yours
    if not free:
        return 0
    return max(-value(yours, mine | {s}) for s in free)


def show(computer, user):
    print("+---+---+---+")
    for top in (1, 4, 7):
        cells = ["X" if s in computer else "O" if s in user else " " for s in range(top, top + 3)]
        print("| " + " | ".join(cells) + " |")
        print("+---+---+---+")


def main():
    computer, user = frozenset(), frozenset()
    print("Welcome to TTT! My move is")
    while True:
        free = [s for s in range(1, 10) if s not in computer | user]
        computer |= {max(free, key=lambda s: -value(user, computer | {s}))}
        show(computer, user)
        if won(computer):
            print("The computer wins!")
            return
        if len(computer | user) == 9:
            print("It's a tie!")
            return
        move = int(input("Your move (1-9)? "))
        while move not in range(1, 10) or move in computer | user:
            print("You cannot go there.")
            move = int(input("Your move (1-9)? "))
        user |= {move}
        show(computer, user)
        if won(user):
            print("You win!")
            return


main()
