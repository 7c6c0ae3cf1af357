// Two engines behind one interface: `ask(request)` promises the answer of `dipsat.answer`, and
// `stop()` ends all current requests, whose promises are then rejected with `Stopped`.

export class Stopped extends Error {}

// `engine.json` beside the page says which engine the site has. `told` is called with a text about
// what is being loaded, and with "" once it is loaded or no longer needed.
export async function openEngine(told) {
  const found = await (await fetch("engine.json", { cache: "no-cache" })).json();
  return found.engine === "page" ? pageEngine(found, told) : serverEngine(found);
}

function failure(request, message) {
  const error = { kind: "EngineError", message, document: null, line: null, column: null };
  return { request: request.request, error: { ...error, hint: null, problems: [] } };
}

// The things that the engine in the page needs and the browser lacks, in words.
function lacking() {
  const found = [];
  if (typeof Worker === "undefined") found.push("workers");
  if (typeof WebAssembly === "undefined") found.push("WebAssembly");
  else if (!WebAssembly.validate(EXCEPTIONS)) found.push("exceptions in WebAssembly");
  if (typeof DecompressionStream === "undefined") found.push("DecompressionStream");
  return found;
}

// The smallest module that catches an exception.
const EXCEPTIONS = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11,
);

// Python in a worker of this page. Nothing leaves the computer.
function pageEngine(site, told) {
  let worker = null;
  let waiting = new Map();
  let count = 0;
  let broken = null; // why there is no engine

  function start() {
    worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.told) told(data.told);
      else if (data.failed && data.isStarted) fail(`The engine failed: ${data.failed}.`);
      else if (data.failed) cannotStart(data.failed);
      else {
        told("");
        const { resolve } = waiting.get(data.number);
        waiting.delete(data.number);
        resolve(JSON.parse(data.answer));
      }
    };
    worker.onerror = ({ message }) => {
      cannotStart(message || "this browser cannot run modules as workers");
    };
    worker.postMessage({ site });
  }

  // Later requests receive the same reason, or each of them would load megabytes for nothing.
  function cannotStart(why) {
    broken = `The engine cannot start: ${why}. Press Again to try once more.`;
    fail(broken);
  }

  // All waiting requests receive the same reason; the next request starts a new worker.
  function fail(message) {
    const refused = waiting;
    end();
    for (const { request, resolve } of refused.values()) resolve(failure(request, message));
  }

  function end() {
    worker?.terminate();
    worker = null;
    waiting = new Map();
    told("");
  }

  const lacks = lacking();
  if (lacks.length) {
    broken = `The engine needs a newer browser (Chromium 95, Firefox 114, Safari 16.4): this one has ` +
      `no ${lacks.join(", no ")}.`;
  } else start();
  return {
    name: "in this page",
    get broken() {
      return broken !== null;
    },
    ask(request) {
      if (broken !== null) return Promise.resolve(failure(request, broken));
      if (worker === null) start();
      const number = count++;
      return new Promise((resolve, reject) => {
        waiting.set(number, { request, resolve, reject });
        worker.postMessage({ number, request: JSON.stringify(request) });
      });
    },
    // Lets the next request start a worker, even if the last one failed.
    retry() {
      if (!lacks.length) broken = null;
    },
    stop() {
      const stopped = waiting;
      end();
      for (const { reject } of stopped.values()) reject(new Stopped());
    },
  };
}

// A server that answers the same requests, each at the address of its kind.
function serverEngine({ api }) {
  let control = new AbortController();
  let isAway = false;
  return {
    name: "on the server",
    get broken() {
      return isAway;
    },
    async ask(request) {
      const { signal } = control;
      try {
        const response = await fetch(api + request.request, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(request),
          signal,
        });
        const text = await response.text();
        try {
          const found = JSON.parse(text);
          isAway = !("answer" in found || "error" in found);
          if (!isAway) return found;
        } catch {
          isAway = true; // not an answer of dipsat: the status says more
        }
        return failure(request, `The server answered ${response.status} ${response.statusText}.`);
      } catch (error) {
        if (signal.aborted) throw new Stopped();
        isAway = true;
        return failure(request, `The server cannot be reached: ${error.message}`);
      }
    },
    stop() {
      control.abort();
      control = new AbortController();
    },
  };
}
