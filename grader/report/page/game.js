/* The rules, and every reachable board in the order of the published policy. */
const Game = (() => {
  const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  const NAMES = [
    pgettext("cell", "top left"), pgettext("cell", "top"), pgettext("cell", "top right"),
    pgettext("cell", "left"), pgettext("cell", "centre"), pgettext("cell", "right"),
    pgettext("cell", "bottom left"), pgettext("cell", "bottom"), pgettext("cell", "bottom right"),
  ];
  const START = ".........";
  const winner = (board) => {
    for (const [a, b, c] of LINES) {
      if (board[a] !== "." && board[a] === board[b] && board[b] === board[c]) return board[a];
    }
    return null;
  };
  const over = (board) => winner(board) !== null || !board.includes(".");
  const turn = (board) => (board.split("X").length === board.split("O").length ? "X" : "O");
  const place = (board, cell) => board.slice(0, cell) + turn(board) + board.slice(cell + 1);
  const free = (board) => [...board].flatMap((mark, cell) => (mark === "." ? [cell] : []));
  const numbered = () => {
    const numbers = new Map();
    let layer = [START];
    while (layer.length) {
      layer.sort();
      const next = new Set();
      for (const board of layer) {
        numbers.set(board, numbers.size);
        if (!over(board)) for (const cell of free(board)) next.add(place(board, cell));
      }
      layer = [...next];
    }
    return numbers;
  };
  return { NAMES, START, winner, over, turn, place, free, numbered };
})();
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const show = (cell, mark, extra = "") => {
  cell.textContent = mark === "." ? "" : mark;
  cell.className = ["cell", mark === "." ? "" : mark.toLowerCase(), extra].filter(Boolean).join(" ");
};
