/* Tic-tac-toe: the computer is O but moves first; row and column are asked one after the other, 1 to 3. */
#include <stdio.h>
#include <stdlib.h>

char cell[3][3];

int line(char m) {
    int i;
    for (i = 0; i < 3; i++)
        if ((cell[i][0] == m && cell[i][1] == m && cell[i][2] == m) || (cell[0][i] == m && cell[1][i] == m && cell[2][i] == m)) return 1;
    return cell[1][1] == m && ((cell[0][0] == m && cell[2][2] == m) || (cell[0][2] == m && cell[2][0] == m));
}

int left(void) {
    int i, n = 0;
    for (i = 0; i < 9; i++) n += cell[i / 3][i % 3] == ' ';
    return n;
}

/* value for O; *where gets the best square */
int search(char m, int *where) {
    int i, v, w, best = m == 'O' ? -100 : 100;
    if (line('O')) return 1 + left();
    if (line('X')) return -1 - left();
    if (left() == 0) return 0;
    for (i = 0; i < 9; i++) {
        if (cell[i / 3][i % 3] != ' ') continue;
        cell[i / 3][i % 3] = m;
        v = search(m == 'O' ? 'X' : 'O', &w);
        cell[i / 3][i % 3] = ' ';
        if (m == 'O' ? v > best : v < best) { best = v; *where = i; }
    }
    return best;
}

void show(void) {
    int r;
    printf("\n");
    for (r = 0; r < 3; r++) printf("| %c || %c || %c |\n---------------\n", cell[r][0], cell[r][1], cell[r][2]);
}

int number(const char *what) {
    int n, got, c;
    for (;;) {
        printf("%s (1-3): ", what);
        got = scanf("%d", &n);
        if (got == EOF) { printf("\n"); exit(0); }
        if (got == 1 && n >= 1 && n <= 3) return n - 1;
        if (got == 0) while ((c = getchar()) != '\n' && c != EOF) ;
        printf("Type 1, 2 or 3.\n");
    }
}

int over(void) {
    if (line('X')) printf("Player X won the game\n");
    else if (line('O')) printf("Player O won the game\n");
    else if (left() == 0) printf("The game is drawn\n");
    else return 0;
    return 1;
}

int main(void) {
    int i, r, c;
    for (i = 0; i < 9; i++) cell[i / 3][i % 3] = ' ';
    printf("You are X, I am O and I begin.\n");
    for (;;) {
        search('O', &i);
        cell[i / 3][i % 3] = 'O';
        show();
        if (over()) return 0;
        for (;;) {
            r = number("Row");
            c = number("Column");
            if (cell[r][c] == ' ') break;
            printf("This one is used.\n");
        }
        cell[r][c] = 'X';
        show();
        if (over()) return 0;
    }
}
