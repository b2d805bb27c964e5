/* Tic-tac-toe: nobody checks whether the user's square is still free. */
#include <stdio.h>

static char g[10] = "         ";
static const int w[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

int wins(char m) {
    int i;
    for (i = 0; i < 8; i++)
        if (g[w[i][0]] == m && g[w[i][1]] == m && g[w[i][2]] == m) return 1;
    return 0;
}

int full(void) {
    int i;
    for (i = 0; i < 9; i++)
        if (g[i] == ' ') return 0;
    return 1;
}

int negamax(char me, char you) {
    int i, v, best = -2;
    if (wins(you)) return -1;
    if (full()) return 0;
    for (i = 0; i < 9; i++)
        if (g[i] == ' ') {
            g[i] = me;
            v = -negamax(you, me);
            g[i] = ' ';
            if (v > best) best = v;
        }
    return best;
}

void think(void) {
    int i, v, best = -2, at = 0;
    for (i = 0; i < 9; i++)
        if (g[i] == ' ') {
            g[i] = 'X';
            v = -negamax('O', 'X');
            g[i] = ' ';
            if (v > best) { best = v; at = i; }
        }
    g[at] = 'X';
}

void show(void) {
    printf("\n %c | %c | %c\n %c | %c | %c\n %c | %c | %c\n\n", g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8]);
}

int main(void) {
    char line[80];
    int n;
    printf("Tic tac toe. You are O. Type the number of a square, 1 to 9, when it is your turn.\n");
    for (;;) {
        think();
        show();
        if (wins('X') || full()) break;
        for (;;) {
            if (!fgets(line, sizeof line, stdin)) return 0;
            if (sscanf(line, "%d", &n) == 1 && n >= 1 && n <= 9) break;
            printf("Only the numbers 1 to 9.\n");
        }
        g[n - 1] = 'O';
        show();
        if (wins('O') || full()) break;
    }
    printf(wins('X') ? "X won.\n" : wins('O') ? "O won.\n" : "Nobody won.\n");
    return 0;
}
