// Tic-tac-toe: the user picks X or O (upper or lower case), X starts.
import java.util.Scanner;

public class TicTacToe {
    static char[] board = "_________".toCharArray();
    static Scanner in = new Scanner(System.in);
    static final int[][] LINES = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

    static boolean hasWon(char mark) {
        for (int[] l : LINES)
            if (board[l[0]] == mark && board[l[1]] == mark && board[l[2]] == mark) return true;
        return false;
    }

    static boolean isFull() {
        for (char c : board) if (c == '_') return false;
        return true;
    }

    static char other(char mark) {
        return mark == 'X' ? 'O' : 'X';
    }

    /** Value of the board for me when the given mark is to move; quicker wins count more. */
    static int minimax(char toMove, char me, int depth) {
        if (hasWon(me)) return 10 - depth;
        if (hasWon(other(me))) return depth - 10;
        if (isFull()) return 0;
        int best = toMove == me ? -100 : 100;
        for (int i = 0; i < 9; i++) {
            if (board[i] != '_') continue;
            board[i] = toMove;
            int value = minimax(other(toMove), me, depth + 1);
            board[i] = '_';
            best = toMove == me ? Math.max(best, value) : Math.min(best, value);
        }
        return best;
    }

    static void computerMove(char me) {
        int best = -100, move = -1;
        for (int i = 0; i < 9; i++) {
            if (board[i] != '_') continue;
            board[i] = me;
            int value = minimax(other(me), me, 1);
            board[i] = '_';
            if (value > best) { best = value; move = i; }
        }
        board[move] = me;
        System.out.println("My move is: " + (move + 1));
    }

    static String readLine() {
        if (!in.hasNextLine()) {
            System.out.println("\nBye.");
            System.exit(0);
        }
        return in.nextLine().trim();
    }

    static void userMove(char mark) {
        while (true) {
            System.out.print("Your move [1-9]: ");
            String s = readLine();
            if (!s.matches("[1-9]")) System.out.println("I need one number, 1 to 9 in row-major order.");
            else if (board[Integer.parseInt(s) - 1] != '_') System.out.println("Square " + s + " is already taken, try again.");
            else { board[Integer.parseInt(s) - 1] = mark; return; }
        }
    }

    static void show() {
        for (int r = 0; r < 9; r += 3) System.out.println("  " + board[r] + " " + board[r + 1] + " " + board[r + 2]);
        System.out.println();
    }

    public static void main(String[] args) {
        System.out.println("Welcome to TTT!");
        String s = "";
        while (!s.equals("X") && !s.equals("O")) {
            System.out.print("Do you want to be X or O? ");
            s = readLine().toUpperCase();
        }
        char user = s.charAt(0), turn = 'X';
        show();
        while (true) {
            if (turn == user) userMove(user);
            else computerMove(turn);
            show();
            if (hasWon(turn)) { System.out.println(turn + " is the winner!"); return; }
            if (isFull()) { System.out.println("The game is a draw."); return; }
            turn = other(turn);
        }
    }
}
