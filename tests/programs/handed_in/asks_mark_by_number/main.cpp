// Tic-tac-toe: the mark is chosen by number, 1 for X and 2 for O; player 1 starts.
#include <cstdlib>
#include <iostream>
#include <limits>
using namespace std;

const int EMPTY = 0;
int board[9];
int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

int winner() {
    for (auto &l : lines)
        if (board[l[0]] != EMPTY && board[l[0]] == board[l[1]] && board[l[1]] == board[l[2]]) return board[l[0]];
    return 0;
}

bool full() {
    for (int cell : board)
        if (cell == EMPTY) return false;
    return true;
}

// negamax: how good is the board for the player who is to move
int negamax(int player) {
    if (winner()) return -1;
    if (full()) return 0;
    int best = -2;
    for (int i = 0; i < 9; i++) {
        if (board[i] != EMPTY) continue;
        board[i] = player;
        best = max(best, -negamax(3 - player));
        board[i] = EMPTY;
    }
    return best;
}

int bestMove(int player) {
    int best = -2, move = -1;
    for (int i = 0; i < 9; i++) {
        if (board[i] != EMPTY) continue;
        board[i] = player;
        int v = -negamax(3 - player);
        board[i] = EMPTY;
        if (v > best) { best = v; move = i; }
    }
    return move;
}

void print() {
    const char signs[] = {' ', 'X', 'O'};
    cout << "+---+---+---+" << endl;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) cout << "| " << signs[board[3 * r + c]] << " ";
        cout << "|" << endl << "+---+---+---+" << endl;
    }
}

int readNumber(const char *question) {
    int n;
    while (true) {
        cout << question << endl;
        if (cin >> n) return n;
        if (cin.eof()) { cout << "No more input." << endl; exit(0); }
        cin.clear();
        cin.ignore(numeric_limits<streamsize>::max(), '\n');
        cout << "That is not a number." << endl;
    }
}

int main() {
    int user = 0;
    while (user != 1 && user != 2) user = readNumber("Play as 1) X or 2) O ?");
    print();
    for (int player = 1;; player = 3 - player) {
        if (player == user) {
            int n = readNumber("Your turn, enter a position from 1 to 9:");
            while (n < 1 || n > 9 || board[n - 1] != EMPTY) n = readNumber("Invalid position! Enter a free position from 1 to 9:");
            board[n - 1] = player;
        } else {
            board[bestMove(player)] = player;
            cout << "The computer has moved:" << endl;
        }
        print();
        if (winner()) { cout << "Player " << player << " wins!" << endl; return 0; }
        if (full()) { cout << "It's a tie!" << endl; return 0; }
    }
}
