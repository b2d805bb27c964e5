// Tic-tac-toe: squares are A1 to C3, where the letter is the row; the computer starts.
import java.util.Scanner;

public class Play {
    static String board = ".........";

    static boolean won(String b, char m) {
        int[][] lines = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
        for (int[] l : lines)
            if (b.charAt(l[0]) == m && b.charAt(l[1]) == m && b.charAt(l[2]) == m) return true;
        return false;
    }

    static String put(String b, int i, char m) {
        return b.substring(0, i) + m + b.substring(i + 1);
    }

    /** Value of the board for the player m who is to move. */
    static int value(String b, char m) {
        char other = m == 'X' ? 'O' : 'X';
        if (won(b, other)) return -1;
        if (b.indexOf('.') < 0) return 0;
        int best = -1;
        for (int i = 0; i < 9 && best < 1; i++)
            if (b.charAt(i) == '.') best = Math.max(best, -value(put(b, i, m), other));
        return best;
    }

    static void computer() {
        int best = -2, square = -1;
        for (int i = 0; i < 9; i++) {
            if (board.charAt(i) != '.') continue;
            int v = -value(put(board, i, 'X'), 'O');
            if (v > best) { best = v; square = i; }
        }
        board = put(board, square, 'X');
        System.out.println("Computer plays " + "ABC".charAt(square / 3) + (square % 3 + 1));
    }

    static boolean user(Scanner in) {
        while (true) {
            System.out.print("Your square, for example B3: ");
            if (!in.hasNextLine()) return false;
            String s = in.nextLine().trim().toUpperCase();
            int square = s.matches("[ABC][123]") ? 3 * (s.charAt(0) - 'A') + s.charAt(1) - '1' : -1;
            if (square < 0) System.out.println("A square is a letter A to C and a number 1 to 3.");
            else if (board.charAt(square) != '.') System.out.println(s + " is already used.");
            else { board = put(board, square, 'O'); return true; }
        }
    }

    static void show() {
        System.out.println("  1 2 3");
        for (int r = 0; r < 3; r++)
            System.out.println("ABC".charAt(r) + " " + String.join(" ", board.substring(3 * r, 3 * r + 3).split("")));
    }

    static boolean over() {
        if (won(board, 'X')) System.out.println("X wins!");
        else if (won(board, 'O')) System.out.println("O wins!");
        else if (board.indexOf('.') < 0) System.out.println("Tie!");
        else return false;
        return true;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (true) {
            computer();
            show();
            if (over()) return;
            if (!user(in)) return;
            show();
            if (over()) return;
        }
    }
}
