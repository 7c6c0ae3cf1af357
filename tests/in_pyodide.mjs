// Answers requests with dipsat in Python compiled to WebAssembly, as a page's worker does, from the
// kept memory of a site.
//
//   node in_pyodide.mjs SITE < REQUESTS
//
// SITE is a folder that `dipsat lab --pyodide` has written. REQUESTS is a JSON object with two lists,
// `before` and `after` Z3 is loaded. Prints the answers in such an object, and the `seconds` of each
// step.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";
import { answering, startKept, unpack } from "../lab/src/python.mjs";

const folder = `${path.resolve(process.argv[2])}${path.sep}`;
const requests = JSON.parse(fs.readFileSync(0, "utf8"));
const seconds = {};
let last = performance.now();
function lap(what) {
  const now = performance.now();
  seconds[what] = Math.round(now - last) / 1000;
  last = now;
}

const read = (name) => fs.readFileSync(folder + name);
const site = JSON.parse(read("engine.json"));
const pyodide = await import(pathToFileURL(`${folder}pyodide.mjs`));
const { default: makeModule } = await import(pathToFileURL(`${folder}pyodide.asm.mjs`));
const memory = new Uint8Array(site.memory.bytes);
const filled = (async () => memory.set(zlib.gunzipSync(read(site.memory.name))))();
const packed = zlib.gunzipSync(read(site.packed));
const python = await startKept(pyodide, folder, packed, { memory, filled, makeModule });
const answer = answering(python);
lap("start");

function answers(name) {
  return requests[name].map((request, at) => {
    const found = JSON.parse(answer(JSON.stringify(request)));
    lap(`${name} ${at} ${request.request}`);
    return found;
  });
}

const before = answers("before");
unpack(python, read(site.z3.name));
python.runPython("import z3; z3.Context()");
lap("z3");
const after = answers("after");
process.stdout.write(JSON.stringify({ before, after, seconds }));
