// One Python, for one check: it has everything that it needs before it starts, and asks nobody for anything.
const MOST_MEMORY = 700 * 2 ** 20;
const START = `
import sys
sys.path[:] = ["/site", *filter(None, sys.path)]
from grader.site.checking import checker
check, show = checker(site)
`;
const LANGUAGES = "/site/grader/languages";
let check;
let show;
let folders; // of Python, in memory

self.onmessage = async ({ data: [kind, given] }) => {
  try {
    if (given.catalogue) folders.writeFile(`${LANGUAGES}/${given.request.language}.mo`, new Uint8Array(given.catalogue));
    if (kind === "start") postMessage(["ready", ...(await start(given))]);
    else if (kind === "show") postMessage(["done", show(JSON.stringify(given.request), given.files)]);
    else postMessage(["done", check(JSON.stringify(given.request), given.files, page)]);
  } catch (error) {
    postMessage(["ended", String(error?.message ?? error).slice(-2000), Number(error?.name === "PythonError")]);
  }
};

const page = {
  asking: (...what) => postMessage(["asking", ...what]),
  heard: (...what) => postMessage(["heard", ...what]),
  judged: (...what) => postMessage(["judged", ...what]),
};

/** Start Python, from a picture of its memory if there is one; return a list with such a picture if that is wanted. */
async function start({ loader, engine, wasm, library, grader, site, picture, paint }) {
  const { loadPyodide } = await import(loader);
  const { default: create } = await import(engine);
  self.fetch = async (url) => new Response(String(url).endsWith(".zip") ? library : "");
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: wasm, instance: await WebAssembly.instantiate(wasm, imports) });
  limitMemory();
  const python = await loadPyodide({
    createPyodideModule: async (settings) => withRoom(await create(settings), picture?.length ?? 0),
    indexURL: "https://python.invalid/", // nothing is fetched: it is all here
    lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
    env: { PYTHONHASHSEED: "0", HOME: "/home/student" },
    stdin: () => null,
    stdout: () => {},
    stderr: () => {},
    ...(paint ? { _makeSnapshot: true } : picture ? { _loadSnapshot: picture } : {}),
  });
  python.unpackArchive(grader, "zip", { extractDir: "/site" });
  folders = python.FS;
  folders.mkdirTree(LANGUAGES);
  if (!picture) {
    python.globals.set("site", site);
    python.runPython(START);
  }
  if (paint) return [python.makeMemorySnapshot()];
  check = python.globals.get("check");
  show = python.globals.get("show");
  return [];
}

/** Let the memory grow until a picture fits into it. */
function withRoom(module, size) {
  while (module.HEAP8.length < size) module._malloc(2 ** 20);
  return module;
}

function limitMemory() {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > MOST_MEMORY) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}
