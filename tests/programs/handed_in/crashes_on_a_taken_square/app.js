// Tic-tac-toe: a square that is taken or not on the board throws an error that nobody catches.
const readline = require("readline");

class Board {
  constructor() {
    this.cells = Array(9).fill(" ");
  }

  put(square, mark) {
    if (this.cells[square] !== " ") throw new Error("illegal move: " + (square + 1));
    this.cells[square] = mark;
  }

  winner() {
    const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    for (const [a, b, c] of lines) {
      if (this.cells[a] !== " " && this.cells[a] === this.cells[b] && this.cells[b] === this.cells[c]) return this.cells[a];
    }
    return null;
  }

  free() {
    return [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((i) => this.cells[i] === " ");
  }

  value(mark, alpha, beta) {
    if (this.winner()) return this.winner() === "X" ? 1 : -1;
    for (const i of this.free()) {
      this.cells[i] = mark;
      const v = this.value(mark === "X" ? "O" : "X", alpha, beta);
      this.cells[i] = " ";
      if (mark === "X") alpha = Math.max(alpha, v);
      else beta = Math.min(beta, v);
      if (alpha >= beta) break;
    }
    if (this.free().length === 0) return 0;
    return mark === "X" ? alpha : beta;
  }

  best() {
    let best = -2;
    let square = -1;
    for (const i of this.free()) {
      this.cells[i] = "X";
      const v = this.value("O", -1, 1);
      this.cells[i] = " ";
      if (v > best) [best, square] = [v, i];
    }
    return square;
  }

  print() {
    const c = this.cells;
    console.log([0, 3, 6].map((r) => ` ${c[r]} | ${c[r + 1]} | ${c[r + 2]}`).join("\n---|---|---\n") + "\n");
  }
}

const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
const board = new Board();

function over() {
  if (board.winner()) console.log(board.winner() === "X" ? "I win!" : "You win!");
  else if (board.free().length === 0) console.log("Draw game!");
  else return false;
  rl.close();
  return true;
}

function round() {
  board.put(board.best(), "X");
  board.print();
  if (!over()) ask();
}

function ask() {
  rl.question("Your move (1-9): ", (text) => {
    if (!/^\d+$/.test(text)) return ask();
    board.put(Number(text) - 1, "O");
    board.print();
    if (!over()) round();
  });
}

rl.on("close", () => process.exit(0));
console.log("Welcome to TTT! My move is");
round();
