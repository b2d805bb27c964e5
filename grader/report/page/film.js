/* The game that beats the submission, move by move. */
(() => {
  const root = document.getElementById("film");
  if (!root) return;
  const { refutation: line, instead, sweep } = read("grade");
  const cells = [...root.querySelectorAll(".board.big > *")];
  const board = root.querySelector(".board");
  const said = root.querySelector(".said");
  const button = (name) => root.querySelector(`[data-do="${name}"]`);
  const last = line.boards.length - 1;
  let at = 0;
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    button("play").textContent = "Play";
  };
  const draw = () => {
    const text = line.boards[at].join("");
    const move = at ? line.moves[at - 1] : null;
    const cell = move ? 3 * move.row + move.column : -1;
    cells.forEach((one, number) => {
      show(one, text[number], number === cell ? (move.better ? "worst" : "new") : "");
    });
    const who = move ? (move.by === line.side ? "the submission" : "the opponent") : "";
    let words = move ? `Move ${at} of ${last}: ${move.by}, ${who}, takes ${Game.NAMES[cell]}.` : "The empty board.";
    if (move && move.better) {
      words += ` This gives the game away; ${move.better.map(([row, column]) => Game.NAMES[3 * row + column]).join(" or ")} would have held.`;
    }
    const did = (sweep && (instead[text] || instead[""])) || "it gives no legal move";
    if (at === last) words += Game.winner(text) ? ` ${Game.winner(text)} has won.` : ` There ${did}.`;
    said.textContent = words;
    board.setAttribute("aria-label", `Board after move ${at}`);
    for (const name of ["first", "back"]) button(name).disabled = at === 0;
    for (const name of ["forward", "last"]) button(name).disabled = at === last;
  };
  const go = (to) => {
    at = Math.max(0, Math.min(last, to));
    draw();
  };
  const steps = { first: () => go(0), back: () => go(at - 1), forward: () => go(at + 1), last: () => go(last) };
  for (const [name, step] of Object.entries(steps)) {
    button(name).addEventListener("click", () => {
      stop();
      step();
    });
  }
  button("play").addEventListener("click", () => {
    if (timer) {
      stop();
      return;
    }
    if (at === last) go(0);
    button("play").textContent = "Pause";
    timer = setInterval(() => {
      go(at + 1);
      if (at === last) stop();
    }, 900);
  });
  draw();
})();
