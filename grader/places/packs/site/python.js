// Python in workers: its parts are fetched once, a worker serves one check, and one that does not answer is ended.
const SLICE = 250; // milliseconds between two looks at the clock
const START = 120; // seconds in which a frame opens, or a worker starts
const GRACE = 10; // seconds in which a frame ends a worker
export const STEPS = 3; // of the first start: the frame, a Python of which a picture is kept, one for the first check
const OWN = 90; // seconds that the grader itself may be silent
const MOST_LOST = 60; // workers that one file may cost
const LONGEST = 2 ** 22; // characters of a grade
const LONGEST_REPLY = 2 ** 24; // many answers may come together
const REFUSED = "refused"; // of a worker that the frame has ended for what it sent
const SILENT = { asking() {}, judged() {}, lost() {} };

/** Fetch everything that a worker needs; `tell` hears how many bytes of it are there, and how many there are. */
export async function fetched(tell) {
  const data = await (await found("site.json")).json();
  const { address, version, files } = data.python;
  const wanted = [
    { name: "grader.zip", url: "grader.zip", size: data.size },
    { name: "worker.js", url: "worker.js", size: 3000 },
    ...files.map((file) => ({ ...file, url: `${address}${file.name}${file.integrity ? "" : `?${version}`}`, cache: "force-cache" })),
  ];
  const whole = wanted.reduce((sum, file) => sum + file.size, 0);
  let there = 0;
  const contents = await Promise.all(
    wanted.map((file) => content(file, (size) => tell((there += size), whole))),
  );
  const parts = Object.fromEntries(wanted.map((file, at) => [file.name, contents[at]]));
  const engine = new Engine({
    worker: parts["worker.js"],
    loader: parts["pyodide.mjs"],
    engine: parts["pyodide.asm.mjs"],
    wasm: parts["pyodide.asm.wasm"],
    library: parts["python_stdlib.zip"],
    grader: parts["grader.zip"],
    site: JSON.stringify(data.check),
  });
  const { pace, seconds, functions } = data;
  return { engine, site: { pace, seconds, functions: new Set(functions) } };
}

/** Call `tick` with the seconds that passed, of those in which this page was awake; return what clearInterval needs. */
function clock(tick) {
  let looked = performance.now();
  return setInterval(() => {
    const now = performance.now();
    const passed = Math.min(now - looked, 2 * SLICE) / 1000;
    looked = now;
    tick(passed);
  }, SLICE);
}

/** Return what a promise gives; throw if that takes too long. */
function within(seconds, promise) {
  return new Promise((resolve, reject) => {
    let left = seconds;
    const ticking = clock((passed) => {
      left -= passed;
      if (left < 0) end(() => reject(new Error(_("it did not answer within {seconds} seconds", { seconds }))));
    });
    const end = (how) => {
      clearInterval(ticking);
      how();
    };
    promise.then(
      (given) => end(() => resolve(given)),
      (error) => end(() => reject(error)),
    );
  });
}

/**
 * The frame in which Python's workers run: of no origin, without a connection. All that it says is untrusted, and
 * another one takes its place if it does not answer in time.
 */
class Engine {
  tell = () => {}; // hears which step of the first start comes now
  #parts;
  #frame;
  #port;
  #opened = 0;
  #workers = new Map();
  #waiting = new Map(); // for answers of the frame itself, by number
  #settled;

  constructor(parts) {
    this.#parts = parts;
  }

  /** Wait until there is a frame, and workers that were ended are gone. */
  async settled() {
    await (this.#settled ??= this.#open());
  }

  /** Have a new frame opened in the place of this one, when one is needed. */
  replace() {
    this.#settled = undefined;
  }

  /** Open a frame, and start a Python in it of whose memory a picture is kept: others start from it in no time. */
  async #open() {
    this.#close();
    const frame = Object.assign(document.createElement("iframe"), { src: "engine.html", title: "Python", hidden: true });
    frame.sandbox = "allow-scripts";
    this.#frame = frame;
    const loaded = new Promise((resolve) => {
      frame.onload = () => {
        if (this.#port) this.replace(); // it went somewhere else
        else resolve();
      };
    });
    document.body.append(frame);
    this.tell(1);
    await within(START, loaded);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#hear(data);
    frame.contentWindow.postMessage("", "*", [port2]);
    await this.#asked("parts", START, this.#parts);
    this.tell(2);
    const first = this.#worker(true);
    await first.ready.catch(() => {}); // where there is no such picture, each starts from nothing
    this.#workers.delete(first.number);
    this.#port.postMessage(["end", first.number]);
  }

  #close() {
    this.#port?.close();
    this.#frame?.remove();
    this.#port = this.#frame = undefined;
    for (const { resolve } of this.#waiting.values()) resolve(); // whatever was to be ended is
    this.#waiting.clear();
    for (const worker of this.#workers.values()) {
      worker.isOver = true;
      worker.onerror?.({ message: "its frame is gone" });
    }
    this.#workers.clear();
  }

  /** Ask the frame for something, and wait until it is done. */
  #asked(kind, seconds, told, number = ++this.#opened) {
    const port = this.#port;
    const answer = new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
    port.postMessage([kind, number, told]);
    return within(seconds, answer);
  }

