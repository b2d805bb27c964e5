/* A game against the submission: its moves are in the page, so nothing of it runs. */
(() => {
  const root = document.getElementById("play");
  if (!root) return;
  const grade = read("grade");
  const values = read("values");
  const numbers = Game.numbered();
  const cells = [...root.querySelectorAll("button.cell")];
  const said = root.querySelector(".said");
  const tally = root.querySelector(".tally");
  const coach = root.querySelector("[name=coach]");
  const undo = root.querySelector('[data-do="undo"]');
  const score = { won: 0, drawn: 0, lost: 0 };
  let past = [];
  let board = Game.START;
  let me = "X";
  let note = "";
  let ended = false;
  let counted = "";

  const value = (reached) => values[numbers.get(reached)];
  const verdict = (reached) => (value(reached) === "=" ? "draws" : (value(reached) === "X") === (me === "X") ? "wins" : "loses");
  const words = { wins: _("wins"), draws: _("draws"), loses: _("loses") };

  const finish = (how, sentence) => {
    ended = true;
    counted = how;
    score[how] += 1;
    note = sentence;
  };
  const judge = () => {
    const champion = Game.winner(board);
    if (champion) finish(champion === me ? "won" : "lost", champion === me ? _("You have won.") : _("The submission has won."));
    else if (Game.over(board)) finish("drawn", _("It is a tie."));
  };
  const answer = () => {
    const move = grade.policy[numbers.get(board)];
    if (move === ".") {
      ended = true;
      note = grade.sweep
        ? _("Its move is not known: it was not asked here.")
        : _("Its move is not known: this board was not seen in its games.");
      return;
    }
    if (move === "?") {
      const did = grade.instead[board] || grade.instead[""];
      finish("won", did ? _("Here {did}. You win.", { did }) : _("Here it gives no legal move. You win."));
      return;
    }
    board = Game.place(board, Number(move));
    note = _("The submission takes {cell}.", { cell: Game.NAMES[Number(move)] });
    judge();
  };
  const draw = () => {
    cells.forEach((cell, number) => {
      const isFree = board[number] === "." && !ended;
      const told = isFree && coach.checked ? verdict(Game.place(board, number)) : "";
      show(cell, board[number], told);
      if (told) {
        const tell = document.createElement("span");
        tell.className = "tell";
        tell.textContent = words[told];
        cell.append(tell);
      }
      const mark = board[number] === "." ? _("free") : board[number];
      cell.setAttribute("aria-label", `${Game.NAMES[number]}: ${mark}${told ? `, ${words[told]}` : ""}`);
      cell.disabled = !isFree;
    });
    said.textContent = [note, ended ? "" : _("Your turn.")].filter(Boolean).join(" ");
    undo.disabled = past.length === 0;
    tally.textContent = _("You: {won} won, {drawn} drawn, {lost} lost.", score);
  };
  const take = (cell) => {
    if (ended || board[cell] !== ".") return;
    past.push(board);
    board = Game.place(board, cell);
    note = "";
    judge();
    if (!ended) answer();
    draw();
  };
  const anew = () => {
    board = Game.START;
    past = [];
    note = "";
    ended = false;
    counted = "";
    me = root.querySelector("[name=side]:checked").value;
    if (me === "O") answer();
    draw();
  };
  cells.forEach((cell, number) => cell.addEventListener("click", () => take(number)));
  root.querySelectorAll("[name=side]").forEach((input) => input.addEventListener("change", anew));
  coach.addEventListener("change", draw);
  root.querySelector('[data-do="new"]').addEventListener("click", anew);
  undo.addEventListener("click", () => {
    if (counted) score[counted] -= 1;
    board = past.pop();
    ended = false;
    counted = "";
    note = _("Taken back.");
    draw();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input[type=search], textarea")) return;
    if (/^[1-9]$/.test(event.key)) take(Number(event.key) - 1);
  });
  anew();
})();
