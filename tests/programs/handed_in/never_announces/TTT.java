// Tic-tac-toe: plays well and stops at the end, but never says who has won.
import java.util.Scanner;

public class TTT {
    private static final String[] LINES = {"012", "345", "678", "036", "147", "258", "048", "246"};
    private static final StringBuilder board = new StringBuilder("         ");

    private static boolean won(char mark) {
        for (String line : LINES) {
            int count = 0;
            for (char c : line.toCharArray()) if (board.charAt(c - '0') == mark) count++;
            if (count == 3) return true;
        }
        return false;
    }

    private static boolean over() {
        return won('X') || won('O') || board.indexOf(" ") < 0;
    }

    private static int value(char mark, int alpha, int beta) {
        if (won('X')) return 1;
        if (won('O')) return -1;
        if (over()) return 0;
        for (int i = 0; i < 9 && alpha < beta; i++) {
            if (board.charAt(i) != ' ') continue;
            board.setCharAt(i, mark);
            int v = value(mark == 'X' ? 'O' : 'X', alpha, beta);
            board.setCharAt(i, ' ');
            if (mark == 'X') alpha = Math.max(alpha, v);
            else beta = Math.min(beta, v);
        }
        return mark == 'X' ? alpha : beta;
    }

    private static void computer() {
        int best = -2, square = 0;
        for (int i = 0; i < 9; i++) {
            if (board.charAt(i) != ' ') continue;
            board.setCharAt(i, 'X');
            int v = value('O', -1, 1);
            board.setCharAt(i, ' ');
            if (v > best) { best = v; square = i; }
        }
        board.setCharAt(square, 'X');
    }

    private static void print() {
        for (int i = 0; i < 20; i++) System.out.println();
        System.out.println("  _________________");
        for (int r = 0; r < 9; r += 3) {
            System.out.println("  |     |     |     |");
            System.out.printf("  |  %c  |  %c  |  %c  |%n", board.charAt(r), board.charAt(r + 1), board.charAt(r + 2));
            System.out.println("  |_____|_____|_____|");
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        computer();
        print();
        while (!over()) {
            System.out.println("Please choose a square (1-9)");
            if (!in.hasNextLine()) return;
            String s = in.nextLine().trim();
            if (!s.matches("[1-9]") || board.charAt(s.charAt(0) - '1') != ' ') {
                System.out.println("You can not choose that.");
                continue;
            }
            board.setCharAt(s.charAt(0) - '1', 'O');
            if (!over()) computer();
            print();
        }
    }
}
