// Two engines behind one interface: `ask(request)` promises what `dipsat.answer` gives, and `stop()`
// ends what is under way, whose promises are then refused with `Stopped`.

export class Stopped extends Error {}

// `engine.json` beside the page says which engine the site has.
export async function openEngine(told) {
  const found = await (await fetch("engine.json")).json();
  return found.engine === "page" ? pageEngine(found, told) : serverEngine(found);
}

function failure(request, message) {
  const error = { kind: "EngineError", message, document: null, line: null, column: null };
  return { request: request.request, error: { ...error, hint: null, problems: [] } };
}

// Python in a worker of this page. Nothing leaves the computer.
function pageEngine(files, told) {
  let worker = null;
  let waiting = new Map();
  let count = 0;

  function start() {
    worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.told) {
        told(data.told);
        return;
      }
      const { request, resolve } = waiting.get(data.number);
      waiting.delete(data.number);
      resolve(data.failed ? failure(request, data.failed) : JSON.parse(data.answer));
    };
    worker.onerror = (event) => {
      for (const { request, resolve } of waiting.values()) {
        resolve(failure(request, `The engine cannot start: ${event.message || "no reason given"}`));
      }
      waiting = new Map();
      worker = null;
    };
    worker.postMessage({ files });
  }

  return {
    name: "in this page",
    ask(request) {
      if (worker === null) start();
      const number = count++;
      return new Promise((resolve, reject) => {
        waiting.set(number, { request, resolve, reject });
        worker.postMessage({ number, request: JSON.stringify(request) });
      });
    },
    stop() {
      if (worker !== null) worker.terminate();
      worker = null;
      for (const { reject } of waiting.values()) reject(new Stopped());
      waiting = new Map();
    },
  };
}

// A server that answers the same requests, each at the address of its kind.
function serverEngine({ api }) {
  let control = new AbortController();
  return {
    name: "on the server",
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
          if ("answer" in found || "error" in found) return found;
        } catch {
          // not what dipsat answers: the status says more
        }
        return failure(request, `The server answered ${response.status} ${response.statusText}.`);
      } catch (error) {
        if (signal.aborted) throw new Stopped();
        return failure(request, `The server cannot be reached: ${error.message}`);
      }
    },
    stop() {
      control.abort();
      control = new AbortController();
    },
  };
}
