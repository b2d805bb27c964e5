// Tic-tac-toe with players A and B: row and column on one line, counted from 0; A is the user and starts.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

vector<string> board(3, "___");

bool won(char p) {
    for (int i = 0; i < 3; i++) {
        if (board[i][0] == p && board[i][1] == p && board[i][2] == p) return true;
        if (board[0][i] == p && board[1][i] == p && board[2][i] == p) return true;
    }
    return board[1][1] == p && ((board[0][0] == p && board[2][2] == p) || (board[0][2] == p && board[2][0] == p));
}

bool full() {
    for (string &row : board)
        if (row.find('_') != string::npos) return false;
    return true;
}

int best(bool computer, int &row, int &col) {
    if (won('B')) return 1;
    if (won('A')) return -1;
    if (full()) return 0;
    int value = computer ? -2 : 2, r, c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (board[i][j] != '_') continue;
            board[i][j] = computer ? 'B' : 'A';
            int v = best(!computer, r, c);
            board[i][j] = '_';
            if (computer ? v > value : v < value) { value = v; row = i; col = j; }
        }
    return value;
}

void print() {
    for (string &row : board) cout << row[0] << "\t" << row[1] << "\t" << row[2] << "\n";
    cout << endl;
}

bool over() {
    if (won('A')) cout << "Player A wins!" << endl;
    else if (won('B')) cout << "Player B wins!" << endl;
    else if (full()) cout << "No one won." << endl;
    else return false;
    return true;
}

int main() {
    int r, c;
    print();
    do {
        while (true) {
            cout << "Enter row and column: ";
            if (!(cin >> r >> c)) {
                if (cin.eof()) return 0;
                cin.clear();
                cin.ignore(10000, '\n');
                cout << "Two numbers please!" << endl;
            } else if (board.at(r).at(c) != '_') {
                cout << "Already taken!" << endl;
            } else break;
        }
        board[r][c] = 'A';
        print();
        if (over()) break;
        best(true, r, c);
        board[r][c] = 'B';
        print();
    } while (!over());
    cout << "Press Enter to exit";
    cin.ignore(10000, '\n');
    cin.get();
}
