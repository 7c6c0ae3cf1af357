// Answers requests with dipsat in Python compiled to WebAssembly, as a page's worker does: from the
// kept memory of a site, if it has one.
//
//   node in_pyodide.mjs SITE < REQUESTS
//
// SITE is a folder that `dipsat lab --pyodide` has written. REQUESTS is a JSON object with three
// lists: `before` a solver is loaded, `between` the SAT solver and Z3, and `after` both. Prints the
// answers in such an object, and of each step the `seconds` and those of the `processor`.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";
import { add, answering, startAnew, startKept } from "../../lab/src/python.mjs";

const folder = `${path.resolve(process.argv[2])}${path.sep}`;
const requests = JSON.parse(fs.readFileSync(0, "utf8"));
const seconds = {};
const processor = {};
let last = performance.now();
let spent = process.cpuUsage();
function lap(what) {
  const { user, system } = process.cpuUsage(spent);
  seconds[what] = Math.round(performance.now() - last) / 1000;
  processor[what] = Math.round((user + system) / 1000) / 1000;
  last = performance.now();
  spent = process.cpuUsage();
}

const read = (name) => fs.readFileSync(folder + name);
const site = JSON.parse(read("engine.json"));
const pyodide = await import(pathToFileURL(`${folder}pyodide.mjs`));
const { default: makeModule } = await import(pathToFileURL(`${folder}pyodide.asm.mjs`));
const packed = zlib.gunzipSync(read(site.packed));

async function startedKept({ name, bytes }) {
  const memory = new Uint8Array(bytes);
  const filled = (async () => memory.set(zlib.gunzipSync(read(name))))();
  return startKept(pyodide, folder, packed, { memory, filled, makeModule });
}

const { memory } = site;
const python = memory ? await startedKept(memory) : await startAnew(pyodide, folder, packed);
const answer = answering(python);
lap("start");

function answers(name) {
  return requests[name].map((request, at) => {
    const found = JSON.parse(answer(JSON.stringify(request)));
    lap(`${name} ${at} ${request.request}`);
    return found;
  });
}

function load(solver, command) {
  add(python, zlib.gunzipSync(read(site.solvers[solver].name)));
  python.runPython(command);
  lap(solver);
}

const before = answers("before");
load("sat", "import pysat.solvers");
const between = answers("between");
load("z3", "import z3; z3.Context()");
const after = answers("after");
process.stdout.write(JSON.stringify({ before, between, after, seconds, processor }));
