// Tic-tac-toe: row and column from 1 to 3 on one line, with numbers beside the board; the user starts.
import java.util.Scanner;

public class Game {
    private final char[][] grid = {{' ', ' ', ' '}, {' ', ' ', ' '}, {' ', ' ', ' '}};
    private final Scanner scanner = new Scanner(System.in);

    private boolean wins(char m) {
        for (int i = 0; i < 3; i++) {
            if (grid[i][0] == m && grid[i][1] == m && grid[i][2] == m) return true;
            if (grid[0][i] == m && grid[1][i] == m && grid[2][i] == m) return true;
        }
        return grid[1][1] == m && (grid[0][0] == m && grid[2][2] == m || grid[0][2] == m && grid[2][0] == m);
    }

    private boolean full() {
        for (char[] row : grid) for (char cell : row) if (cell == ' ') return false;
        return true;
    }

    private int alphaBeta(boolean computer, int alpha, int beta) {
        if (wins('O')) return 1;
        if (wins('X')) return -1;
        if (full()) return 0;
        for (int i = 0; i < 9 && alpha < beta; i++) {
            if (grid[i / 3][i % 3] != ' ') continue;
            grid[i / 3][i % 3] = computer ? 'O' : 'X';
            int v = alphaBeta(!computer, alpha, beta);
            grid[i / 3][i % 3] = ' ';
            if (computer) alpha = Math.max(alpha, v);
            else beta = Math.min(beta, v);
        }
        return computer ? alpha : beta;
    }

    private void computerMove() {
        int best = -2, square = -1;
        for (int i = 8; i >= 0; i--) {
            if (grid[i / 3][i % 3] != ' ') continue;
            grid[i / 3][i % 3] = 'O';
            int v = alphaBeta(false, -1, 1);
            grid[i / 3][i % 3] = ' ';
            if (v > best) { best = v; square = i; }
        }
        grid[square / 3][square % 3] = 'O';
    }

    private int number() {
        while (!scanner.hasNextInt()) {
            scanner.next();
            System.out.println("Numbers only!");
        }
        return scanner.nextInt();
    }

    private void userMove() {
        while (true) {
            System.out.print("Row and column (for example 1 3): ");
            int row = number(), col = number();
            if (row < 1 || row > 3 || col < 1 || col > 3) System.out.println("Both must be between 1 and 3.");
            else if (grid[row - 1][col - 1] != ' ') System.out.println("This place is occupied.");
            else { grid[row - 1][col - 1] = 'X'; return; }
        }
    }

    private void show() {
        System.out.println("    1   2   3");
        for (int r = 0; r < 3; r++) {
            System.out.println((r + 1) + "   " + grid[r][0] + " | " + grid[r][1] + " | " + grid[r][2]);
            if (r < 2) System.out.println("   ---+---+---");
        }
    }

    private void play() {
        while (true) {
            show();
            userMove();
            if (wins('X')) { System.out.println("You have won!"); break; }
            if (full()) { System.out.println("It ends in a draw."); break; }
            computerMove();
            if (wins('O')) { System.out.println("The computer has won!"); break; }
        }
        System.out.println("Final board:");
        show();
    }

    public static void main(String[] args) {
        new Game().play();
    }
}
