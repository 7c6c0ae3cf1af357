// dipsat in a worker of the page. The first message says what the site has (engine.json); every
// other message is a request. A solver is loaded when a request first needs it.
import { makeLoading, unpacked } from "./loading.mjs";
import { add, answering, startAnew, startKept } from "./python.mjs";

const FOLDER = new URL("./", self.location.href).href;
const loading = makeLoading((told) => postMessage({ told }));

let python = null;
let answer = null;
let version = "";
let solvers = {}; // those not loaded yet

async function start(site) {
  ({ solvers, version } = site);
  const { memory, sizes } = site;
  const isKept = memory !== null && !isSlow(navigator.connection);
  loading.begin("the engine", isKept ? { ...sizes, [memory.name]: memory.size } : sizes);
  // The version keeps files of an older site apart, even if a browser has cached them.
  const file = (name) => fetch(`${FOLDER}${name}?${version}`);
  python = (isKept && await startedKept(site, file)) || await startedAnew(site, file);
  answer = answering(python);
}

// Whether loading the kept memory takes longer than starting Python.
const isSlow = ({ saveData, effectiveType } = {}) => saveData || /2g|3g/.test(effectiveType ?? "");

async function makers() {
  const module = import(`${FOLDER}pyodide.asm.mjs`);
  module.then(() => loading.arrived("pyodide.asm.mjs"), () => {});
  const pyodide = await import(`${FOLDER}pyodide.mjs`);
  loading.arrived("pyodide.mjs");
  return { pyodide, module };
}

function startedAnew(site, file) {
  return loading.orMissing(async () => {
    const packed = file(site.packed).then(unpacked);
    const { pyodide } = await makers();
    return startAnew(pyodide, FOLDER, packed);
  });
}

// Promises the Python whose memory the site has, or null if it cannot be used for any reason.
async function startedKept(site, file) {
  const { name, bytes, check } = site.memory;
  try {
    return await loading.orMissing(async () => {
      const memory = new Uint8Array(bytes);
      const filled = file(name).then((response) => unpacked(response, memory));
      const packed = file(site.packed).then(unpacked);
      filled.catch(() => {}); // those who await it receive the error
      packed.catch(() => {});
      const { pyodide, module } = await makers();
      const makeModule = (await module).default;
      const found = await startKept(pyodide, FOLDER, packed, { memory, filled, makeModule });
      const ask = answering(found);
      if (ask(check.request) !== check.answer) throw new Error("its answer is wrong");
      ask.destroy();
      return found;
    });
  } catch (error) {
    console.warn(`Python starts anew: its kept memory cannot be used (${error.message ?? error}).`);
    return null;
  }
}

// The solvers that a request may need, in groups to try in order. The SAT solver is a third of Z3's
// size and twice as fast. It finds lines, and Z3 proves that they hold.
function solversFor({ request, question, solver }) {
  if (request !== "search" || question === "hold" || solver === "z3") return [["z3"]];
  return question === "lines" ? [["sat", "z3"]] : [["sat"], ["z3"]];
}

async function answered(request) {
  const isLeft = (name) => name in solvers;
  const left = solversFor(JSON.parse(request)).map((names) => names.filter(isLeft)).filter(({ length }) => length);
  for (;;) {
    const found = answer(request);
    if (!left.length || JSON.parse(found).error?.kind !== "SolverError") return found;
    for (const solver of left.shift()) {
      const { name, bytes } = solvers[solver];
      loading.begin(solver === "z3" ? "Z3" : "the SAT solver", { [name]: bytes });
      add(python, await unpacked(await fetch(`${FOLDER}${name}?${version}`)));
      delete solvers[solver];
    }
  }
}

let turn = Promise.resolve();
self.onmessage = ({ data }) => {
  if (data.site) {
    turn = start(data.site);
    turn.catch(() => {}); // every request says why
    return;
  }
  const ready = turn;
  turn = (async () => {
    await ready;
    postMessage({ number: data.number, answer: await answered(data.request) });
  })();
  turn.catch((error) => {
    postMessage({ failed: error.message || String(error), isStarted: answer !== null });
  });
};
