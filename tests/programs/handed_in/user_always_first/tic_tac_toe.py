# Tic-tac-toe: the user is X and always first; minimax looks at every game to its end.
import copy

EMPTY = " "


def check_win(board, mark):
    for i in range(3):
        if board[i][0] == board[i][1] == board[i][2] == mark:
            return True
        if board[0][i] == board[1][i] == board[2][i] == mark:
            return True
    if board[0][0] == board[1][1] == board[2][2] == mark:
        return True
    return board[0][2] == board[1][1] == board[2][0] == mark


def get_moves(board):
    return [(r, c) for r in range(3) for c in range(3) if board[r][c] == EMPTY]


def minimax(board, depth, maximizing):
    if check_win(board, "O"):
        return 10 - depth
    if check_win(board, "X"):
        return depth - 10
    moves = get_moves(board)
    if not moves:
        return 0
    scores = []
    for r, c in moves:
        new_board = copy.deepcopy(board)
        new_board[r][c] = "O" if maximizing else "X"
        scores.append(minimax(new_board, depth + 1, not maximizing))
    return max(scores) if maximizing else min(scores)


def computer_move(board):
    best_score, best = -100, None
    for r, c in get_moves(board):
        new_board = copy.deepcopy(board)
        new_board[r][c] = "O"
        score = minimax(new_board, 0, False)
        if score > best_score:
            best_score, best = score, (r, c)
    board[best[0]][best[1]] = "O"


def print_board(board):
    print("\n-----\n".join("|".join(row) for row in board))


def player_move(board):
    while True:
        try:
            move = int(input("Enter your move (1-9): ")) - 1
        except ValueError:
            print("Please enter a number.")
            continue
        if move < 0 or move > 8:
            print("The number must be between 1 and 9.")
        elif board[move // 3][move % 3] != EMPTY:
            print("That spot is taken!")
        else:
            board[move // 3][move % 3] = "X"
            return


def game():
    board = [[EMPTY] * 3 for _ in range(3)]
    print_board(board)
    while True:
        player_move(board)
        print_board(board)
        if check_win(board, "X"):
            print("You win!")
            return
        if not get_moves(board):
            print("It's a tie!")
            return
        print("Computer's turn:")
        computer_move(board)
        print_board(board)
        if check_win(board, "O"):
            print("You lost!")
            return


game()
while input("Play again? (y/n) ").lower() == "y":
    game()
print("Thanks for playing.")
