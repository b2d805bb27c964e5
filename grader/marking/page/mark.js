"use strict";
/* Marking by keyboard, mouse or finger. Everything is decided by the server; what it shows is put in place. */
(() => {
  const by = (id) => document.getElementById(id);
  const [desk, queue, news, who] = ["student", "queue", "said", "who"].map(by);
  const kept = (name, otherwise) => JSON.parse(sessionStorage.getItem(name) ?? "null") ?? otherwise;
  const keep = (name, value) => sessionStorage.setItem(name, JSON.stringify(value));
  /* The key stands behind the # of the address, and is kept for this window alone. */
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given) {
    keep("key", given);
    history.replaceState(null, "", location.pathname);
  }
  let done = kept("done", []); // what this window has decided, to be undone
  let last = kept("last", null); // the last decision, to be made again
  let order = []; // whom this window shows in which place: nobody moves away under one's hands
  let target = 0; // whom the page shows, or is about to
  let busy = 0; // answers that are on their way: what is typed meanwhile waits for them
  const typedAhead = [];
  let changing = null; // the comment that is being changed
  let choosing = null; // the levels of which the next key chooses one
  let offered = null; // at whom n was pressed at the end of a queue: once more, it begins anew
  let tally = { marked: 0, needing: 0 };
  let queues = []; // each with its name, how many are done in it, and how many are in it
  let chosen = kept("queue", null); // the queue that is shown: of who needs a look, of a criterion, or of everybody

  const about = () => by("about");
  const number = () => Number(about()?.dataset.student ?? 0);
  const figure = (points) => String(points).replace(".", MESSAGES["."] ?? ".");
  const titleOf = (queue) => ({ "To look at": _("To look at"), Everybody: _("Everybody") })[queue] ?? queue;
  const subjectTitle = (subject) => (subject === "total" ? _("total") : subject);
  const say = (words, wrong = false) => {
    news.textContent = words;
    news.classList.toggle("wrong", wrong);
  };
  const closed = (dialog) => {
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      const end = () => {
        if (dialog.open) return; // it was asked again before this came
        dialog.removeEventListener("close", end);
        resolve(dialog.returnValue); // none: neither is meant
      };
      dialog.addEventListener("close", end);
    });
  };
  const ask = (words, yes, no) => {
    by("ask-words").textContent = words;
    by("ask-yes").textContent = yes;
    by("ask-no").textContent = no;
    return closed(by("ask"));
  };
  const askName = async () => {
    if ((await closed(by("name-dialog"))) !== "yes") return;
    who.value = by("name-given").value.trim();
    keep("who", who.value);
  };

  /* What is typed and not yet saved outlives everything but a change to another student. */
  const typed = () =>
    [...desk.querySelectorAll("input, textarea, select")]
      .filter((field) => field.dataset.typed)
      .map((field) => [field.id, field.value]);
  const put = (html, values = []) => {
    const focused = document.activeElement?.id;
    choosing = null;
    desk.innerHTML = html; // made of escaped text by the server; the policy runs no script in it
    for (const [id, value] of values) {
      const field = by(id);
      if (field) Object.assign(field, { value }).dataset.typed = "yes";
    }
    if (focused && by(focused)) by(focused).focus({ preventScroll: true });
  };
  const at = (item) => order.indexOf(numberOf(item));
  const putQueue = (html) => {
    queue.innerHTML = html; // made of escaped text by the server; the policy runs no script in it
    if (order.length === queue.children.length) queue.append(...[...queue.children].sort((a, b) => at(a) - at(b)));
    current();
    find();
    const partly = [...queue.children].map(left).filter((texts) => texts[wholeClass()] && Object.values(texts).includes(""));
    by("progress").textContent = partly.length
      ? ngettext("{marked} of {needing} marked, {count} in part", "{marked} of {needing} marked, {count} in part", partly.length, tally)
      : _("{marked} of {needing} marked", tally);
  };
  const count = (told) => {
    tally = { marked: told.marked, needing: told.needing };
    queues = told.queues;
    if (!queues.some(([name]) => name === chosen)) chosen = (queues.find(([, done_, of]) => done_ < of) ?? queues.at(-1))[0];
    showQueues();
    if (told.problem) say(_("Not written: {problem}", { problem: told.problem }), true);
  };
  const current = () => {
    for (const button of queue.querySelectorAll("button")) {
      const is = Number(button.dataset.student) === number();
      button.toggleAttribute("aria-current", is);
      if (!is) continue;
      button.style.scrollMarginTop = `${by("pick").offsetHeight}px`; // not behind what stays at the top
      button.scrollIntoView({ block: "nearest" });
    }
  };
  const fetched = async (path, options = {}) => {
    try {
      const headers = { "X-Marking-Key": kept("key", ""), ...options.headers };
      return await fetch(path, { ...options, headers });
    } catch {
      say(_("Nothing is saved: the grader has ended, or cannot be reached. Start it again and open the address that it prints; copy what you have typed first."), true);
      return null;
    }
  };
  const text = async (path) => {
    const answer = await fetched(path);
    if (!answer) return null;
    if (answer.ok) return answer.text();
    say(await answer.text(), true);
    return null;
  };
  const during = async (work) => {
    busy += 1;
    try {
      return await work();
    } finally {
      busy -= 1;
      while (!busy && typedAhead.length) press(typedAhead.shift());
    }
  };
  const press = (key) => {
    const field = document.activeElement?.closest("input, textarea");
    if (!field) act(key);
    else if (key === "Enter") field.form?.requestSubmit();
    else if (key === "Escape") leave(field);
    else if (key.length === 1 && !isCommand(field, key)) Object.assign(field, { value: field.value + key }).dataset.typed = "yes";
  };
  const open = (student) => during(() => load((target = student)));
  const load = async (student) => {
    const html = await text(`/students/${student}`);
    if (html === null || student !== target) return;
    changing = offered = null;
    put(html);
    if (!news.classList.contains("wrong")) say("");
    keep("student", student);
    current();
    scrollTo(0, 0);
    desk.focus({ preventScroll: true });
  };
  const showQueues = () => {
    const shown = queues.map(([name, done_, of]) => {
      const [button, number_] = [document.createElement("button"), document.createElement("span")];
      Object.assign(button, { type: "button", textContent: `${titleOf(name)} ` }).dataset.queue = name;
      number_.textContent = _("{done} of {all}", { done: done_, all: of });
      button.setAttribute("aria-pressed", String(name === chosen));
      button.append(number_);
      return button;
    });
    by("queues").replaceChildren(...shown);
  };
  const numberOf = (item) => Number(item.querySelector("button").dataset.student);
  const wholeClass = () => queues.at(-1)[0];
  const left = (item) => JSON.parse(item.dataset.queues); // by queue: nothing is left where all is done
  const isIn = (item) => chosen in left(item);
  const waits = (item) => Boolean(left(item)[chosen]);
  const waiting = () => [...queue.children].filter(waits);
  const choose = (name) => {
    keep("queue", (chosen = name));
    say("");
    showQueues();
    clearFind();
    const first = waiting()[0] ?? [...queue.children].find(isIn);
    return first && open(numberOf(first));
  };
  const nextQueue = () => {
    const names = queues.map(([name]) => name);
    return names[(names.indexOf(chosen) + 1) % names.length];
  };
  const step = (by_, waitingOnly = false) => {
    const all = [...queue.children];
    const here = all.findIndex((item) => numberOf(item) === target);
    const beyond = by_ > 0 ? all.slice(here + 1) : all.slice(0, Math.max(0, here)).reverse();
    const next = beyond.find((item) => isIn(item) && (!waitingOnly || waits(item)));
    if (next) return open(numberOf(next));
    if (!waitingOnly) return say(by_ > 0 ? _("That was the last one.") : _("This is the first one."));
    const before = waiting().filter((item) => numberOf(item) !== target).length;
    if (before && offered === target) return open(numberOf(waiting()[0]));
    offered = target;
    if (before) {
      const button = _("Next");
      return say(ngettext(
        "That was the last one who waits in this queue; before it {count} waits: press {next} (n) again for the first.",
        "That was the last one who waits in this queue; before it {count} wait: press {next} (n) again for the first.",
        before,
        { next: button },
      ));
    }
    const other = queues.find(([name, done_, of]) => name !== chosen && done_ < of);
    if (!other) return say(_("Nobody else waits in this queue."));
    return say(ngettext(
      "Nobody else waits in this queue. In another one, {queue}, {count} waits: press q.",
      "Nobody else waits in this queue. In another one, {queue}, {count} wait: press q.",
      other[2] - other[1],
      { queue: titleOf(other[0]) },
    ));
  };
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase(); // lena is Léna, too
  const clearFind = () => {
    by("find").value = "";
    find();
  };
  /* Show who is in the queue, or, while something is looked for, who of everybody fits. */
  const find = () => {
    const words = plain(by("find").value).split(/\s+/).filter(Boolean);
    const says = (element) => words.every((word) => plain(element.textContent).includes(word));
    for (const item of queue.children) {
      const texts = left(item);
      const text = texts[chosen] ?? texts[wholeClass()];
      const isMarked = !text && Object.keys(texts).length > 1;
      item.className = text ? "open" : isMarked ? "marked" : "";
      item.querySelector(".why").textContent = text || (isMarked ? _("marked") : "");
    }
    const named = [...queue.children].some((item) => says(item.querySelector(".name"))); // else by what waits
    for (const item of queue.children) {
      item.hidden = words.length ? !says(named ? item.querySelector(".name") : item) : !isIn(item);
    }
  };
  const openFound = (item) => {
    if (!item) return say(_("Nobody fits that."));
    clearFind();
    return open(numberOf(item));
  };

  const revision = (subject) => JSON.parse(about().dataset.revisions)[subject] ?? about().dataset.plain;
  const enable = () => {
    by("undo").disabled = done.length === 0;
    by("again").disabled = last === null;
    by("again").title = last?.words ?? "";
  };
  const post = async (path, told) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetched(path, { method: "POST", headers, body: JSON.stringify(told) });
    if (!answer) return null;
    const found = answer.ok ? await answer.json() : { wrong: await answer.text() };
    if (!found.wrong) return found;
    say(found.wrong, true);
    return null;
  };
  const rest = () => desk.focus({ preventScroll: true });
  /* Leave a field. Points that were not saved are dropped with their reason: neither may go with the next points. */
  const leave = (field) => {
    const form = field.closest(".give");
    if (form) {
      form.reset();
      for (const field of form.elements) delete field.dataset.typed;
    }
    if (field === by("find")) clearFind();
    if (form || field === by("find")) say("");
    rest();
  };
  /* Run the command of a key that no number has, if the field is for points; return whether it was one. */
  const isCommand = (field, key) => {
    if (!field.matches(".give .points") || /^[\d.,\s]$/.test(key) || key.length > 1) return false;
    if (key === "w") field.form.querySelector(".why").focus();
    else if (field.value === field.defaultValue) act(key);
    else say(_("{points} is not saved: Enter saves it, w adds why, Esc drops it.", { points: field.value }), true);
    return true;
  };
  /* Show what follows from a decision, unless somebody else is looked at by now. */
  const follow = (told, student, saved = []) => {
    if (student === target) put(told.student, typed().filter(([id]) => !saved.includes(id)));
    count(told);
    putQueue(told.queue);
  };
  /* Return whether a decision is on the disk. If what it is about has changed since, ask before deciding again. */
  const decide = async (wish, words, { fields = [], again = null, next = rest } = {}) => {
    if (!who.value.trim()) await askName();
    if (!who.value.trim()) return say(_("Nothing is saved: say who you are, above."), true), false;
    say("…");
    const told = await during(async () => {
      const found = await post("/decide", { by: who.value, ...wish });
      if (!found || found.changed) typedAhead.length = 0; // it was typed for what comes after a decision
      if (found) follow(found, wish.student, found.changed ? [] : fields);
      if (found && !found.changed && wish.student === target) next();
      return found;
    });
    if (!told) return false;
    if (told.changed) {
      say(_("Somebody has decided otherwise meanwhile: it is shown now, and nothing of yours was saved."), true);
      const question = _("Somebody has decided otherwise meanwhile, as you see now. Save yours all the same?");
      if (again && (await ask(question, _("Save mine"), _("Leave it"))) === "yes") {
        return again();
      }
      return false;
    }
    done.push(told.operation);
    keep("done", (done = done.slice(-200)));
    const saved = [_("Saved: {what}.", { what: words })];
    if (told.students > 1) saved.push(ngettext("For {count} student.", "For {count} students.", told.students));
    if (told.left) {
      saved.push(ngettext("{count} had something there already, and keep it.", "{count} had something there already, and keep it.", told.left));
    }
    const toSee = left([...queue.children].find((item) => numberOf(item) === wish.student))["To look at"];
    if (toSee && wish.kind === "seen") saved.push(_("Still to look at here: {what}.", { what: toSee }));
    else if (toSee) saved.push(_("Still to look at here: {what}; then press Done (d).", { what: toSee }));
    say(saved.join(" "));
    enable();
    return true;
  };
  /* Let a decision be made again elsewhere. One on a line is not: another file has something else there. */
  const remember = (words, { kind, criterion, points, delta, comment }) => {
    keep("last", (last = { words, wish: { kind, criterion, points, delta, comment } }));
    enable();
  };
  const asNumber = (value) => {
    const found = Number(value.trim().replace(/[,٫]/, "."));
    return value.trim() === "" || Number.isNaN(found) ? null : found;
  };

  const give = async (form) => {
    const criterion = form.dataset.criterion || null;
    const [points, why] = [form.querySelector(".points"), form.querySelector(".why")];
    const value = asNumber(points.value);
    if (value === null && (points.value.trim() || !points.defaultValue)) {
      points.focus();
      return say(points.value.trim() ? _("That is no number of points: Esc drops it.") : _("How many points?"), true);
    }
    const fields = [points.id, why.id];
    const levels = [...form.querySelectorAll(".level")].map((choice) => choice.dataset);
    const level = levels.find((choice) => Number(choice.points) === value)?.level;
    const isName = levels.some((choice) => choice.level === why.value.trim()); // the level is read anyhow, and may be another one now
    const comment = isName && (level || !why.dataset.typed) ? "" : why.value.trim();
    const wish = { student: number(), kind: "points", criterion, points: value, comment, revision: form.dataset.revision, remove: value === null };
    const again = () => give(by(points.id).form);
    const next = () => (criterion === chosen ? rest() : (desk.querySelector(".give.waits .points") ?? desk).focus());
    const about_ = { criterion: criterion ?? _("total"), points: figure(value), level };
    let words = level ? _("{criterion} {points} ({level})", about_) : _("{criterion} {points}", about_);
    if (value === null) words = _("{criterion} as the grader had it", about_);
    if ((await decide(wish, words, { fields, again, next })) && value !== null) {
      remember(comment ? _("{what} with \"{comment}\"", { what: words, comment }) : words, wish);
    }
    return undefined;
  };
  const chooseLevel = (button) => {
    button.form.querySelector(".points").value = button.dataset.points;
    give(button.form);
  };
  const askLevel = () => {
    const form = toGive();
    const levels = [...(form?.querySelectorAll(".level") ?? [])];
    if (!levels.length) return say(_("Nothing here has levels."));
    choosing = levels;
    const names = levels.map((button, at_) => `${at_ + 1} ${button.dataset.level}`);
    const about_ = { criterion: form.dataset.criterion, levels: names.join(", ") };
    return say(_("{criterion}: {levels}. Press the number, or the first letter.", about_));
  };
  const takeLevel = (key) => {
    const fitting = choosing.filter((button) => button.dataset.level.toLowerCase().startsWith(key.toLowerCase()));
    const level = choosing[Number(key) - 1] ?? (fitting.length === 1 ? fitting[0] : null);
    choosing = null;
    if (level) return chooseLevel(level);
    if (!fitting.length) return say(_("No level was chosen."));
    const many = fitting.length;
    return say(ngettext("{count} level begins with {key}: press g and the number.", "{count} levels begin with {key}: press g and the number.", many, { key }));
  };
  const compose = async () => {
    const [line, delta, comment] = ["line", "delta", "comment"].map((id) => by(id).value);
    const criterion = by("criterion").value || null;
    const points = asNumber(delta);
    if (points === null && delta.trim()) return say(_("That is no number of points."), true);
    const [place, file] = [line.trim() ? Number(line) : null, by("file")?.value ?? ""];
    if (place !== null && !Number.isInteger(place)) return say(_("That is no line."), true);
    const everybody = by("everybody")?.value ?? "";
    const wish = { student: number(), kind: "comment", criterion, delta: points, comment, line: place, file, everybody };
    const subject = criterion ?? (points === null ? (place === null ? "comment" : `line ${file}:${place}`) : "total");
    wish.revision = revision(subject);
    if (changing) {
      Object.assign(wish, { mark: changing.mark, revision: changing.revision, line: null, file: "", everybody: "" });
      const same = bankOf(changing);
      const question = ngettext("{count} has this comment. Change it for all of them?", "{count} have this comment. Change it for all of them?", same);
      const whose = same > 1 ? await ask(question, _("For all"), _("Only here")) : "no";
      if (!whose) return say(_("Nothing was changed."));
      if (whose === "yes") wish.everybody = "all";
    }
    const fields = ["line", "delta", "comment", "criterion", "everybody", "file"];
    const again = changing ? null : compose;
    const what = place === null ? _("a comment") : _("a comment on line {line}", { line: place });
    if (!(await decide(wish, what, { fields, again }))) return undefined;
    const told = { comment: comment.trim(), points: figure(points), criterion: criterion ?? _("total") };
    const words = points === null ? _("the comment \"{comment}\"", told) : _("the comment \"{comment}\", {points} {criterion}", told);
    if (!changing && place === null) remember(words, wish);
    changing = null;
    return undefined;
  };
  const bankOf = (data) => {
    const fits = (button) => ["comment", "criterion", "delta"].every((name) => button.dataset[name] === data[name]);
    const found = [...desk.querySelectorAll(".bank button")].find(fits);
    return found ? Number(found.querySelector(".soft").textContent) : 1;
  };
  const fill = (data) => {
    for (const name of ["comment", "criterion", "delta", "line", "file"]) {
      if (name in data && by(name)) {
        by(name).value = data[name];
        by(name).dataset.typed = "yes";
      }
    }
    by("comment").focus();
  };
  const meant = (line, file) => {
    for (const row of desk.querySelectorAll("li.meant")) row.classList.remove("meant");
    const found = [...desk.querySelectorAll("li[data-line]")].find((row) => row.dataset.line === line && row.dataset.file === file);
    found?.classList.add("meant");
    found?.scrollIntoView({ block: "nearest" });
  };
  const undo = async () => {
    const operation = done.pop();
    keep("done", done);
    enable();
    if (!operation) return say(_("There is nothing to undo."));
    const student = number();
    const told = await during(async () => {
      const found = await post("/undo", { operation, student });
      if (found) follow(found, student);
      return found;
    });
    if (!told) return undefined;
    return told.changed ? say(_("Somebody has decided otherwise since: it was not undone."), true) : say(_("Undone."));
  };
  const repeat = async () => {
    if (!last) return undefined;
    const { words, wish } = last;
    const [name, subject] = [by("name").textContent, wish.criterion ?? (wish.kind === "comment" && wish.delta === null ? "comment" : "total")];
    const has = (button) => button.dataset.comment === wish.comment.trim() && asNumber(button.dataset.delta) === (wish.delta ?? null);
    if (wish.kind === "comment" && [...desk.querySelectorAll(".edit")].some(has)) return say(_("This comment is here already."));
    if (wish.kind === "points" && subject in JSON.parse(about().dataset.revisions)) {
      const [now, why] = ["points", "why"].map((field) => by(`${field}-${subject}`).defaultValue);
      if (asNumber(now) === wish.points && why === wish.comment) return say(_("{student} has {what} already.", { student: name, what: words }));
      const shown = (points, reason) => (reason ? `${points} (${reason})` : points);
      const points_ = figure(wish.points);
      const about_ = { criterion: subjectTitle(subject), now: shown(now, why), points: shown(points_, wish.comment) };
      const question = now
        ? _("{criterion} is decided here already: {now}. Give {points} instead?", about_)
        : _("{criterion} is decided here already. Give {points} instead?", about_);
      if ((await ask(question, _("Give {points}", { points: points_ }), _("Leave it"))) !== "yes") return say(_("Nothing was changed."));
    }
    return decide({ ...wish, student: number(), revision: revision(subject) }, _("{what} for {student}, the same as last", { what: words, student: name }));
  };
  const toggle = (button, kind, words) =>
    decide({ student: number(), kind, revision: button.dataset.revision, remove: button.hasAttribute("aria-pressed") }, words);

  const keys = {
    n: () => step(1, true),
    p: () => step(-1),
    q: () => choose(nextQueue()),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    u: undo,
    ".": repeat,
    "?": () => by("keys").showModal(),
    "/": () => {
      by("fold").open = true;
      clearFind();
      by("find").focus();
    },
    c: () => by("comment").focus(),
    l: () => by("line").focus(),
    g: askLevel,
    w: () => (toGive()?.querySelector(".why") ?? by("why-total")).focus(),
    t: () => by("points-total").focus(),
    b: () => desk.querySelector(".bank button")?.focus(),
    a: () => desk.querySelector(".answer textarea")?.focus(),
    d: () => toggle(by("done"), "seen", _("done")),
    r: () => {
      by("request").closest("details").open = true;
      by("request").focus();
    },
  };
  /* Return the form of the queue's own criterion, else of the first that waits. */
  const toGive = () => {
    const forms = [`.give[data-criterion="${CSS.escape(chosen)}"]`, ".give.waits", ".give.by-hand"];
    return forms.map((form) => desk.querySelector(form)).find(Boolean);
  };
  /* Return whether a key means something where nothing is typed. */
  const act = (key) => {
    if (choosing && (key.length === 1 || key === "Escape")) {
      takeLevel(key);
    } else if (/^[0-9]$/.test(key)) {
      const points = toGive()?.querySelector(".points");
      if (!points) return say(_("Nothing waits for points here: t is for the total.")), true;
      Object.assign(points, { value: key }).dataset.typed = "yes";
      points.focus();
    } else if (keys[key] && about()) {
      keys[key]();
    } else {
      return false;
    }
    return true;
  };
  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.altKey || event.metaKey) return;
    if (busy && !event.ctrlKey && (event.key.length === 1 || ["Enter", "Escape", "ArrowLeft", "ArrowRight"].includes(event.key))) {
      typedAhead.push(event.key);
      event.preventDefault();
      return;
    }
    const field = event.target.closest("input, textarea, select");
    if (event.key === "Escape" && field) {
      leave(field);
    } else if (event.key === "Enter" && event.ctrlKey && field?.form) {
      field.form.requestSubmit();
    } else if (event.ctrlKey || !(field ? isCommand(field, event.key) : act(event.key))) {
      return;
    }
    event.preventDefault();
  });
  desk.addEventListener("input", (event) => {
    event.target.dataset.typed = "yes";
    if (event.target.id === "line") meant(event.target.value.trim(), by("file")?.value ?? "");
  });
  addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "dialog") return;
    event.preventDefault();
    if (form.classList.contains("give")) give(form);
    else if (form.id === "compose") compose();
    else if (form.id === "ask-for") {
      const wish = { student: number(), kind: "request", request: by("request").value, revision: about().dataset.plain };
      if (wish.request.trim()) decide(wish, _("the request"), { fields: ["request"] });
    } else if (form.classList.contains("answer")) {
      const area = form.querySelector("textarea");
      const wish = { student: number(), kind: "answer", asked: Number(form.dataset.asked), comment: area.value, revision: form.dataset.revision };
      const again = () => by(area.id).form.requestSubmit();
      decide(wish, _("the answer"), { fields: [area.id], again });
    }
  });
  /* A link cannot carry the key: a window of its own, without this one's storage, gets a ticket that is good once. */
  const openApart = async (path) => {
    const found = await post("/ticket", { path });
    if (found) window.open(`${path}?ticket=${found.ticket}`, "_blank", "noopener");
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[target=_blank]");
    if (link) {
      event.preventDefault();
      openApart(link.getAttribute("href"));
    }
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.key) keys[button.dataset.key]();
    else if (button.dataset.student) openFound(button.closest("li"));
    else if (button.dataset.queue) choose(button.dataset.queue);
    else if (button.closest(".bank")) fill(button.dataset);
    else if (button.classList.contains("level")) chooseLevel(button);
    else if (button.id === "excuse") toggle(button, "late", _("late work"));
    else if (button.id === "cancel") open(number());
    else if (button.classList.contains("on-line")) {
      const { line, file } = button.closest("li").dataset;
      fill({ line, file });
      meant(line, file);
    } else if (button.classList.contains("edit")) {
      changing = { ...button.dataset };
      fill(button.dataset);
      by("cancel").hidden = false;
    } else if (button.classList.contains("remove")) {
      const { mark, revision: seen } = button.dataset;
      decide({ student: number(), kind: "comment", mark, revision: seen, remove: true }, _("taken away"));
    }
  });
  by("find").addEventListener("input", find);
  by("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") openFound([...queue.children].find((item) => !item.hidden));
  });
  who.addEventListener("input", () => keep("who", who.value));
  if (matchMedia("(max-width: 60rem)").matches) by("fold").open = false;
  const start = async () => {
    const found = await text("/start");
    if (found === null) return;
    const told = JSON.parse(found);
    document.title = _("Marking: {title}", { title: told.title });
    by("title").textContent = told.title;
    who.value = kept("who", "") || told.who;
    count(told);
    putQueue(told.queue);
    order = [...queue.children].map(numberOf);
    const first = waiting()[0];
    const wanted = kept("student", first ? numberOf(first) : told.first);
    await open(order.includes(wanted) ? wanted : told.first);
    enable();
    if (!who.value) await askName();
  };
  start();
})();
