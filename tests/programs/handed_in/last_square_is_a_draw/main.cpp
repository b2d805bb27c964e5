// Tic-tac-toe: the full board is looked at before the three in a row, so a win on the last square is called a draw.
#include <cstdlib>
#include <iostream>
#include <string>
using namespace std;

string b(9, ' ');

bool wins(char m) {
    const int l[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (auto &k : l)
        if (b[k[0]] == m && b[k[1]] == m && b[k[2]] == m) return true;
    return false;
}

bool full() { return b.find(' ') == string::npos; }

int value(char turn) {
    if (wins('X')) return 1;
    if (wins('O')) return -1;
    if (full()) return 0;
    int best = turn == 'X' ? -2 : 2;
    for (char &c : b) {
        if (c != ' ') continue;
        c = turn;
        int v = value(turn == 'X' ? 'O' : 'X');
        c = ' ';
        best = turn == 'X' ? max(best, v) : min(best, v);
    }
    return best;
}

void computer() {
    int best = -2, move = 0;
    for (int i = 0; i < 9; i++) {
        if (b[i] != ' ') continue;
        b[i] = 'X';
        int v = value('O');
        b[i] = ' ';
        if (v > best) { best = v; move = i; }
    }
    b[move] = 'X';
}

void user() {
    string s;
    while (true) {
        cout << "Your move (1-9): ";
        if (!getline(cin, s)) { cout << "\nBye!" << endl; exit(0); }
        if (s.length() != 1 || s[0] < '1' || s[0] > '9') cout << "Invalid input.\n";
        else if (b[s[0] - '1'] != ' ') cout << "Square already taken.\n";
        else break;
    }
    b[s[0] - '1'] = 'O';
}

void print() {
    cout << "\n";
    for (int i = 0; i < 9; i += 3) cout << "  " << b[i] << "|" << b[i + 1] << "|" << b[i + 2] << "\n" << (i < 6 ? "  -+-+-\n" : "\n");
}

bool gameOver() {
    if (full()) { cout << "The game is a draw." << endl; return true; }
    if (wins('X')) { cout << "X wins the game." << endl; return true; }
    if (wins('O')) { cout << "O wins the game." << endl; return true; }
    return false;
}

int main() {
    cout << "I am X, you are O." << endl;
    while (true) {
        computer();
        print();
        if (gameOver()) break;
        user();
        print();
        if (gameOver()) break;
    }
}
