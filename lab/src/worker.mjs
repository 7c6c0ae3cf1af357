// dipsat in Python compiled to WebAssembly. The first message names the files; each of the others is
// a request. Z3 is loaded when a request first needs it.

let python = null;
let answer = null;
let z3 = null;

const tell = (told) => postMessage({ told });

async function bytes(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

// A wheel for another system is good for its Python code; its compiled modules are left out. All
// files get one date, so that modules compiled in an earlier visit fit them.
const UNPACK = `
import importlib, os, site, sys, zipfile
sys.dont_write_bytecode = False
def unpack(path):
    top = site.getsitepackages()[0]
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if ".cpython-" not in name or name.endswith(".pyc")]
        packed.extractall(top, names)
        for name in names:
            os.utime(os.path.join(top, name), (946684800, 946684800))
    importlib.invalidate_caches()
`;
const ANSWER = `
import json, dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
`;
const COMPILED = `
import io, os, site, zipfile
def compiled():
    top, packed = site.getsitepackages()[0], io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".pyc"):
                    made.write(path, os.path.relpath(path, top))
    return packed.getvalue()
compiled()
`;

async function unpack(data) {
  python.FS.writeFile("/tmp/packed.zip", data);
  python.runPython('unpack("/tmp/packed.zip")');
}

async function start(files) {
  tell("Loading Python …");
  const module = import(new URL("pyodide.mjs", self.location.href).href);
  const packed = files.packages.map(bytes);
  const kept = keptModules(files);
  z3 = files.z3;
  const { loadPyodide } = await module;
  python = await loadPyodide({ indexURL: new URL("./", self.location.href).href });
  python.runPython(UNPACK);
  tell("Loading dipsat …");
  for (const one of packed) await unpack(await one);
  const found = await kept;
  if (found) await unpack(found);
  python.runPython(ANSWER);
  answer = python.globals.get("answer");
  if (!found) setTimeout(() => keepModules(files), 3000);
}

// The browser keeps the modules that Python has compiled; the next visit starts sooner.
async function keptModules({ version }) {
  try {
    const response = await (await caches.open("dipsat-lab")).match(`compiled-${version}`);
    return response ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null; // a browser may refuse to keep anything
  }
}

async function keepModules({ version }) {
  try {
    const made = python.runPython(COMPILED);
    const data = made.toJs();
    made.destroy();
    await caches.delete("dipsat-lab");
    await (await caches.open("dipsat-lab")).put(`compiled-${version}`, new Response(data));
  } catch {
    // the next visit compiles them again
  }
}

async function answered(request) {
  const found = answer(request);
  if (z3 === null || JSON.parse(found).error?.kind !== "SolverError") return found;
  tell("Loading Z3 …");
  const name = z3;
  z3 = null;
  await unpack(await bytes(name));
  return answer(request);
}

let turn = Promise.resolve();
self.onmessage = ({ data }) => {
  if (data.files) {
    turn = start(data.files);
    turn.catch(() => {}); // every request says why
    return;
  }
  const ready = turn;
  turn = (async () => {
    await ready;
    postMessage({ number: data.number, answer: await answered(data.request) });
  })();
  turn = turn.catch((error) => {
    postMessage({ number: data.number, failed: `The engine failed: ${error.message || error}` });
    if (answer === null) throw error;
  });
  turn.catch(() => {});
};
