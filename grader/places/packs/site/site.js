// The page: takes a file, has it checked, shows what came of it, and keeps the last result until it is closed.
import { fetched, Python, STEPS } from "./python.js";

const KEPT = `check-yourself/2 ${new URL(".", location.href).pathname}`; // other pages of this host have keys too
const LANGUAGE = `check-yourself/language ${new URL(".", location.href).pathname}`;
const ENGLISH = "en"; // the sentences that stand in the scripts, and in Python
const LOOK = 1000; // milliseconds between two looks at a file that is watched
const LARGEST = 10_000_000;
const TALLEST = 100_000; // pixels of a result
const $ = (id) => document.getElementById(id);

let python; // a promise of it
let given = []; // what is checked: names, each with a way to read it
let result; // {name, at, html, grade, changes, problem, note}
let busy; // what stops the check that is under way
let checks = 0; // how many are done
let spoken = document.documentElement.lang;
let wanted = spoken; // which is on its way to be spoken
const catalogues = new Map(); // promises of what Python says, by language
let seen = 0; // when the watched file was changed, as far as it is known

await speak(remembered());
$("drop").hidden = false;
restore();
ready().catch(() => {});

function ready() {
  const mega = (bytes) => figure((bytes / 1e6).toFixed(1));
  const loading = (bytes, all) => _("Python is loading: {there} of {all} MB", { there: mega(Math.min(bytes, all)), all: mega(all) });
  const starting = (step) => _("Python is starting: step {step} of {steps}", { step, steps: STEPS });
  python ??= fetched((bytes, all) => prepare(loading(bytes, all), (100 * bytes) / all))
    .then((parts) => Python.of(parts, (step) => prepare(starting(step), (100 * (step - 0.5)) / STEPS)))
    .catch((error) => {
      python = undefined;
      throw error;
    })
    .finally(() => {
      $("loading").hidden = true;
    });
  return python;
}

/** Say how far Python is, also to somebody who has not chosen a file yet. */
function prepare(words, percent) {
  $("loading").hidden = false;
  $("loaded-text").textContent = _("{what}. You can choose your file already.", { what: words });
  $("loaded").value = percent;
  tell(words, percent);
}

/** Check what was given; a check that is under way is ended before. */
async function check() {
  busy?.abort();
  const mine = (busy = new AbortController());
  $("told").replaceChildren();
  $("work").hidden = false;
  $("loading").classList.add("quiet"); // the same stands below
  $("work").scrollIntoView({ block: "nearest" });
  $("result").hidden = $("page").hidden = true;
  const before = result?.grade && result.name === given[0].name ? result : undefined;
  const told = await Promise.race([checked(before?.grade, mine.signal), stopped(mine.signal)]);
  if (mine !== busy) return;
  busy = undefined;
  $("work").hidden = true;
  const lost = [...$("told").children].map((line) => line.textContent);
  const since = told.changes?.length ? [_("Compared with the {file} that was checked here at {time}:", { file: before.name, time: before.at })] : [];
  const at = new Date().toLocaleTimeString(spoken === ENGLISH ? [] : spoken, { hour: "2-digit", minute: "2-digit" });
  result = { name: given[0].name, at, ...told, changes: [...since, ...(told.changes ?? []), ...lost] };
  keep();
  show();
  document.body.dataset.checks = ++checks;
}

async function checked(before, signal) {
  try {
    const files = await contents();
    const language = spoken;
    const [engine, catalogue] = [await ready(), await catalogueOf(language)];
    if (!signal.aborted) tell(_("Running the file"), 0);
    return await engine.check(files, before, watch, signal, { language, catalogue });
  } catch (error) {
    return { problem: sentence(error) };
  }
}

/** Whatever is under way, Stop is heard at once. */
function stopped(signal) {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ problem: _("Stopped.") })));
}

function sentence(error) {
  if (error instanceof RangeError) return error.message;
  if (error?.name === "NotReadableError" || error?.name === "NotFoundError") {
    return _("The browser cannot read this file any more, for it was changed or moved: choose it again.");
  }
  return _("Python could not be started: {why}. Load this page again.", { why: error?.message ?? error });
}

async function contents() {
  const files = new Map();
  for (const source of given) {
    const file = await source.file();
    if (file.size > LARGEST) {
      const told = _("{file} is larger than {most} MB, so it was not read: is it the right file?", { file: source.name, most: LARGEST / 1e6 });
      return Promise.reject(new RangeError(told));
    }
    files.set(source.name, new Uint8Array(await file.arrayBuffer()));
    seen = Math.max(seen, file.lastModified ?? 0);
  }
  return files;
}

