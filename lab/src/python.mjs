// dipsat in Python compiled to WebAssembly: started fresh, or from a kept memory.
//
// A kept memory is that of a Python that has already answered. Pyodide has undocumented options to
// make and load one, so a site states what its memory must answer, and the loader compares. A
// memory has no files: these are put in place however Python starts.

const DATE = 946684800000; // one date for all files, so that a kept memory recognizes them
const HOME = { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" };

const BEGIN = `
import json
import dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
`;

const written = (block, from, to) => new TextDecoder().decode(block.subarray(from, to)).split("\0")[0];

// The files of a tar archive, as written by `dipsat lab`: names and bytes.
export function* untarred(data) {
  for (let at = 0; at + 512 <= data.length && data[at] !== 0;) {
    const head = data.subarray(at, at + 512);
    const size = Number.parseInt(written(head, 124, 136), 8);
    const folder = written(head, 345, 500);
    const name = written(head, 0, 100);
    yield [folder ? `${folder}/${name}` : name, data.subarray(at + 512, at + 512 + size)];
    at += 512 + 512 * Math.ceil(size / 512);
  }
}

// Puts the files of an archive where Python looks for packages.
function unpack(files, top, data) {
  const folders = new Set();
  for (const [name, content] of untarred(data)) {
    const path = `${top}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) files.mkdirTree(folder);
    folders.add(folder);
    files.writeFile(path, content, { canOwn: true });
    files.utime(path, DATE, DATE);
  }
}

// A function that Pyodide calls before Python starts.
const filling = (packed) => async (files, { sitePackages }) => unpack(files, sitePackages, await packed);

// `pyodide` is the module pyodide.mjs, `folder` has its other files, `packed` promises the archive
// with dipsat.
export async function startAnew(pyodide, folder, packed, options = {}) {
  const python = await pyodide.loadPyodide({
    indexURL: folder, env: { ...HOME }, fsInit: filling(packed), ...options,
  });
  python.runPython(BEGIN);
  return python;
}

// `memory` is an array for the kept memory; `filled` promises that it has been filled. `makeModule`
// is the export of pyodide.asm.mjs.
export function startKept(pyodide, folder, packed, { memory, filled, makeModule }) {
  const createPyodideModule = async (settings) => {
    const module = await makeModule(settings);
    await filled;
    grow(module, memory.length);
    keepOwnTrampoline(module, settings.API);
    return module;
  };
  return pyodide.loadPyodide({
    indexURL: folder, env: { ...HOME }, fsInit: filling(packed), _loadSnapshot: memory,
    createPyodideModule,
  });
}

// The memory of a new Python is smaller. The kept memory overwrites what is allocated here.
function grow(module, size) {
  while (module.HEAP8.length < size) {
    if (!module._malloc(size)) throw new Error("there is not enough memory");
  }
}

// The function with which Python calls C depends on this browser, not on the one that kept the
// memory.
function keepOwnTrampoline(module, api) {
  const at = module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >> 2] + module.__PyRuntime;
  const own = module.HEAP32[at >> 2];
  const restore = api.restoreSnapshot;
  api.restoreSnapshot = (memory) => {
    const found = restore(memory);
    module.HEAP8.fill(0, memory.length);
    module.HEAP32[at >> 2] = own;
    api.config._loadSnapshot = null; // frees fifty megabytes that nothing needs any more
    return found;
  };
}

// The function from requests to answers, both as JSON.
export const answering = (python) => python.globals.get("answer");

// Lets Python import the contents of an archive.
export function add(python, data) {
  unpack(python.FS, python.runPython("import site; site.getsitepackages()[0]"), data);
  python.runPython("import importlib; importlib.invalidate_caches()");
}
