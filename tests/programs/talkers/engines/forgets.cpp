// Uses INT_MIN without its header, which older compilers forgave; clears the screen by a command of another system.
#include <cstdlib>
#include <ctime>
#include <iostream>
using namespace std;

char b[10] = "123456789";
int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

bool isfree(int i) { return b[i] != 'X' && b[i] != 'O'; }

char winner() {
    for (auto &l : lines) if (b[l[0]] == b[l[1]] && b[l[1]] == b[l[2]]) return b[l[0]];
    return 0;
}

bool full() {
    for (int i = 0; i < 9; i++) if (isfree(i)) return false;
    return true;
}

int best(char side, int &move, int depth) {
    if (winner()) return depth - 10;
    if (full()) return 0;
    int found = INT_MIN;
    for (int i = 0; i < 9; i++) {
        if (!isfree(i)) continue;
        int ignored = -1;
        b[i] = side;
        int value = -best(side == 'X' ? 'O' : 'X', ignored, depth + 1);
        b[i] = '1' + i;
        if (value > found) found = value, move = i;
    }
    return found;
}

void show() {
    system("cls");
    for (int r = 0; r < 9; r += 3) {
        cout << "     |     |     \n  " << b[r] << "  |  " << b[r + 1] << "  |  " << b[r + 2] << "\n";
        cout << (r < 6 ? "_____|_____|_____\n" : "     |     |     \n");
    }
}

int main() {
    srand(time(0));
    char side = 'O';
    int corners[] = {0, 2, 6, 8};
    if (rand() % 2) b[corners[rand() % 4]] = 'X';
    show();
    while (!winner() && !full()) {
        int move = -1;
        if (side == 'X') best('X', move, 0);
        while (side == 'O' && (move < 0 || move > 8 || !isfree(move))) {
            cout << "Player, a number please: ";
            cin >> move;
            move--;
        }
        b[move] = side;
        side = side == 'X' ? 'O' : 'X';
        show();
    }
    cout << (winner() == 'O' ? "You win!" : winner() ? "You lose." : "It's a tie.") << endl;
    cin.ignore();
    cin.get();
}
