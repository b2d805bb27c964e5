import java.util.*;

// Un joueur décidé : un texte en Latin-1, que javac ne lit pas comme UTF-8.
public class Latin {
    static final int[][] LINES = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

    static char winner(char[] b) {
        for (int[] l : LINES) if (b[l[0]] != ' ' && b[l[0]] == b[l[1]] && b[l[1]] == b[l[2]]) return b[l[0]];
        return ' ';
    }

    static boolean full(char[] b) {
        return new String(b).indexOf(' ') < 0;
    }

    static int[] best(char[] b, char side, int alpha, int beta) {
        if (winner(b) != ' ') return new int[] {-1, -1};
        if (full(b)) return new int[] {0, -1};
        int[] found = {-2, -1};
        for (int i = 0; i < 9 && alpha < beta; i++) {
            if (b[i] != ' ') continue;
            b[i] = side;
            int v = -best(b, side == 'X' ? 'O' : 'X', -beta, -alpha)[0];
            b[i] = ' ';
            if (v > found[0]) found = new int[] {v, i};
            alpha = Math.max(alpha, v);
        }
        return found;
    }

    static void show(char[] b) {
        for (int r = 0; r < 9; r += 3) {
            System.out.println(" " + b[r] + " | " + b[r + 1] + " | " + b[r + 2]);
            if (r < 6) System.out.println("- - - - - -");
        }
        System.out.println("Thought for " + System.nanoTime() % 9 + " ms.");
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        String mark = "";
        while (!mark.equals("X") && !mark.equals("O")) {
            System.out.print("Take X or O (X moves first!): ");
            mark = in.nextLine().trim().toUpperCase();
        }
        char you = mark.charAt(0), me = you == 'X' ? 'O' : 'X', side = 'X';
        char[] b = "         ".toCharArray();
        while (winner(b) == ' ' && !full(b)) {
            int cell = -1;
            if (side == me) cell = best(b, me, -2, 2)[1];
            while (cell < 0) {
                System.out.print("Your turn. Which cell (they are numbered 1 to 9)? ");
                int n = Integer.parseInt(in.nextLine().trim()) - 1;
                if (n >= 0 && n < 9 && b[n] == ' ') cell = n;
            }
            b[cell] = side;
            side = side == 'X' ? 'O' : 'X';
            show(b);
        }
        System.out.println(winner(b) == ' ' ? "Tie!" : "Player " + winner(b) + " wins!");
    }
}
