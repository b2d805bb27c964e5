# Tic-tac-toe: names the winner, but a full board ends the game without a word.
from functools import lru_cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def won(board, mark):
    return any(board[a] + board[b] + board[c] == 3 * mark for a, b, c in LINES)


@lru_cache(maxsize=None)
def minimax(board, computer):
    """Return (value, next board); the computer is O."""
    if won(board, "O"):
        return 1, board
    if won(board, "X"):
        return -1, board
    if " " not in board:
        return 0, board
    best = None
    for i in range(9):
        if board[i] == " ":
            after = board[:i] + ("O" if computer else "X") + board[i + 1:]
            value = minimax(after, not computer)[0]
            if best is None or (value > best[0] if computer else value < best[0]):
                best = value, after
    return best


def show(board):
    print("#############")
    for i in (0, 3, 6):
        print("#", " | ".join(board[i:i + 3]), "#")
    print("#############")


def main():
    board = " " * 9
    show(board)
    while " " in board:
        try:
            text = input("Player, make your move: ").strip()
        except EOFError:
            print()
            return
        if not text.isdecimal() or not 1 <= int(text) <= 9:
            print("Moves are 1 to 9.")
            continue
        move = int(text) - 1
        if board[move] != " ":
            print("Not free.")
            continue
        board = board[:move] + "X" + board[move + 1:]
        show(board)
        if won(board, "X"):
            print("Player wins!")
            return
        if " " in board:
            board = minimax(board, True)[1]
            show(board)
            if won(board, "O"):
                print("Computer wins!")
                return


main()