const watch = {
  asking(what, board) {
    const about = { name: what, board: drawn(board) };
    if (what === "load") tell(_("Running the file"));
    else if (what === "read") tell(_("Reading the file"));
    else if (board) tell(_("Asking {name} on {board}", about));
    else tell(what === "initial_state" ? _("Asking {name}", about) : _("Asking {name} about every board", about));
  },
  judged(done, total) {
    $("bar").value = (100 * done) / total;
  },
  lost({ what, board, deadline }) {
    const line = item(lostSentence(what, board, deadline));
    line.dataset.about = `${what} ${deadline}`;
    const before = [...$("told").children].find((known) => known.dataset.about === line.dataset.about);
    if (!before) $("told").append(line);
    else if (board) before.replaceWith(line);
    tell(_("Python is starting anew"));
  },
};

/** Return what took Python along: it ended it, or gave no answer in time. */
function lostSentence(what, board, deadline) {
  const about = { name: what, board: drawn(board), seconds: figure(String(deadline)) };
  const [isFile, isEnded] = [what === "load" || what === "read", deadline === null];
  if (isFile && isEnded) return _("The file ended Python. Python is started anew, and the rest goes on.", about);
  if (isFile) return _("The file gave no answer within {seconds} seconds. Python is started anew, and the rest goes on.", about);
  if (isEnded && board) return _("{name} ended Python (on {board}). Python is started anew, and the rest goes on.", about);
  if (isEnded) return _("{name} ended Python. Python is started anew, and the rest goes on.", about);
  if (board) return _("{name} gave no answer within {seconds} seconds (on {board}). Python is started anew, and the rest goes on.", about);
  return _("{name} gave no answer within {seconds} seconds. Python is started anew, and the rest goes on.", about);
}

/** Return a number as the language writes it. */
function figure(number) {
  return number.replace(".", MESSAGES["."] ?? ".");
}

function item(words) {
  const line = document.createElement("li");
  line.textContent = words;
  return line;
}

function drawn(board) {
  return board.replace(/(...)(?=.)/g, "$1 / ");
}

function tell(words, percent) {
  $("status").textContent = words;
  if (percent !== undefined) $("bar").value = percent;
}

function show() {
  const { html, changes, problem, note } = result;
  $("result").hidden = false;
  $("problem").hidden = !problem && !note;
  $("problem").className = note ? "note" : "bad";
  $("problem").textContent = problem ?? note ?? "";
  $("changes").replaceChildren(
    ...changes.map((words) => item(words.replaceAll("`", ""))),
  );
  $("again").hidden = !given.length;
  $("save").hidden = !html;
  entitle();
  put(html);
  $("result").focus();
}

/** Say what the result is of. */
function entitle() {
  const { name, html } = result;
  $("result-title").textContent = html ? _("{file}: checked", { file: name }) : name;
  $("watching").textContent = watched() ? _("{file} is watched: save it, and it is checked again.", { file: name }) : "";
}

/** Put a page into a new frame of no origin, or none: it tells its height, and is closed if it goes elsewhere. */
function put(html) {
  const frame = $("page").cloneNode();
  frame.hidden = !html;
  let loads = 0;
  frame.addEventListener("load", () => {
    if (++loads > 1) put();
  });
  frame.removeAttribute("srcdoc");
  if (html) frame.srcdoc = html;
  $("page").replaceWith(frame);
}
addEventListener("message", ({ source, data }) => {
  const height = Array.isArray(data) && data[0] === "height" ? Number(data[1]) : 0;
  if (source === $("page").contentWindow && height > 0) $("page").style.height = `${Math.min(height, TALLEST)}px`;
});

// The language: that of the course, until another one is chosen, which is remembered here.
$("language")?.addEventListener("change", async ({ target }) => {
  try {
    localStorage.setItem(LANGUAGE, target.value);
  } catch {
    // then it is for this visit alone
  }
  await speak(target.value);
});

function remembered() {
  try {
    const code = localStorage.getItem(LANGUAGE);
    return [...($("language")?.options ?? [])].some((option) => option.value === code) ? code : spoken;
  } catch {
    return spoken;
  }
}

