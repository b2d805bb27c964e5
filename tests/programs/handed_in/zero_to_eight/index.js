// Tic-tac-toe in Node: squares are numbered 0 to 8 and the user starts.
const readline = require("readline");

const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
const board = Array(9).fill("-");
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

function winner(b) {
  for (const [x, y, z] of LINES) {
    if (b[x] !== "-" && b[x] === b[y] && b[y] === b[z]) return b[x];
  }
  return null;
}

function free(b) {
  return [...b.keys()].filter((i) => b[i] === "-");
}

function minimax(b, player) {
  const won = winner(b);
  if (won) return { score: won === "O" ? 1 : -1 };
  if (free(b).length === 0) return { score: 0 };
  let best = { score: player === "O" ? -Infinity : Infinity };
  for (const i of free(b)) {
    b[i] = player;
    const { score } = minimax(b, player === "O" ? "X" : "O");
    b[i] = "-";
    if (player === "O" ? score > best.score : score < best.score) best = { score, index: i };
  }
  return best;
}

function show() {
  for (let r = 0; r < 9; r += 3) console.log(board.slice(r, r + 3).join(" | "));
  console.log("");
}

function finished() {
  const won = winner(board);
  if (!won && free(board).length > 0) return false;
  if (won === "X") console.log("Congratulations, you win!");
  else if (won === "O") console.log("The computer wins. You lose.");
  else console.log("Tie game.");
  rl.close();
  return true;
}

function turn() {
  rl.question("Pick a square: ", (answer) => {
    const n = Number(answer);
    if (answer.trim() === "" || !Number.isInteger(n) || n < 0 || n > 8) {
      console.log("Only the numbers shown above count.");
      return turn();
    }
    if (board[n] !== "-") {
      console.log("Square " + n + " is taken.");
      return turn();
    }
    board[n] = "X";
    show();
    if (finished()) return;
    board[minimax(board, "O").index] = "O";
    console.log("Computer:");
    show();
    if (!finished()) turn();
  });
}

rl.on("close", () => process.exit(0));
console.log("The squares are numbered like this:");
console.log("0 | 1 | 2\n3 | 4 | 5\n6 | 7 | 8\n");
turn();
