/* Tic-tac-toe: asks who starts, exactly 'Y' or 'N'; whoever starts is X. */
#include <stdio.h>
#include <stdlib.h>

char b[9] = {'-', '-', '-', '-', '-', '-', '-', '-', '-'};
char user, computer;

int won(char m) {
    int i;
    for (i = 0; i < 3; i++) {
        if (b[3 * i] == m && b[3 * i + 1] == m && b[3 * i + 2] == m) return 1;
        if (b[i] == m && b[i + 3] == m && b[i + 6] == m) return 1;
    }
    if (b[4] != m) return 0;
    return (b[0] == m && b[8] == m) || (b[2] == m && b[6] == m);
}

int full(void) {
    int i;
    for (i = 0; i < 9; i++)
        if (b[i] == '-') return 0;
    return 1;
}

int minimax(int mine) {
    int i, v, best = mine ? -2 : 2;
    if (won(computer)) return 1;
    if (won(user)) return -1;
    if (full()) return 0;
    for (i = 0; i < 9; i++) {
        if (b[i] != '-') continue;
        b[i] = mine ? computer : user;
        v = minimax(!mine);
        b[i] = '-';
        if (mine ? v > best : v < best) best = v;
    }
    return best;
}

void move_computer(void) {
    int i, v, best = -2, where = 0;
    for (i = 0; i < 9; i++) {
        if (b[i] != '-') continue;
        b[i] = computer;
        v = minimax(0);
        b[i] = '-';
        if (v > best) { best = v; where = i; }
    }
    b[where] = computer;
    printf("Computer plays %d\n", where + 1);
}

void move_user(void) {
    char line[100];
    int n;
    for (;;) {
        printf("Enter your move (1-9): ");
        if (!fgets(line, sizeof line, stdin)) { printf("\nGame stopped.\n"); exit(0); }
        if (sscanf(line, "%d", &n) != 1 || n < 1 || n > 9) { printf("Wrong input, please use 1-9\n"); continue; }
        if (b[n - 1] == '-') { b[n - 1] = user; return; }
        printf("Occupied! ");
    }
}

void show(void) {
    int i;
    for (i = 0; i < 9; i += 3) printf("\t%c %c %c\n", b[i], b[i + 1], b[i + 2]);
    printf("\n");
}

int main(void) {
    char line[100];
    int users_turn;
    printf("Would you like to start? Enter 'Y' or 'N': ");
    if (!fgets(line, sizeof line, stdin) || (line[0] != 'Y' && line[0] != 'N')) { printf("Invalid choice.\n"); return 0; }
    users_turn = line[0] == 'Y';
    user = users_turn ? 'X' : 'O';
    computer = users_turn ? 'O' : 'X';
    show();
    for (;;) {
        if (users_turn) move_user(); else move_computer();
        show();
        if (won(user)) { printf("You win!\n"); return 0; }
        if (won(computer)) { printf("Computer wins!\n"); return 0; }
        if (full()) { printf("Draw!\n"); return 0; }
        users_turn = !users_turn;
    }
}