/** Have the page, and the next check, speak a language; what cannot be had leaves them as they are. */
async function speak(code) {
  wanted = code;
  if (code === spoken && code === ENGLISH) return;
  const response = await fetch(`languages/${code}.json`).catch(() => undefined);
  const found = response?.ok ? await response.json() : undefined;
  if (wanted !== code) return; // another one was chosen meanwhile
  if (found) {
    spoken = code;
    for (const sentence of Object.keys(MESSAGES)) delete MESSAGES[sentence];
    Object.assign(MESSAGES, found.sentences);
    translate(found);
  }
  if ($("language")) $("language").value = spoken;
  catalogueOf(spoken).catch(() => {}); // a check will want it
}

function translate({ direction, elsewhere }) {
  Object.assign(document.documentElement, { lang: spoken, dir: direction });
  document.title = _("{title}: check yourself", { title: $("title").textContent });
  $("page").title = _("The result");
  $("elsewhere").textContent = elsewhere;
  for (const element of document.querySelectorAll("[data-say]")) element.replaceChildren(...ticked(_(element.dataset.say)));
  $("language").setAttribute("aria-label", _("Language"));
  if (result && !$("result").hidden) entitle();
}

/** Return a sentence as nodes, with what stands between backticks as code. */
function ticked(sentence) {
  return sentence.split("`").map((part, at) => {
    if (at % 2 === 0) return part;
    return Object.assign(document.createElement("code"), { textContent: part });
  });
}

/** Return a promise of what Python needs for a language; it is fetched once. */
function catalogueOf(code) {
  if (code === ENGLISH) return Promise.resolve();
  if (!catalogues.has(code)) {
    const found = fetch(`languages/${code}.mo`).then((response) =>
      response.ok ? response.arrayBuffer() : Promise.reject(new Error(_("{url} cannot be had ({status})", { url: response.url, status: response.status }))),
    );
    found.catch(() => catalogues.delete(code));
    catalogues.set(code, found);
  }
  return catalogues.get(code);
}

// What is given: chosen, dropped or pasted.
function take(files) {
  if (!files.length) return;
  given = [...files].sort((first, second) => (second.name === "tictactoe.py") - (first.name === "tictactoe.py"));
  seen = 0;
  check();
}

const ofFile = (file) => ({ name: file.name, file: async () => file });
const ofHandle = (handle) => ({ name: handle.name, file: () => handle.getFile(), handle });

$("choose").addEventListener("click", async () => {
  if (!window.showOpenFilePicker) return $("file").click();
  const handles = await window.showOpenFilePicker({ multiple: true }).catch(() => []);
  take(handles.map(ofHandle));
});
$("file").addEventListener("change", () => {
  take([...$("file").files].map(ofFile));
  $("file").value = "";
});
$("paste").addEventListener("click", () => take([ofFile(new File([$("text").value], "tictactoe.py"))]));

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    $("drop").classList.toggle("over", kind === "dragover");
  });
}
document.addEventListener("drop", async ({ dataTransfer }) => {
  const items = [...dataTransfer.items].filter((item) => item.kind === "file");
  const dropped = items.map((item) => [item.getAsFile(), item.getAsFileSystemHandle?.()]);
  const files = await Promise.all(
    dropped.map(async ([file, handle]) => {
      const known = await handle?.catch(() => null);
      return known?.kind === "directory" ? null : known ? ofHandle(known) : file && ofFile(file);
    }),
  );
  take(files.filter(Boolean));
});

$("stop").addEventListener("click", () => busy?.abort());
$("again").addEventListener("click", check);
$("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([result.html], { type: "text/html" }));
  link.download = `${result.name.replace(/\.\w+$/, "")}-checked.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});
$("forget").addEventListener("click", () => {
  sessionStorage.removeItem(KEPT);
  given = [];
  result = undefined;
  put();
  $("text").value = "";
  $("result").hidden = $("page").hidden = true;
  $("give").focus();
});

// A file that can be watched is checked again when it is saved.
function watched() {
  return given.length > 0 && given.every((source) => source.handle);
}
setInterval(async () => {
  if (busy || !watched()) return;
  const files = await Promise.all(given.map((source) => source.file())).catch(() => []);
  if (!busy && files.some((file) => file.lastModified > seen)) check();
}, LOOK);

// The last result stays until the page is closed, or somebody wants it forgotten.
function keep() {
  if (!result.html) return;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(result));
  } catch {
    sessionStorage.removeItem(KEPT); // it is too large to be kept
  }
}
function restore() {
  try {
    const { name, at, html, grade } = JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
    if ([name, at, html, grade].every((part) => typeof part === "string")) result = { name, at, html, grade, changes: [] };
  } catch {
    return; // nothing of ours
  }
  if (result) show();
}
