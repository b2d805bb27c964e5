// The page: takes a file, has it checked, shows what came of it, and keeps the last result until it is closed.
import { fetched, Python, STEPS } from "./python.js";

const KEPT = `check-yourself/2 ${new URL(".", location.href).pathname}`; // other pages of this host have keys too
const LOOK = 1000; // milliseconds between two looks at a file that is watched
const LARGEST = 10_000_000;
const TALLEST = 100_000; // pixels of a result
const $ = (id) => document.getElementById(id);

let python; // a promise of it
let given = []; // what is checked: names, each with a way to read it
let result; // {name, at, html, grade, changes, problem, note}
let busy; // what stops the check that is under way
let checks = 0; // how many are done
let seen = 0; // when the watched file was changed, as far as it is known

$("drop").hidden = false;
restore();
ready().catch(() => {});

function ready() {
  const mega = (bytes) => (bytes / 1e6).toFixed(1);
  python ??= fetched((bytes, all) => prepare(`Python is loading: ${mega(Math.min(bytes, all))} of ${mega(all)} MB`, (100 * bytes) / all))
    .then((parts) =>
      Python.of(parts, (step) => prepare(`Python is starting: step ${step} of ${STEPS}`, (100 * (step - 0.5)) / STEPS)),
    )
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
  $("loaded-text").textContent = `${words}. You can choose your file already.`;
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
  const since = told.changes?.length ? [`Compared with the ${before.name} that was checked here at ${before.at}:`] : [];
  const at = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  result = { name: given[0].name, at, ...told, changes: [...since, ...(told.changes ?? []), ...lost] };
  keep();
  show();
  document.body.dataset.checks = ++checks;
}

async function checked(before, signal) {
  try {
    const files = await contents();
    const engine = await ready();
    if (!signal.aborted) tell("Running the file", 0);
    return await engine.check(files, before, watch, signal);
  } catch (error) {
    return { problem: sentence(error) };
  }
}

/** Whatever is under way, Stop is heard at once. */
function stopped(signal) {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ problem: "Stopped." })));
}

function sentence(error) {
  if (error instanceof RangeError) return error.message;
  if (error?.name === "NotReadableError" || error?.name === "NotFoundError") {
    return "The browser cannot read this file any more, for it was changed or moved: choose it again.";
  }
  return `Python could not be started: ${error?.message ?? error}. Load this page again.`;
}

async function contents() {
  const files = new Map();
  for (const one of given) {
    const file = await one.file();
    if (file.size > LARGEST) return Promise.reject(new RangeError(`${one.name} is larger than 10 MB, so it was not read: is it the right file?`));
    files.set(one.name, new Uint8Array(await file.arrayBuffer()));
    seen = Math.max(seen, file.lastModified ?? 0);
  }
  return files;
}

const FILE = { load: "Running the file", read: "Reading the file" };
const watch = {
  asking(what, board) {
    const about = board ? ` on ${drawn(board)}` : what === "initial_state" ? "" : " about every board";
    tell(FILE[what] ?? `Asking ${what}${about}`);
  },
  judged(done, total) {
    $("bar").value = (100 * done) / total;
  },
  lost({ what, board, deadline }) {
    const who = FILE[what] ? "The file" : what;
    const how = deadline === null ? "ended Python" : `gave no answer within ${deadline} seconds`;
    const where = board ? ` (on ${drawn(board)})` : "";
    const told = `${who} ${how}`;
    const before = [...$("told").children].find((line) => line.textContent.startsWith(told));
    const line = item(`${told}${where}. Python is started anew, and the rest goes on.`);
    if (!before) $("told").append(line);
    else if (where) before.replaceWith(line);
    tell("Python is starting anew");
  },
};

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
  const { name, html, changes, problem, note } = result;
  $("result").hidden = false;
  $("result-title").textContent = html ? `${name}: checked` : name;
  $("problem").hidden = !problem && !note;
  $("problem").className = note ? "note" : "bad";
  $("problem").textContent = problem ?? note ?? "";
  $("changes").replaceChildren(
    ...changes.map((words) => item(words.replaceAll("`", ""))),
  );
  $("again").hidden = !given.length;
  $("save").hidden = !html;
  $("watching").textContent = watched() ? `${name} is watched: save it, and it is checked again.` : "";
  put(html);
  $("result").focus();
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

// What is given: chosen, dropped or pasted.
function take(files) {
  if (!files.length) return;
  given = [...files].sort((one, other) => (other.name === "tictactoe.py") - (one.name === "tictactoe.py"));
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
  return given.length > 0 && given.every((one) => one.handle);
}
setInterval(async () => {
  if (busy || !watched()) return;
  const files = await Promise.all(given.map((one) => one.file())).catch(() => []);
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