  #hear([kind, number, ...told]) {
    const worker = this.#workers.get(number);
    if (kind === "from") return worker?.onmessage?.({ data: told });
    if (kind === "failed") return worker?.onerror?.({ message: String(told[0]) });
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return kind === "broken" ? waiting?.reject(new Error(String(told[0]))) : waiting?.resolve();
  }

  #worker(paint) {
    const number = ++this.#opened;
    const port = this.#port;
    const worker = { number, isOver: false, postMessage: (told) => port.postMessage(["post", number, told]) };
    const started = new Promise((resolve, reject) => {
      worker.onmessage = ({ data: [kind, told] }) => (kind === "ready" ? resolve() : reject(new Error(String(told))));
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    worker.ready = within(START, started);
    worker.terminate = () => this.#end(worker);
    this.#workers.set(number, worker);
    port.postMessage(["start", number, paint]);
    return worker;
  }

  #end(worker) {
    if (worker.isOver) return;
    worker.isOver = true;
    this.#workers.delete(worker.number);
    const before = this.#settled;
    const ended = this.#asked("end", GRACE, undefined, worker.number);
    const settled = Promise.all([before, ended]).catch(() => this.#open());
    settled.catch(() => {}); // whoever needs it will be told
    if (before) this.#settled = settled;
  }

  /** Return a new worker that is ready; in a new frame if this one has none in time. */
  async start() {
    await this.settled();
    this.tell(3);
    const worker = this.#worker(false);
    const isReady = await worker.ready.then(
      () => true,
      () => false,
    );
    if (isReady) return worker;
    this.replace();
    await this.settled();
    const another = this.#worker(false);
    await another.ready;
    return another;
  }
}

async function found(url, how = {}) {
  const response = await fetch(url, how).catch(() => undefined);
  if (!response) throw new Error(_("{url} cannot be had", { url }));
  if (!response.ok) throw new Error(_("{url} cannot be had ({status})", { url, status: response.status }));
  return response;
}

/** Return a file's bytes; its digest is checked where it comes from elsewhere. A version of Python never changes. */
async function content({ url, size, integrity, cache }, tell) {
  if (integrity) {
    const bytes = await (await found(url, { integrity, cache, credentials: "omit" })).arrayBuffer();
    tell(size);
    return bytes;
  }
  const chunks = [];
  const reader = (await found(url, { cache })).body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(chunks).arrayBuffer();
    chunks.push(value);
    tell(value.length);
  }
}

export class Python {
  #engine;
  #site;
  #spare;

  constructor({ engine, site }) {
    this.#engine = engine;
    this.#site = site;
  }

  /** Return Python with a worker that is ready; `tell` hears which of STEPS comes now. */
  static async of(parts, tell = () => {}) {
    const python = new Python(parts);
    parts.engine.tell = tell;
    await python.warm();
    parts.engine.tell = () => {};
    return python;
  }

