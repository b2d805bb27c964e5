// Tic-tac-toe: a free square is shown as 0; after a letter the input stays broken and the question is repeated for ever.
#include <iostream>
using namespace std;

class TicTacToe {
    char cells[9];

public:
    TicTacToe() { for (char &c : cells) c = '0'; }

    bool wins(char m) {
        for (int i = 0; i < 3; i++) {
            if (cells[3 * i] == m && cells[3 * i + 1] == m && cells[3 * i + 2] == m) return true;
            if (cells[i] == m && cells[i + 3] == m && cells[i + 6] == m) return true;
        }
        return cells[4] == m && ((cells[0] == m && cells[8] == m) || (cells[2] == m && cells[6] == m));
    }

    bool full() {
        for (char c : cells) if (c == '0') return false;
        return true;
    }

    int minimax(bool computer, int alpha, int beta) {
        if (wins('X')) return 1;
        if (wins('O')) return -1;
        if (full()) return 0;
        for (char &c : cells) {
            if (c != '0') continue;
            c = computer ? 'X' : 'O';
            int v = minimax(!computer, alpha, beta);
            c = '0';
            if (computer) alpha = max(alpha, v); else beta = min(beta, v);
            if (alpha >= beta) break;
        }
        return computer ? alpha : beta;
    }

    void computerMove() {
        int best = -2;
        char *move = nullptr;
        for (char &c : cells) {
            if (c != '0') continue;
            c = 'X';
            int v = minimax(false, -1, 1);
            c = '0';
            if (v > best) { best = v; move = &c; }
        }
        *move = 'X';
    }

    void userMove() {
        int n = 0;
        cout << "Enter position (1-9): ";
        cin >> n;
        while (n < 1 || n > 9 || cells[n - 1] != '0') {
            cout << "Invalid move, try again" << endl;
            cout << "Enter position (1-9): ";
            cin >> n;
        }
        cells[n - 1] = 'O';
    }

    void print() {
        for (int i = 0; i < 9; i++) cout << cells[i] << (i % 3 == 2 ? "\n" : " ");
        cout << endl;
    }

    void play() {
        while (true) {
            computerMove();
            print();
            if (wins('X')) { cout << "Computer wins!" << endl; return; }
            if (full()) { cout << "Draw!" << endl; return; }
            userMove();
            print();
            if (wins('O')) { cout << "Player wins!" << endl; return; }
        }
    }
};

int main() {
    TicTacToe game;
    game.play();
}
