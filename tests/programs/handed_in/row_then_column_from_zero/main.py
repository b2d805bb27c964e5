# Tic-tac-toe: asks for the row, then for the column, 0 to 2; prints the lists as they are.
board = [[" ", " ", " "], [" ", " ", " "], [" ", " ", " "]]
HUMAN, AI = "X", "O"


def show():
    for row in board:
        print(row)


def lines():
    for i in range(3):
        yield board[i]
        yield [board[0][i], board[1][i], board[2][i]]
    yield [board[0][0], board[1][1], board[2][2]]
    yield [board[0][2], board[1][1], board[2][0]]


def wins(mark):
    return any(line == [mark, mark, mark] for line in lines())


def free():
    return [(r, c) for r in (0, 1, 2) for c in (0, 1, 2) if board[r][c] == " "]


def alphabeta(mark, alpha, beta):
    if wins(AI):
        return 1
    if wins(HUMAN):
        return -1
    if not free():
        return 0
    for r, c in free():
        board[r][c] = mark
        value = alphabeta(HUMAN if mark == AI else AI, alpha, beta)
        board[r][c] = " "
        if mark == AI:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if mark == AI else beta


def ai_move():
    scored = []
    for r, c in free():
        board[r][c] = AI
        scored.append((alphabeta(HUMAN, -1, 1), -r, -c))
        board[r][c] = " "
    value, r, c = max(scored)
    board[-r][-c] = AI


while True:
    show()
    row = int(input("Row (0-2): "))
    col = int(input("Column (0-2): "))
    if board[row][col] != " ":
        print("Cell is not empty!")
        continue
    board[row][col] = HUMAN
    if wins(HUMAN):
        show()
        print("Human wins")
        break
    if not free():
        show()
        print("Tie")
        break
    ai_move()
    if wins(AI):
        show()
        print("AI wins")
        break
