// Tic-tac-toe: minimax is cut off after two moves, so that forks are seen too late.
import java.util.NoSuchElementException;
import java.util.Scanner;

public class TicTacToe {
    static final int DEPTH = 2;
    static char[] b = "         ".toCharArray();
    static int[][] wins = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

    static boolean won(char p) {
        for (int[] w : wins) if (b[w[0]] == p && b[w[1]] == p && b[w[2]] == p) return true;
        return false;
    }

    static boolean full() {
        return new String(b).indexOf(' ') < 0;
    }

    static int minimax(int depth, boolean computer) {
        if (won('O')) return 10 + depth;
        if (won('X')) return -10 - depth;
        if (full() || depth == 0) return 0;
        int best = computer ? -1000 : 1000;
        for (int i = 0; i < 9; i++) {
            if (b[i] != ' ') continue;
            b[i] = computer ? 'O' : 'X';
            int v = minimax(depth - 1, !computer);
            b[i] = ' ';
            best = computer ? Math.max(best, v) : Math.min(best, v);
        }
        return best;
    }

    static void computer() {
        int best = -1000, move = 0;
        for (int i = 0; i < 9; i++) {
            if (b[i] != ' ') continue;
            b[i] = 'O';
            int v = minimax(DEPTH - 1, false);
            b[i] = ' ';
            if (v > best) { best = v; move = i; }
        }
        b[move] = 'O';
    }

    static void help() {
        System.out.println("Squares are numbered 1 to 9 from the top left. After the moves 1, 5 and 3 the board is");
        System.out.println(" X |   | X");
        System.out.println("---+---+---");
        System.out.println("   | O |  ");
        System.out.println("---+---+---");
        System.out.println("   |   |  ");
        System.out.println("You are X and start.");
    }

    static void show() {
        System.out.println();
        for (int i = 0; i < 9; i += 3) {
            System.out.println(" " + b[i] + " | " + b[i + 1] + " | " + b[i + 2]);
            if (i < 6) System.out.println("---+---+---");
        }
        System.out.println();
    }

    static void user(Scanner in) {
        while (true) {
            System.out.print("Move: ");
            String s = in.nextLine().trim();
            if (s.length() == 1 && "123456789".contains(s) && b[s.charAt(0) - '1'] == ' ') {
                b[s.charAt(0) - '1'] = 'X';
                return;
            }
            System.out.println("Illegal move.");
        }
    }

    public static void main(String[] args) {
        help();
        show();
        try (Scanner in = new Scanner(System.in)) {
            while (true) {
                user(in);
                show();
                if (won('X')) { System.out.println("The winner is: Human!"); return; }
                if (full()) { System.out.println("It's a tie."); return; }
                computer();
                show();
                if (won('O')) { System.out.println("The winner is: Computer!"); return; }
            }
        } catch (NoSuchElementException e) {
            System.out.println("\nGame cancelled.");
        }
    }
}
