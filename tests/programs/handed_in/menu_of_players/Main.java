// Tic-tac-toe with a menu: two people, one person against the computer, or the computer alone.
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

public class Main {
    static Scanner scanner = new Scanner(System.in);
    static Random random = new Random();

    public static void main(String[] args) {
        while (true) {
            System.out.println("===== TIC TAC TOE =====");
            System.out.println("1. Human vs Human");
            System.out.println("2. Human vs Computer");
            System.out.println("3. Computer vs Computer");
            System.out.println("4. Quit");
            System.out.print("Select an option: ");
            int option = scanner.nextInt();
            if (option == 4) return;
            if (option < 1 || option > 4) { System.out.println("Unknown option"); continue; }
            int level = 0;
            while (option != 1 && (level < 1 || level > 3)) {
                System.out.print("Difficulty (1 = easy, 2 = medium, 3 = hard): ");
                level = scanner.nextInt();
            }
            play(option != 3, option == 1, level);
        }
    }

    static void play(boolean humanX, boolean humanO, int level) {
        Board board = new Board();
        char mark = 'X';
        board.print();
        while (!board.wins('X') && !board.wins('O') && !board.moves().isEmpty()) {
            boolean human = mark == 'X' ? humanX : humanO;
            board.cells[human ? ask(board, mark) : choose(board, mark, level)] = mark;
            board.print();
            mark = mark == 'X' ? 'O' : 'X';
        }
        if (board.wins('X')) System.out.println("Player X has won!");
        else if (board.wins('O')) System.out.println("Player O has won!");
        else System.out.println("It's a draw!");
        System.out.println();
    }

    static int ask(Board board, char mark) {
        while (true) {
            System.out.print("Player " + mark + ", enter a cell (1-9): ");
            int n = scanner.nextInt();
            if (n >= 1 && n <= 9 && board.cells[n - 1] == '.') return n - 1;
            System.out.println("You can't play there!");
        }
    }

    static int choose(Board board, char mark, int level) {
        List<Integer> moves = board.moves();
        if (level == 1 || (level == 2 && random.nextBoolean())) return moves.get(random.nextInt(moves.size()));
        int best = -2, chosen = -1;
        for (int m : moves) {
            board.cells[m] = mark;
            int value = -board.value(mark == 'X' ? 'O' : 'X');
            board.cells[m] = '.';
            if (value > best) { best = value; chosen = m; }
        }
        return chosen;
    }
}

class Board {
    char[] cells = ".........".toCharArray();

    boolean wins(char m) {
        String all = "012 345 678 036 147 258 048 246";
        for (String line : all.split(" "))
            if (cells[line.charAt(0) - '0'] == m && cells[line.charAt(1) - '0'] == m && cells[line.charAt(2) - '0'] == m) return true;
        return false;
    }

    List<Integer> moves() {
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < 9; i++) if (cells[i] == '.') free.add(i);
        return free;
    }

    int value(char mark) {
        char other = mark == 'X' ? 'O' : 'X';
        if (wins(other)) return -1;
        int best = moves().isEmpty() ? 0 : -1;
        for (int m : moves()) {
            cells[m] = mark;
            best = Math.max(best, -value(other));
            cells[m] = '.';
            if (best == 1) break;
        }
        return best;
    }

    void print() {
        System.out.println();
        for (int r = 0; r < 9; r += 3) System.out.printf("%4c%4c%4c%n", cells[r], cells[r + 1], cells[r + 2]);
        System.out.println();
    }
}
