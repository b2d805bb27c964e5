/* The table of a class: sorted by any column, filtered as one types. Of very many only the first are drawn. */
(() => {
  const table = document.getElementById("students");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const cells = rows.map((row) => [...row.cells].map((cell) => (cell.dataset.value ?? cell.textContent).trim().toLowerCase()));
  const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim().toLowerCase()).join(" "));
  const filter = document.getElementById("filter");
  const count = document.getElementById("count");
  const everybody = document.getElementById("everybody");
  const groups = rows.map((row) => (row.dataset.in ?? "").split("\n"));
  let shown = ""; // of whom only those are shown: a mistake, a section, what waits, or what did not run
  let most = 300;
  let order = rows.map((_, number) => number);

  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let fitting = 0;
    for (const number of order) {
      const fits = words.every((word) => texts[number].includes(word)) && (!shown || groups[number].includes(shown));
      fitting += fits;
      rows[number].hidden = !fits || fitting > most;
    }
    count.textContent = _("{shown} of {total}", { shown: fitting, total: rows.length });
    everybody.hidden = fitting <= most && !shown;
  };
  const compare = (a, b) => (isNaN(a) || isNaN(b) ? (a < b ? -1 : a > b ? 1 : 0) : a - b);
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const by = (a, b) => (a === "") - (b === "") || (down ? -1 : 1) * compare(a, b); // the empty ones last
      order = rows.map((_, number) => number);
      order.sort((a, b) => by(cells[a][column], cells[b][column]) || a - b);
      body.remove(); // rows that nobody sees are moved at once
      show();
      body.replaceChildren(...order.map((number) => rows[number]));
      table.append(body);
    });
  });
  filter.addEventListener("input", show);
  everybody.addEventListener("click", () => {
    if (!shown) most = Infinity;
    choose("");
  });
  const chosen = document.getElementById("chosen");
  const choose = (what) => {
    shown = what;
    const [, kind, name] = what.match(/^(\S+) ?([^]*)/) ?? [];
    if (kind === "waits") chosen.textContent = _("{criterion} waits", { criterion: name });
    else chosen.textContent = kind === "unrun" ? _("did not run") : (name ?? "");
    for (const button of document.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(button.dataset.show === what && what !== ""));
    show();
  };
  for (const button of document.querySelectorAll("[data-show]")) {
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      choose(button.dataset.show === shown ? "" : button.dataset.show);
      if (shown) document.getElementById("all").scrollIntoView();
    });
  }
  const frame = table.parentElement;
  const measure = () => (document.getElementById("wide").hidden = frame.scrollWidth <= frame.clientWidth);
  addEventListener("resize", measure);
  measure();
  addEventListener("beforeprint", () => {
    most = Infinity;
    show();
  });
  show();
})();
