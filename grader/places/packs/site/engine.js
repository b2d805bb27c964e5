// Python's workers, in a frame of no origin: what runs in them reaches no server, no storage and no page.
"use strict";
(() => {
  const MOST = 200_000; // messages of one worker
  const LARGEST = 2 ** 26; // characters of them together
  const PARTS = 6; // of one message
  const workers = new Map();
  let given; // what every worker starts with
  let script;

  const url = (bytes) => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));

  /** Return a copy of a short list of texts and numbers, or undefined; nothing inside any other value is looked at. */
  const flat = (told) => {
    if (!Array.isArray(told) || told.length > PARTS) return undefined;
    const copy = [];
    for (let at = 0; at < told.length; at++) {
      if (typeof told[at] !== "string" && typeof told[at] !== "number") return undefined;
      copy.push(told[at]);
    }
    return copy;
  };

  const parts = async (told) => {
    script = url(told.worker);
    given = {
      loader: url(told.loader),
      engine: url(told.engine),
      wasm: await WebAssembly.compile(told.wasm),
      library: told.library,
      grader: told.grader,
      site: told.site,
    };
  };
  const end = (number) => {
    workers.get(number)?.terminate();
    workers.delete(number);
  };
  const start = (port, number, paint) => {
    const worker = new Worker(script);
    let messages = 0;
    let characters = 0;
    workers.set(number, worker);
    const failed = (why) => {
      end(number);
      port.postMessage(["failed", number, why]);
    };
    worker.onerror = (event) => failed(String(event.message || "the worker did not start").slice(0, 200));
    worker.onmessage = ({ data }) => {
      if (paint && Array.isArray(data) && data[0] === "ready") {
        given.picture = data[1]; // of a Python that has seen no file
        return port.postMessage(["from", number, "ready"]);
      }
      const told = flat(data);
      messages += 1;
      for (const part of told ?? []) characters += part.length ?? 1;
      if (!told || messages > MOST || characters > LARGEST) return failed("refused");
      return port.postMessage(["from", number, ...told]);
    };
    worker.postMessage(["start", { ...given, paint }]);
  };

  addEventListener(
    "message",
    ({ ports: [port] }) => {
      port.onmessage = async ({ data: [kind, number, told] }) => {
        if (kind === "start") start(port, number, told);
        else if (kind === "post") workers.get(number)?.postMessage(told);
        else if (kind === "end") {
          end(number);
          port.postMessage(["ended", number]);
        } else {
          await parts(told).then(
            () => port.postMessage(["there", number]),
            (error) => port.postMessage(["broken", number, String(error?.message ?? error)]),
          );
        }
      };
    },
    { once: true },
  );
})();