  /** Have a worker ready for the next check. */
  warm() {
    this.#spare ??= this.#engine.start().catch((error) => {
      this.#spare = undefined;
      this.#engine.replace();
      throw error;
    });
    this.#spare.catch(() => {}); // whoever needs it will be told
    return this.#spare;
  }

  /** Return a worker that nobody else has, or undefined if the check was stopped meanwhile. */
  async #next(signal) {
    for (;;) {
      await this.#engine.settled();
      const worker = await this.warm();
      if (signal.aborted) return undefined;
      this.#spare = undefined;
      if (!worker.isOver) return worker;
    }
  }

  /** Return the page about a grade, made by a Python that no file has run in: what is wrong with it says so. */
  async #shown(files, grade, before, signal, { language, catalogue }) {
    const worker = await this.#next(signal);
    if (!worker) return { problem: stopped() };
    const run = new Run(worker, this.#site, SILENT, signal, { left: OWN });
    const told = await run.of("show", { files, catalogue, request: { grade, before, language } });
    if (told.done === undefined || this.#spare) worker.terminate();
    else this.#spare = Promise.resolve(worker);
    return told.done === undefined ? told : page(told.done);
  }

  /** Check files; return what Python says of them in a language, or the sentence why it says nothing. */
  async check(files, before, watch, signal, speech = {}) {
    const lost = {};
    const { total } = this.#site.seconds;
    const budget = { left: total };
    for (let tries = 0; tries < MOST_LOST; tries++) {
      const worker = await this.#next(signal);
      if (!worker) return { problem: stopped() };
      const { language, catalogue } = speech;
      const given = { files, catalogue, request: { lost, language } };
      const told = await new Run(worker, this.#site, watch, signal, budget).of("check", given);
      worker.terminate();
      this.warm();
      if (told.done !== undefined) return await this.#shown(files, told.done, before, signal, speech);
      if (!told.lost) return told;
      lost[told.lost] = told.heard;
      watch.lost(told);
    }
    return { problem: _("This file was stopped too often to be checked to the end: look at what was said above.") };
  }
}

/** One worker at one check, under the clock; all workers of a check share a budget. */
class Run {
  #asked = { carrier: 0, what: "", board: "", deadline: 0 };
  #heard = new Map();
  #silent = 0;

  constructor(worker, site, watch, signal, budget) {
    Object.assign(this, { worker, site, watch, signal, budget });
  }

  of(asked, given) {
    return new Promise((resolve) => {
      const end = (told) => {
        clearInterval(ticking);
        this.worker.onmessage = this.worker.onerror = undefined;
        resolve(told);
      };
      const ticking = clock((passed) => {
        this.#silent += passed;
        this.budget.left -= passed;
        const { carrier, deadline } = this.#asked;
        if (this.signal.aborted) end({ problem: stopped() });
        else if (carrier && this.#silent * this.site.pace > deadline) end(this.#lost({ deadline }));
        else if (!carrier && this.#silent > OWN) end({ problem: interfered() });
        else if (this.budget.left < 0) end({ problem: tooLong() });
      });
      this.worker.onerror = ({ message }) =>
        end(this.#asked.carrier && message !== REFUSED ? this.#lost() : { problem: interfered() });
      this.worker.onmessage = ({ data: [kind, ...what] }) => {
        if (this.signal.aborted) end({ problem: stopped() });
        else if (!fits(kind, what, this.site.functions)) end({ problem: interfered() });
        else if (kind === "asking") this.#asking(...what);
        else if (kind === "heard") this.#hear(...what);
        else if (kind === "judged" && !this.#asked.carrier) this.watch.judged(...what);
        else if (kind === "done") end({ done: what[0] });
        else if (kind === "ended" && this.#asked.carrier && !what[1]) end(this.#lost({ exit_code: exitCode(what[0]) }));
        else end({ problem: interfered() });
      };
      this.worker.postMessage([asked, given]);
    });
  }

  #asking(carrier, what, board) {
    const { read, load, call } = this.site.seconds;
    this.#silent = 0;
    this.#asked = { carrier, what, board, deadline: { read, load }[what] ?? call };
    this.watch.asking(what, board);
  }

  #hear(carrier, token, text, spent) {
    if (!this.#heard.has(carrier)) this.#heard.set(carrier, { answers: [], spent: 0 });
    const heard = this.#heard.get(carrier);
    heard.answers.push([token, text, spent]);
    heard.spent = spent;
    this.#silent = 0;
    this.#asked = { carrier: 0, what: "", board: "", deadline: 0 };
  }

  #lost({ deadline = null, exit_code = null } = {}) {
    const { carrier, what, board } = this.#asked;
    const { answers, spent } = this.#heard.get(carrier) ?? { answers: [], spent: 0 };
    const taken = deadline ?? this.#silent * this.site.pace;
    return { lost: carrier, what, board, deadline, heard: { answers, deadline, exit_code, spent: spent + taken } };
  }
}

const isCount = (told) => Number.isInteger(told) && told >= 0 && told < 1e6;
const isText = (told, _, most = LONGEST) => typeof told === "string" && told.length <= most;
const isBoard = (told) => typeof told === "string" && /^([XO.]{9})?$/.test(told);

/** What a worker may say, by kind: what each part has to be. */
const SAYS = {
  asking: [isCount, (told, functions) => functions.has(told), isBoard],
  heard: [isCount, isText, (told) => isText(told, undefined, LONGEST_REPLY), (told) => Number.isFinite(told) && told >= 0],
  judged: [isCount, (told) => isCount(told) && told > 0],
  done: [isText],
  ended: [isText, isCount],
};

function fits(kind, what, functions) {
  const parts = Object.hasOwn(SAYS, kind) ? SAYS[kind] : undefined;
  return parts?.length === what.length && parts.every((is, at) => is(what[at], functions));
}

/** Return the page that a clean worker has made; it makes none of what is no grade. */
function page(text) {
  const told = JSON.parse(text);
  return told.html || told.problem || told.note ? told : { problem: interfered() };
}

function exitCode(words) {
  const found = /exit\((\d{1,3})\)/.exec(words);
  return found && Number(found[1]);
}

const stopped = () => _("Stopped.");
const tooLong = () =>
  _("This check was ended, for it took too long. The file is very slow, or does something that never ends: try it on your own machine first.");
const interfered = () =>
  _("This file changes what the check itself runs with (builtins, modules, or the page), so nothing can be said of it here. Leave that out, and check again.");
