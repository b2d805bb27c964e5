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
    button("play").textContent = _("Play");
  };
  const draw = () => {
    const text = line.boards[at].join("");
    const move = at ? line.moves[at - 1] : null;
    const cell = move ? 3 * move.row + move.column : -1;
    cells.forEach((element, number) => {
      show(element, text[number], number === cell ? (move.better ? "worst" : "new") : "");
    });
    const about = move && { at, last, mark: move.by, cell: Game.NAMES[cell] };
    const words = [];
    if (!move) words.push(_("The empty board."));
    else if (move.by === line.side) words.push(_("Move {at} of {last}: {mark}, the submission, takes {cell}.", about));
    else words.push(_("Move {at} of {last}: {mark}, the opponent, takes {cell}.", about));
    if (move && move.better) {
      const names = move.better.map(([row, column]) => Game.NAMES[3 * row + column]);
      const cells = names.reduce((names, last) => _("{names} or {last}", { names, last }));
      words.push(_("This gives the game away; {cells} would have held.", { cells }));
    }
    const did = sweep && (instead[text] || instead[""]);
    if (at === last) {
      const winner = Game.winner(text);
      if (winner) words.push(_("{mark} has won.", { mark: winner }));
      else words.push(did ? _("There {did}.", { did }) : _("There it gives no legal move."));
    }
    said.textContent = words.join(" ");
    board.setAttribute("aria-label", _("Board after move {at}", { at }));
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
    button("play").textContent = _("Pause");
    timer = setInterval(() => {
      go(at + 1);
      if (at === last) stop();
    }, 900);
  });
  draw();
})();
