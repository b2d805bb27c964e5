# Tic-tac-toe laid out like the number keys, 7 8 9 on top; a coin decides who goes first.
import random
from functools import lru_cache

WAYS = ((7, 8, 9), (4, 5, 6), (1, 2, 3), (7, 4, 1), (8, 5, 2), (9, 6, 3), (7, 5, 3), (9, 5, 1))


def draw_board(b):
    print("   |   |")
    print(" " + b[7] + " | " + b[8] + " | " + b[9])
    print("   |   |")
    print("-----------")
    print("   |   |")
    print(" " + b[4] + " | " + b[5] + " | " + b[6])
    print("   |   |")
    print("-----------")
    print("   |   |")
    print(" " + b[1] + " | " + b[2] + " | " + b[3])
    print("   |   |")


def is_winner(b, letter):
    return any(b[x] == b[y] == b[z] == letter for x, y, z in WAYS)


def is_full(b):
    return " " not in b[1:]


@lru_cache(maxsize=None)
def negamax(b, letter, other):
    if is_winner(b, other):
        return -1
    if is_full(b):
        return 0
    return max(-negamax(b[:i] + letter + b[i + 1:], other, letter) for i in range(1, 10) if b[i] == " ")


def computer_move(b):
    scores = {i: -negamax(b[:i] + "X" + b[i + 1:], "O", "X") for i in range(1, 10) if b[i] == " "}
    move = max(scores, key=scores.get)
    return b[:move] + "X" + b[move + 1:]


def player_move(b):
    move = " "
    while move not in "1 2 3 4 5 6 7 8 9".split() or b[int(move)] != " ":
        try:
            move = input("What is your next move? (1-9) ")
        except EOFError:
            print("\nGood bye.")
            raise SystemExit
    return b[:int(move)] + "O" + b[int(move) + 1:]


print("Welcome to Tic Tac Toe!")
turn = random.choice(["player", "computer"])
print("The " + turn + " will go first.")
the_board = "-" + " " * 9
while True:
    if turn == "player":
        draw_board(the_board)
        the_board = player_move(the_board)
        if is_winner(the_board, "O"):
            draw_board(the_board)
            print("Hooray! You have won the game!")
            break
        turn = "computer"
    else:
        the_board = computer_move(the_board)
        if is_winner(the_board, "X"):
            draw_board(the_board)
            print("The computer has beaten you! You lose.")
            break
        turn = "player"
    if is_full(the_board):
        draw_board(the_board)
        print("The game is a tie!")
        break
