// Tic-tac-toe: the user chooses the mark but always moves first.
#include <algorithm>
#include <iostream>
#include <string>
using namespace std;

string b = "---------";
char user, computer;

bool won(char m) {
    for (int i = 0; i < 3; i++) {
        if (b[3 * i] == m && b[3 * i + 1] == m && b[3 * i + 2] == m) return true;
        if (b[i] == m && b[i + 3] == m && b[i + 6] == m) return true;
    }
    return b[4] == m && ((b[0] == m && b[8] == m) || (b[2] == m && b[6] == m));
}

bool full() { return b.find('-') == string::npos; }

int minimax(char turn, int depth) {
    if (won(computer)) return 10 - depth;
    if (won(user)) return depth - 10;
    if (full()) return 0;
    int best = turn == computer ? -100 : 100;
    for (char &c : b) {
        if (c != '-') continue;
        c = turn;
        int v = minimax(turn == computer ? user : computer, depth + 1);
        c = '-';
        best = turn == computer ? max(best, v) : min(best, v);
    }
    return best;
}

void computerTurn() {
    int best = -100, where = 0;
    for (int i = 0; i < 9; i++) {
        if (b[i] != '-') continue;
        b[i] = computer;
        int v = minimax(user, 0);
        b[i] = '-';
        if (v > best) { best = v; where = i; }
    }
    b[where] = computer;
}

void show() {
    for (int i = 0; i < 9; i += 3) cout << " | " << b[i] << " | " << b[i + 1] << " | " << b[i + 2] << " |" << endl;
    cout << endl;
}

int main() {
    string s;
    while (s != "X" && s != "O") {
        cout << "Choose your symbol (X/O): ";
        if (!getline(cin, s)) return 0;
        transform(s.begin(), s.end(), s.begin(), ::toupper);
    }
    user = s[0];
    computer = user == 'X' ? 'O' : 'X';
    cout << "You move first." << endl;
    show();
    while (true) {
        cout << "Your turn (1-9): ";
        if (!getline(cin, s)) { cout << endl; return 0; }
        if (s.size() != 1 || s[0] < '1' || s[0] > '9' || b[s[0] - '1'] != '-') {
            cout << "Wrong move!" << endl;
            continue;
        }
        b[s[0] - '1'] = user;
        show();
        if (won(user)) { cout << "You have won!" << endl; return 0; }
        if (full()) { cout << "It is a draw!" << endl; return 0; }
        computerTurn();
        cout << "Computer's turn:" << endl;
        show();
        if (won(computer)) { cout << "Computer has won!" << endl; return 0; }
    }
}
