# Tic-tac-toe with small letters: answer exactly x or o, x begins.
from functools import lru_cache

WINS = ["012", "345", "678", "036", "147", "258", "048", "246"]


def won(board, mark):
    return any(all(board[int(i)] == mark for i in line) for line in WINS)


def put(board, square, mark):
    return board[:square] + mark + board[square + 1:]


def swap(mark):
    return "o" if mark == "x" else "x"


@lru_cache(maxsize=None)
def value(board, mark):
    """1 if the player with this mark, who is to move, can win; 0 draw; -1 loss."""
    if won(board, swap(mark)):
        return -1
    if " " not in board:
        return 0
    return max(-value(put(board, i, mark), swap(mark)) for i in range(9) if board[i] == " ")


def computer(board, mark):
    moves = [i for i in range(9) if board[i] == " "]
    return max(moves, key=lambda i: -value(put(board, i, mark), swap(mark)))


def draw(board):
    rows = [" " + " | ".join(board[i:i + 3]) for i in (0, 3, 6)]
    print("\n---+---+---\n".join(rows))
    print()


def user(board):
    while True:
        answer = input("Where do you want to go (1-9)? ")
        if not answer.strip().isdecimal() or not 1 <= int(answer) <= 9:
            print("Not a square, type 1 to 9")
        elif board[int(answer) - 1] != " ":
            print("Somebody is already there")
        else:
            return int(answer) - 1


def play():
    me = ""
    while me not in ("x", "o"):
        me = input("Choose your mark, x or o: ")
    board, turn = " " * 9, "x"
    draw(board)
    while True:
        if turn == me:
            board = put(board, user(board), turn)
        else:
            print("Computer is thinking...")
            board = put(board, computer(board, turn), turn)
        draw(board)
        if won(board, turn):
            print(turn, "wins the game!")
            return
        if " " not in board:
            print("Draw, nobody won.")
            return
        turn = swap(turn)


try:
    play()
except EOFError:
    print("\nbye")
