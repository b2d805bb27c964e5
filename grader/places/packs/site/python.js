// Python in workers: its parts are fetched once, a worker serves one check, and one that does not answer is ended.
const SLICE = 250; // milliseconds between two looks at the clock
const OWN = 90; // seconds that the grader itself may be silent
const MOST_LOST = 60; // workers that one file may cost
const LONGEST = 2000; // characters of a sentence
const TOO_MUCH = "it says too much"; // of a worker that the frame has ended for that
const SILENT = { asking() {}, judged() {}, lost() {} };

/** Fetch everything that a worker needs; `tell` hears how much of it is there, as a share. */
export async function fetched(tell) {
  const data = await (await found("site.json")).json();
  const { address, files } = data.python;
  const wanted = [
    { name: "grader.zip", url: "grader.zip", size: data.size },
    { name: "worker.js", url: "worker.js", size: 3000 },
    ...files.map((file) => ({ ...file, url: address + file.name })),
  ];
  const whole = wanted.reduce((sum, file) => sum + file.size, 0);
  let there = 0;
  const contents = await Promise.all(
    wanted.map((file) => content(file, (size) => tell(Math.min(1, (there += size) / whole)))),
  );
  const parts = Object.fromEntries(wanted.map((file, at) => [file.name, contents[at]]));
  const engine = new Engine();
  await engine.take({
    worker: parts["worker.js"],
    loader: parts["pyodide.mjs"],
    engine: parts["pyodide.asm.mjs"],
    wasm: parts["pyodide.asm.wasm"],
    library: parts["python_stdlib.zip"],
    grader: parts["grader.zip"],
    site: JSON.stringify(data.check),
  });
  return { pace: data.pace, engine };
}

/** The frame in which Python's workers run: of no origin, without a connection. All that it says is untrusted. */
class Engine {
  #frame = document.createElement("iframe");
  #port;
  #workers = new Map();
  #opened = 0;
  #there;

  /** Open the frame and give it what Python is made of. */
  take(parts) {
    Object.assign(this.#frame, { src: "engine.html", title: "Python", hidden: true });
    this.#frame.sandbox = "allow-scripts";
    return new Promise((resolve, reject) => {
      let loads = 0;
      this.#frame.onload = () => {
        if (++loads > 1) return this.#leave(); // it went somewhere else
        const { port1, port2 } = new MessageChannel();
        this.#port = port1;
        this.#there = { resolve, reject };
        port1.onmessage = ({ data }) => this.#hear(data);
        this.#frame.contentWindow.postMessage("", "*", [port2]);
        port1.postMessage(["parts", 0, parts]);
        return undefined;
      };
      document.body.append(this.#frame);
    });
  }

  #leave() {
    this.#port.close();
    this.#frame.remove();
    for (const worker of this.#workers.values()) worker.onerror?.({ message: INTERFERED });
  }

  #hear([kind, number, told]) {
    const worker = this.#workers.get(number);
    if (kind === "there") this.#there.resolve();
    else if (kind === "from") worker?.onmessage?.({ data: Array.isArray(told) ? told : [] });
    else if (worker) worker.onerror?.({ message: String(told) });
    else this.#there.reject(new Error(String(told)));
  }

  /** Return a new worker, to be used as any other. */
  start(paint = false) {
    const number = ++this.#opened;
    const port = this.#port;
    const worker = {
      postMessage: (told) => port.postMessage(["post", number, told]),
      terminate: () => {
        this.#workers.delete(number);
        port.postMessage(["end", number]);
      },
    };
    this.#workers.set(number, worker);
    port.postMessage(["start", number, paint]);
    return worker;
  }
}

async function found(url, how = {}) {
  const response = await fetch(url, how).catch(() => undefined);
  if (!response?.ok) throw new Error(`${url} cannot be had${response ? ` (${response.status})` : ""}`);
  return response;
}

/** Return a file's bytes; its digest is checked where it comes from elsewhere. */
async function content({ url, size, integrity }, tell) {
  if (integrity) {
    const bytes = await (await found(url, { integrity, credentials: "omit" })).arrayBuffer();
    tell(size);
    return bytes;
  }
  const chunks = [];
  const reader = (await found(url)).body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(chunks).arrayBuffer();
    chunks.push(value);
    tell(value.length);
  }
}

export class Python {
  #parts;
  #spare;

  constructor(parts) {
    this.#parts = parts;
  }

  /** Start the first Python, and keep a picture of its memory, from which others start in no time. */
  static async of(parts) {
    try {
      const worker = await started(parts, true);
      worker.terminate();
      return await new Python(parts).warmed();
    } catch {
      return await new Python(parts).warmed(); // where there is no such picture, each starts from nothing
    }
  }

