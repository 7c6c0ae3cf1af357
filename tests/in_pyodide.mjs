// Answers requests with dipsat in Python compiled to WebAssembly, as a page's worker does.
//
//   node in_pyodide.mjs FOLDER WHEEL < REQUESTS
//
// FOLDER has the npm package `pyodide` in `node_modules`, and in `wheels` those of PyYAML and Z3.
// WHEEL is that of dipsat. REQUESTS is a JSON object with two lists, `before` and `after` Z3 is
// loaded. Prints the answers in such an object, and the `seconds` of each step.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel] = process.argv.slice(2);
const requests = JSON.parse(fs.readFileSync(0, "utf8"));
const seconds = {};
let last = performance.now();
function lap(what) {
  const now = performance.now();
  seconds[what] = Math.round(now - last) / 1000;
  last = now;
}

const module = path.join(folder, "node_modules", "pyodide", "pyodide.mjs");
const { loadPyodide } = await import(pathToFileURL(module));
const python = await loadPyodide();
lap("python");

// A wheel for another system is good for its Python code; its compiled modules are left out.
const UNPACK = `
import importlib, site, zipfile
with zipfile.ZipFile("/tmp/some.whl") as wheel:
    native = ".cpython-"
    wheel.extractall(site.getsitepackages()[0], [n for n in wheel.namelist() if native not in n])
importlib.invalidate_caches()
`;
function unpack(file) {
  python.FS.writeFile("/tmp/some.whl", fs.readFileSync(file));
  python.runPython(UNPACK);
}

const wheels = fs.readdirSync(path.join(folder, "wheels")).sort();
const isZ3 = (name) => name.startsWith("z3_solver");
for (const name of wheels.filter((name) => !isZ3(name))) {
  unpack(path.join(folder, "wheels", name));
}
unpack(wheel);
lap("packages");

python.runPython(`
import json, dipsat
def answer(request):
    return json.dumps(dipsat.answer(json.loads(request)))
`);
const answer = python.globals.get("answer");
lap("import");

function answers(name) {
  return requests[name].map((request, at) => {
    const found = JSON.parse(answer(JSON.stringify(request)));
    lap(`${name} ${at} ${request.request}`);
    return found;
  });
}

const before = answers("before");
for (const name of wheels.filter(isZ3)) {
  unpack(path.join(folder, "wheels", name));
}
python.runPython("import z3; z3.Context()");
lap("z3");
const after = answers("after");
process.stdout.write(JSON.stringify({ before, after, seconds }));
