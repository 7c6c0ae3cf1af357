// Keeps the memory of a Python that has answered the page's first requests, so that the page need
// not start Python:
//
//   node remember.mjs FOLDER
//
// FOLDER is a site that `dipsat lab` has written. The memory becomes a file in it, which
// engine.json names.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";
import { answering, startAnew } from "./python.mjs";
import { FIRST, RULES_FILE, rulesOf } from "./state.mjs";
import GAME from "../../docs/examples/two-years.txt";

const MEMORY = "memory.pack";

// The requests of the panels when the page opens, and likely next requests; for a search, this runs
// the part before the solver.
const rules = rulesOf(FIRST);
const board = { orders: FIRST.orders, lenient: true, seconds: 20, rules };
const adjudicate = { request: "adjudicate", ...board };
const WARM = [
  adjudicate,
  { request: "rules", what: "check", rules: { text: FIRST.rules, name: RULES_FILE } },
  { request: "svg", ...board },
  { request: "prove", ...board },
  { request: "svg", what: "cycle", ...board },
  { request: "compare", ...board, rules: [rules, "datc"] },
  { request: "legal-orders", ...board },
  { request: "explain", unit: "A BRE", ...board },
  { request: "svg", what: "explanation", unit: "A BRE", ...board },
  { request: "rules" },
  { request: "rules", what: "words" },
  { request: "rules", what: "entries" },
  { request: "maps" },
  { request: "maps", map: "standard" },
  { request: "replay", game: GAME, rules, limit: 2 },
  { request: "cases", names: ["6.F.14"] },
  { request: "search", question: "paradox", ...board },
];

const folder = `${path.resolve(process.argv.at(-1))}${path.sep}`;
const found = JSON.parse(fs.readFileSync(`${folder}engine.json`, "utf8"));
const pyodide = await import(pathToFileURL(`${folder}pyodide.mjs`));
const packed = zlib.gunzipSync(fs.readFileSync(folder + found.packed));
const python = await startAnew(pyodide, folder, packed, { _makeSnapshot: true, _sysExecutable: "python" });
const answer = answering(python);
for (const request of WARM) answer(JSON.stringify(request));
const request = JSON.stringify(adjudicate);
const check = { request, answer: answer(request) };
if (!JSON.parse(check.answer).answer) throw new Error(check.answer);
answer.destroy();
python.runPython("import gc; gc.collect()");
const memory = python.makeMemorySnapshot();
const small = zlib.gzipSync(memory);
fs.writeFileSync(folder + MEMORY, small);
fs.chmodSync(folder + MEMORY, fs.statSync(`${folder}engine.json`).mode); // readable by whoever can read the site
found.memory = { name: MEMORY, size: small.length, bytes: memory.length, check };
fs.writeFileSync(`${folder}engine.json`, `${JSON.stringify(found, null, 1)}\n`);
process.exit(0);
