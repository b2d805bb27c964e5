# Tic-tac-toe: the program is X and searches all 549,946 nodes before its first move.
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def has_line(board, mark):
    for a, b, c in LINES:
        if board[a] == mark and board[b] == mark and board[c] == mark:
            return True
    return False


def free(board):
    return [i for i in range(9) if board[i] == "_"]


def place(board, i, mark):
    copy = board[:]
    copy[i] = mark
    return copy


def maximum(board):
    if has_line(board, "O"):
        return -1
    if "_" not in board:
        return 0
    return max([minimum(place(board, i, "X")) for i in free(board)])


def minimum(board):
    if has_line(board, "X"):
        return 1
    if "_" not in board:
        return 0
    return min([maximum(place(board, i, "O")) for i in free(board)])


def my_move(board):
    return max(free(board), key=lambda i: minimum(place(board, i, "X")))


def show(board):
    print("".join(board[0:3]))
    print("".join(board[3:6]))
    print("".join(board[6:9]))


def your_move(board):
    while True:
        try:
            number = int(input("Your move? "))
            if number < 1:
                raise ValueError
            if board[number - 1] == "_":
                return number - 1
            print("Already taken.")
        except (ValueError, IndexError):
            print("Your move must be a number from 1 to 9.")


def play():
    board = ["_"] * 9
    print("Welcome to TTT! My move is")
    while True:
        board[my_move(board)] = "X"
        show(board)
        if has_line(board, "X"):
            print("X wins")
            break
        if "_" not in board:
            print("Tie")
            break
        board[your_move(board)] = "O"
        show(board)
        if has_line(board, "O"):
            print("O wins")
            break
        print("My move is")


try:
    play()
except EOFError:
    print("\nEnd of game")
