// Tic-tac-toe in small letters: a free square shows its number; the computer is x and goes first.
#include <cstdlib>
#include <iostream>
#include <string>
using namespace std;

char sq[10] = {'#', '1', '2', '3', '4', '5', '6', '7', '8', '9'};

bool isFree(int i) { return sq[i] != 'x' && sq[i] != 'o'; }

// 1 x has won, -1 o has won, 0 draw, 2 still running
int status() {
    static const int l[8][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}};
    for (auto &k : l)
        if (sq[k[0]] == sq[k[1]] && sq[k[1]] == sq[k[2]]) return sq[k[0]] == 'x' ? 1 : -1;
    for (int i = 1; i < 10; i++)
        if (isFree(i)) return 2;
    return 0;
}

int minimax(bool x) {
    int s = status();
    if (s != 2) return s;
    int best = x ? -2 : 2;
    for (int i = 1; i < 10; i++) {
        if (!isFree(i)) continue;
        char old = sq[i];
        sq[i] = x ? 'x' : 'o';
        int v = minimax(!x);
        sq[i] = old;
        if (x ? v > best : v < best) best = v;
    }
    return best;
}

void board() {
    system("cls");
    cout << "\n\tTic Tac Toe\n\nComputer (x)  -  You (o)\n" << endl;
    for (int i = 1; i < 10; i += 3) {
        cout << "     |     |     " << endl;
        cout << "  " << sq[i] << "  |  " << sq[i + 1] << "  |  " << sq[i + 2] << endl;
        cout << (i < 7 ? "_____|_____|_____" : "     |     |     ") << endl;
    }
    cout << endl;
}

int main() {
    cout << "The squares have these numbers:" << endl;
    cout << "1 2 3\n4 5 6\n7 8 9" << endl;
    while (true) {
        int best = -2, move = 0;
        for (int i = 1; i < 10; i++) {
            if (!isFree(i)) continue;
            char old = sq[i];
            sq[i] = 'x';
            int v = minimax(false);
            sq[i] = old;
            if (v > best) { best = v; move = i; }
        }
        sq[move] = 'x';
        board();
        if (status() != 2) break;
        string text;
        while (true) {
            cout << "Enter a number:  ";
            if (!getline(cin, text)) { cout << endl; return 0; }
            if (text.size() == 1 && text[0] >= '1' && text[0] <= '9' && isFree(text[0] - '0')) break;
            cout << "Invalid move " << endl;
        }
        sq[text[0] - '0'] = 'o';
        board();
        if (status() != 2) break;
    }
    if (status() == 1) cout << "==> The computer wins";
    else if (status() == -1) cout << "==> You win";
    else cout << "==> Game draw";
    cout << endl;
}