  /** Have a worker ready for the next check. */
  warm() {
    this.#spare ??= started(this.#parts).catch((error) => {
      this.#spare = undefined;
      throw error;
    });
    this.#spare.catch(() => {}); // whoever needs it will be told
    return this.#spare;
  }

  async warmed() {
    await this.warm();
    return this;
  }

  async #next() {
    const worker = await this.warm();
    this.#spare = undefined;
    return worker;
  }

  /** Return the page about a grade, made by a Python that no file has run in: what is wrong with it says so. */
  async #shown(files, grade, before, signal) {
    const worker = await this.warm();
    const told = await new Run(worker, this.#parts.pace, SILENT, signal).of("show", { files, request: { grade, before } });
    if (!told.html) {
      worker.terminate();
      this.#spare = undefined;
    }
    return told;
  }

  /** Check files; return what Python says of them, or the sentence why it says nothing. */
  async check(files, before, watch, signal) {
    const lost = {};
    for (let tries = 0; tries < MOST_LOST; tries++) {
      const worker = await this.#next();
      const one = new Run(worker, this.#parts.pace, watch, signal);
      const told = await one.of("check", { files, request: { lost } });
      worker.terminate();
      if (!told.lost) {
        this.warm();
        return told.grade ? await this.#shown(files, told.grade, before, signal) : told;
      }
      lost[told.lost] = told.heard;
      watch.lost(told);
    }
    return { problem: "This file was stopped too often to be checked to the end: look at what was said above." };
  }
}

function started(parts, paint) {
  return new Promise((resolve, reject) => {
    const worker = parts.engine.start(paint);
    const failed = (why) => {
      worker.terminate();
      reject(new Error(why));
    };
    worker.onmessage = ({ data: [kind, told] }) => (kind === "ready" ? resolve(worker) : failed(String(told)));
    worker.onerror = (event) => failed(event.message);
  });
}

/** One worker at one check, under the clock: only time in which this page was awake counts. */
class Run {
  #asked = { carrier: 0, what: "", board: "", deadline: 0 };
  #heard = new Map();
  #silent = 0;

  constructor(worker, pace, watch, signal) {
    Object.assign(this, { worker, pace, watch, signal });
  }

  of(asked, given) {
    return new Promise((resolve) => {
      let looked = performance.now();
      const end = (told) => {
        clearInterval(clock);
        resolve(told);
      };
      const clock = setInterval(() => {
        const now = performance.now();
        this.#silent += Math.min(now - looked, 2 * SLICE) / 1000;
        looked = now;
        const { carrier, deadline } = this.#asked;
        if (this.signal.aborted) end({ problem: "Stopped." });
        else if (carrier && this.#silent * this.pace > deadline) end(this.#lost({ deadline }));
        else if (!carrier && this.#silent > OWN) end({ problem: INTERFERED });
      }, SLICE);
      this.worker.onerror = ({ message }) =>
        end(this.#asked.carrier && message !== TOO_MUCH ? this.#lost() : { problem: INTERFERED });
      this.worker.onmessage = ({ data: [kind, ...what] }) => {
        this.#silent = 0;
        if (!fits(kind, what)) end({ problem: INTERFERED });
        else if (kind === "asking") this.#asking(...what);
        else if (kind === "heard") this.#hear(...what);
        else if (kind === "judged") this.watch.judged(...what);
        else if (kind === "done") end((asked === "show" ? page : grade)(what[0]));
        else if (this.#asked.carrier && !what[1]) end(this.#lost({ exit_code: exitCode(what[0]) }));
        else end({ problem: INTERFERED, why: what[0] });
      };
      this.worker.postMessage([asked, given]);
    });
  }

  #asking(carrier, what, board, deadline) {
    this.#asked = { carrier, what, board, deadline: deadline || 30 };
    this.watch.asking(what, board);
  }

  #hear(carrier, token, text, spent) {
    if (!this.#heard.has(carrier)) this.#heard.set(carrier, { answers: [], spent: 0 });
    const heard = this.#heard.get(carrier);
    heard.answers.push([token, text ?? null, spent]);
    heard.spent = spent;
    this.#asked = { carrier: 0, what: "", board: "", deadline: 0 };
  }

  #lost({ deadline = null, exit_code = null } = {}) {
    const { carrier, what, board } = this.#asked;
    const { answers, spent } = this.#heard.get(carrier) ?? { answers: [], spent: 0 };
    const taken = deadline ?? this.#silent * this.pace;
    return { lost: carrier, what, board, deadline, heard: { answers, deadline, exit_code, spent: spent + taken } };
  }
}

/** What a worker may say, by kind: the types of each part. */
const SAYS = {
  asking: ["number", "string", "string", "number"],
  heard: ["number", "string", "string?", "number"],
  judged: ["number", "number"],
  done: ["string"],
  ended: ["string", "boolean"],
};

function fits(kind, what) {
  const types = Object.hasOwn(SAYS, kind) ? SAYS[kind] : undefined;
  const is = (type, one) => typeof one === type.replace("?", "") || (type.endsWith("?") && (one === null || one === undefined));
  return types?.every((type, at) => is(type, what[at])) ?? false;
}

/** Return the grade that a worker tells, or its sentence: the file has run there, so it is data and nothing more. */
function grade(text) {
  const told = parsed(text);
  if (typeof told?.problem === "string") return { problem: told.problem.slice(0, LONGEST) };
  return told?.grade ? { grade: told.grade } : { problem: INTERFERED };
}

/** Return the page that a clean worker has made; it makes none of what is no grade. */
function page(text) {
  const told = parsed(text);
  return told?.html ? told : { problem: INTERFERED };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // that was not the grader
  }
}

function exitCode(words) {
  const found = /exit\((\d+)\)/.exec(words);
  return found && Number(found[1]);
}

const INTERFERED =
  "This file changes what the check itself runs with (builtins, modules, or the page), so nothing can be said of it here. " +
  "Leave that out, and check again.";
