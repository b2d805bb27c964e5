// Python's workers, in a frame of no origin: what runs in them reaches no server, no storage and no page.
"use strict";
(() => {
  const MOST = 200_000; // messages of one worker
  const LARGEST = 2 ** 26; // characters of them together
  const workers = new Map();
  let given; // what every worker starts with
  let script;

  const url = (bytes) => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  const size = (told) => (typeof told === "string" ? told.length : Array.isArray(told) ? told.reduce((sum, one) => sum + size(one), 1) : 1);

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
    worker.onerror = (event) => failed(event.message || "the worker did not start");
    worker.onmessage = ({ data }) => {
      if (paint && Array.isArray(data) && data[0] === "ready") {
        given.picture = data[1]; // of a Python that has seen no file
        return port.postMessage(["from", number, ["ready"]]);
      }
      messages += 1;
      characters += size(data);
      if (messages > MOST || characters > LARGEST) return failed("it says too much");
      return port.postMessage(["from", number, data]);
    };
    worker.postMessage(["start", { ...given, paint }]);
  };

  addEventListener(
    "message",
    ({ ports: [port] }) => {
      port.onmessage = async ({ data: [kind, number, told] }) => {
        if (kind === "start") start(port, number, told);
        else if (kind === "post") workers.get(number)?.postMessage(told);
        else if (kind === "end") end(number);
        else {
          await parts(told).then(
            () => port.postMessage(["there"]),
            (error) => port.postMessage(["failed", 0, String(error?.message ?? error)]),
          );
        }
      };
    },
    { once: true },
  );
})();
