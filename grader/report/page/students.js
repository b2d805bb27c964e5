/* The table of a class: sorted by any column, filtered as one types. */
(() => {
  const table = document.getElementById("students");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase());
  const filter = document.getElementById("filter");
  const count = document.getElementById("count");
  const keys = rows.map((row) => [...row.cells].map((cell) => cell.dataset.key ?? cell.textContent.trim().toLowerCase()));
  const compare = (a, b) => (isNaN(a) || isNaN(b) ? (a < b ? -1 : a > b ? 1 : 0) : a - b);
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = rows.map((_, number) => number);
      const by = (a, b) => (a === "") - (b === "") || (down ? -1 : 1) * compare(a, b); // the empty ones last
      order.sort((a, b) => by(keys[a][column], keys[b][column]) || a - b);
      const sorted = document.createDocumentFragment();
      for (const number of order) sorted.append(rows[number]);
      body.append(sorted);
    });
  });
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, number) => {
      const fits = words.every((word) => texts[number].includes(word));
      row.hidden = !fits;
      shown += fits;
    });
    count.textContent = `${shown} of ${rows.length}`;
  });
})();
