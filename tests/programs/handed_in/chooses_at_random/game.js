// Tic-tac-toe: the computer takes any free square.
const readline = require("readline");

const rl = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
const cells = Array(9).fill(" ");

function won(mark) {
  const has = (...squares) => squares.every((i) => cells[i] === mark);
  for (let i = 0; i < 3; i++) if (has(3 * i, 3 * i + 1, 3 * i + 2) || has(i, i + 3, i + 6)) return true;
  return has(0, 4, 8) || has(2, 4, 6);
}

function print() {
  console.log(" _ _ _ ");
  for (let r = 0; r < 9; r += 3) console.log("|" + cells.slice(r, r + 3).join("|") + "|");
  console.log("");
}

function over() {
  if (won("X")) console.log("Game over: X wins!");
  else if (won("O")) console.log("Game over: O wins!");
  else if (!cells.includes(" ")) console.log("Game over: nobody wins!");
  else return false;
  rl.close();
  return true;
}

function computer() {
  const free = cells.map((c, i) => i).filter((i) => cells[i] === " ");
  cells[free[Math.floor(Math.random() * free.length)]] = "X";
  print();
}

rl.on("line", (line) => {
  const square = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].indexOf(line.trim());
  if (square < 0) {
    console.log("Type a number from 1 to 9.");
  } else if (cells[square] !== " ") {
    console.log("This square is full.");
  } else {
    cells[square] = "O";
    print();
    if (over()) return;
    computer();
    if (over()) return;
  }
  rl.prompt();
});
rl.on("close", () => process.exit(0));

console.log("You are O. Squares are 1 to 9, left to right, top to bottom.");
computer();
rl.prompt();
