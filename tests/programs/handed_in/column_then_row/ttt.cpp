// Tic-tac-toe: asks for x (the column), then y (the row), from 0; marks are X and 0; a new game follows at once.
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>
using namespace std;

struct Board {
    char at[3][3];
    Board() { for (auto &row : at) for (char &c : row) c = '.'; }
    bool wins(char m) const {
        for (int i = 0; i < 3; i++) {
            if (at[i][0] == m && at[i][1] == m && at[i][2] == m) return true;
            if (at[0][i] == m && at[1][i] == m && at[2][i] == m) return true;
        }
        return at[1][1] == m && ((at[0][0] == m && at[2][2] == m) || (at[0][2] == m && at[2][0] == m));
    }
    bool full() const {
        for (auto &row : at) for (char c : row) if (c == '.') return false;
        return true;
    }
    void print() const {
        cout << endl;
        for (auto &row : at) {
            for (char c : row) cout << setw(3) << c;
            cout << endl;
        }
        cout << endl;
    }
};

int minimax(Board b, char turn) {
    if (b.wins('0')) return 1;
    if (b.wins('X')) return -1;
    if (b.full()) return 0;
    int best = turn == '0' ? -1 : 1;
    for (int i = 0; i < 9; i++) {
        if (b.at[i / 3][i % 3] != '.') continue;
        Board next = b;
        next.at[i / 3][i % 3] = turn;
        int v = minimax(next, turn == '0' ? 'X' : '0');
        best = turn == '0' ? max(best, v) : min(best, v);
    }
    return best;
}

void answer(Board &b) {
    int best = -2;
    Board chosen;
    for (int i = 0; i < 9; i++) {
        if (b.at[i / 3][i % 3] != '.') continue;
        Board next = b;
        next.at[i / 3][i % 3] = '0';
        int v = minimax(next, 'X');
        if (v > best) { best = v; chosen = next; }
    }
    b = chosen;
}

int ask(const string &name) {
    string s;
    while (true) {
        cout << name << " = ";
        if (!getline(cin, s)) { cout << endl; exit(0); }
        if (s == "0" || s == "1" || s == "2") return s[0] - '0';
        cout << "0, 1 or 2 only" << endl;
    }
}

bool over(const Board &b) {
    if (b.wins('X')) cout << "You win." << endl;
    else if (b.wins('0')) cout << "You lose." << endl;
    else if (b.full()) cout << "It is a tie." << endl;
    else return false;
    return true;
}

int main() {
    while (true) {
        Board b;
        cout << "*** New game ***" << endl;
        b.print();
        while (true) {
            int x = ask("x"), y = ask("y");
            if (b.at[y][x] != '.') { cout << "Not empty, again" << endl; continue; }
            b.at[y][x] = 'X';
            b.print();
            if (over(b)) break;
            answer(b);
            b.print();
            if (over(b)) break;
        }
    }
}
