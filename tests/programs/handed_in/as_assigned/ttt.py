# Tic-tac-toe as the assignment asks: the program is X and moves first, squares are 1 to 9.
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
EMPTY = "—"


def winner(board):
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


def free_squares(board):
    return [i for i in range(9) if board[i] == EMPTY]


def search(board, player, alpha, beta):
    """Return the value of the board for X: 1 won, 0 tie, -1 lost."""
    won = winner(board)
    if won:
        return 1 if won == "X" else -1
    moves = free_squares(board)
    if not moves:
        return 0
    best = -2 if player == "X" else 2
    for move in moves:
        board[move] = player
        value = search(board, "O" if player == "X" else "X", alpha, beta)
        board[move] = EMPTY
        if player == "X":
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def best_move(board):
    best, chosen = -2, None
    for move in free_squares(board):
        board[move] = "X"
        value = search(board, "O", -2, 2)
        board[move] = EMPTY
        if value > best:
            best, chosen = value, move
    return chosen


def show(board):
    for row in range(3):
        print(" ".join(board[3 * row:3 * row + 3]))
    print()


def ask(board):
    while True:
        try:
            text = input("What is your move? (1-9) ").strip()
        except EOFError:
            print("\nGoodbye!")
            sys.exit(0)
        if text not in list("123456789"):
            print("Please type a number from 1 to 9.")
        elif board[int(text) - 1] != EMPTY:
            print("That square is taken.")
        else:
            return int(text) - 1


def main():
    board = [EMPTY] * 9
    print("Welcome to TTT! My move is")
    while True:
        board[best_move(board)] = "X"
        show(board)
        if winner(board) or not free_squares(board):
            break
        board[ask(board)] = "O"
        show(board)
        if winner(board) or not free_squares(board):
            break
        print("My move is")
    if winner(board) == "X":
        print("I win!")
    elif winner(board) == "O":
        print("You win!")
    else:
        print("It is a tie.")


main()
