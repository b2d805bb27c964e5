// Python in workers: its parts are fetched once, a worker serves one check, and one that does not answer is ended.
const SLICE = 250; // milliseconds between two looks at the clock
const OWN = 90; // seconds that the grader itself may be silent
const MOST_LOST = 60; // workers that one file may cost

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
  const script = (name) => URL.createObjectURL(new Blob([parts[name]], { type: "text/javascript" }));
  return {
    pace: data.pace,
    script: script("worker.js"),
    given: {
      loader: script("pyodide.mjs"),
      engine: script("pyodide.asm.mjs"),
      wasm: await WebAssembly.compile(parts["pyodide.asm.wasm"]),
      library: parts["python_stdlib.zip"],
      grader: parts["grader.zip"],
      site: JSON.stringify(data.check),
    },
  };
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
      const { worker, picture } = await started(parts, { paint: true });
      worker.terminate();
      return await new Python({ ...parts, given: { ...parts.given, picture } }).warmed();
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
    const { worker } = await this.warm();
    this.#spare = undefined;
    return worker;
  }

  /** Check files; return what Python says of them, or the sentence why it says nothing. */
  async check(files, before, watch, signal) {
    const lost = {};
    for (let tries = 0; tries < MOST_LOST; tries++) {
      const worker = await this.#next();
      const one = new Run(worker, this.#parts.pace, watch, signal);
      const told = await one.of({ files, request: { lost, before } });
      worker.terminate();
      if (!told.lost) {
        this.warm();
        return told;
      }
      lost[told.lost] = told.heard;
      watch.lost(told);
    }
    return { problem: "This file was stopped too often to be checked to the end: look at what was said above." };
  }
}

function started(parts, how = {}) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(parts.script, { type: "module" });
    const failed = (why) => {
      worker.terminate();
      reject(new Error(why));
    };
    worker.onmessage = ({ data: [kind, told] }) => (kind === "ready" ? resolve({ worker, picture: told }) : failed(told));
    worker.onerror = (event) => failed(event.message || "the worker did not start");
    worker.postMessage(["start", { ...parts.given, ...how }]);
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

  of(given) {
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
      this.worker.onerror = () => end(this.#asked.carrier ? this.#lost() : { problem: INTERFERED });
      this.worker.onmessage = ({ data: [kind, ...what] }) => {
        this.#silent = 0;
        if (kind === "asking") this.#asking(...what);
        else if (kind === "heard") this.#hear(...what);
        else if (kind === "judged") this.watch.judged(...what);
        else if (kind === "done") end(answer(what[0]));
        else if (this.#asked.carrier && !what[1]) end(this.#lost({ exit_code: exitCode(what[0]) }));
        else end({ problem: INTERFERED, why: what[0] });
      };
      this.worker.postMessage(["check", given]);
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

/** Return what Python says of a file; what says nothing was not said by the grader. */
function answer(text) {
  const told = JSON.parse(text);
  return told.html || told.problem ? told : { problem: INTERFERED };
}

function exitCode(words) {
  const found = /exit\((\d+)\)/.exec(words);
  return found && Number(found[1]);
}

const INTERFERED =
  "This file changes what the check itself runs with (builtins, modules, or the page), so nothing can be said of it here. " +
  "Leave that out, and check again.";
