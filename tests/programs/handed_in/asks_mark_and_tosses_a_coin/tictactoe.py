# Tic-tac-toe: the user chooses X or O, chance decides who goes first, and another game is offered.
import random
from functools import lru_cache

WAYS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def is_winner(board, letter):
    return any(board[a] == board[b] == board[c] == letter for a, b, c in WAYS)


@lru_cache(maxsize=None)
def best(board, letter, other):
    """Return (value, square) for the player with this letter, who is to move."""
    if is_winner(board, other):
        return -1, None
    if " " not in board:
        return 0, None
    found = -2, None
    for i in range(9):
        if board[i] == " ":
            value = -best(board[:i] + letter + board[i + 1:], other, letter)[0]
            if value > found[0]:
                found = value, i
    return found


def draw_board(board):
    for i in (0, 3, 6):
        print("   |   |")
        print(" " + board[i] + " | " + board[i + 1] + " | " + board[i + 2])
        print("   |   |")
        if i < 6:
            print("-----------")


def get_move(board):
    move = ""
    while move not in tuple("123456789") or board[int(move) - 1] != " ":
        move = input("What is your next move? (1-9, row by row) ").strip()
    return int(move) - 1


def game():
    player = ""
    while player not in ("X", "O"):
        player = input("Do you want to be X or O? ").upper()
    computer = "O" if player == "X" else "X"
    turn = random.choice((player, computer))
    print("The " + ("player" if turn == player else "computer") + " will go first.")
    board = " " * 9
    while True:
        if turn == player:
            draw_board(board)
            move = get_move(board)
        else:
            move = best(board, computer, player)[1]
        board = board[:move] + turn + board[move + 1:]
        if is_winner(board, turn):
            draw_board(board)
            print("Hooray! You have won the game!" if turn == player else "The computer has beaten you! You lose.")
            return
        if " " not in board:
            draw_board(board)
            print("The game is a tie!")
            return
        turn = computer if turn == player else player


try:
    game()
    while input("Do you want to play again? (yes or no) ").lower().startswith("y"):
        game()
except EOFError:
    print()
