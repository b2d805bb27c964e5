// A right player that talks as MANNER says, a line for each of its programs in manners.py; ask() is its way of reading a line.
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const known = new Map();
const winner = (b) => (LINES.find(([i, j, k]) => b[i] !== " " && b[i] === b[j] && b[j] === b[k]) || []).map((i) => b[i])[0];
const other = (side) => (side === "X" ? "O" : "X");
const put = (b, cell, side) => b.slice(0, cell) + side + b.slice(cell + 1);
const free = (b) => [...b].map((sign, cell) => (sign === " " ? cell : -1)).filter((cell) => cell >= 0);

function value(b, side) {
  if (winner(b)) return [-1, -1];
  if (!free(b).length) return [0, -1];
  if (!known.has(b)) {
    let best = [-2, -1];
    for (const cell of free(b)) {
      const found = -value(put(b, cell, side), other(side))[0];
      if (found > best[0]) best = [found, cell];
    }
    known.set(b, best);
  }
  return known.get(b);
}

function show(b) {
  let cell = 0;
  console.log(MANNER.board.replace(/\{\}/g, () => {
    const sign = b[cell++];
    return sign === " " ? (MANNER.empty === "#1" ? String(cell) : " ") : MANNER.small ? sign.toLowerCase() : sign;
  }));
}

async function play() {
  let you = MANNER.you || "X", first = MANNER.first || "you", smart = true;
  for (const question of MANNER.setup || []) {
    let effect;
    while (!(effect = question.takes[(await ask(question.ask)).trim()])) console.log("That is no answer.");
    you = effect.you || you;
    smart = effect.level !== "random";
  }
  if (first === "chance") first = Math.random() < 0.5 ? "me" : "you";
  let b = " ".repeat(9), mine = first === "me";
  console.log(MANNER.welcome || "");
  if (!mine) show(b);
  while (!winner(b) && free(b).length) {
    let cell;
    if (mine) {
      cell = smart ? value(b, other(you))[1] : free(b)[0];
      if (MANNER.trace) console.log(free(b).join("\n"));
    } else {
      for (;;) {
        cell = MANNER.squares.indexOf((await ask(MANNER.ask)).trim());
        if (cell >= 0 && b[cell] === " ") break;
        console.log("Please try once more.");
      }
    }
    b = put(b, cell, mine ? other(you) : you);
    mine = !mine;
    show(b);
  }
  const champion = winner(b);
  console.log(MANNER.says[champion === undefined ? "tie" : champion === you ? "you" : "me"]);
  if (MANNER.again) await ask(MANNER.again);
  process.exit(0);
}

play();
