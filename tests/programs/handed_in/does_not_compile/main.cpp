// Tic-tac-toe: a semicolon is missing in print().
#include <iostream>
#include <string>
using namespace std;

string b = "_________";

bool wins(char m) {
    string lines[] = {"012", "345", "678", "036", "147", "258", "048", "246"};
    for (string &l : lines)
        if (b[l[0] - '0'] == m && b[l[1] - '0'] == m && b[l[2] - '0'] == m) return true;
    return false;
}

bool full() { return b.find('_') == string::npos; }

int value(bool x) {
    if (wins('X')) return 1;
    if (wins('O')) return -1;
    if (full()) return 0;
    int best = x ? -1 : 1;
    for (char &c : b) {
        if (c != '_') continue;
        c = x ? 'X' : 'O';
        int v = value(!x);
        c = '_';
        best = x ? max(best, v) : min(best, v);
    }
    return best;
}

void print() {
    cout << b.substr(0, 3) << endl;
    cout << b.substr(3, 3) << endl
    cout << b.substr(6, 3) << endl;
}

int main() {
    while (true) {
        int best = -2, move = 0;
        for (int i = 0; i < 9; i++) {
            if (b[i] != '_') continue;
            b[i] = 'X';
            int v = value(false);
            b[i] = '_';
            if (v > best) { best = v; move = i; }
        }
        b[move] = 'X';
        print();
        if (wins('X') || full()) break;
        string s;
        do cout << "Your move (1-9): ";
        while (getline(cin, s) && (s.size() != 1 || s < "1" || s > "9" || b[s[0] - '1'] != '_'));
        if (!cin) return 0;
        b[s[0] - '1'] = 'O';
        print();
        if (wins('O')) break;
    }
    cout << (wins('X') ? "X wins" : wins('O') ? "O wins" : "Tie") << endl;
}
