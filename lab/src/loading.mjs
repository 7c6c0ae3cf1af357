// Loading the files of the engine: how many of their bytes have arrived, and which file is missing.
//
// Pyodide fetches its files itself, and waits for ever if that fails. So fetching is watched.

const PAUSE = 100; // milliseconds between two figures
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const nameOf = (address) => String(address.url ?? address).split(/[?#]/)[0].split("/").at(-1);

export function makeLoading(tell) {
  const plain = { fetch: self.fetch.bind(self), start: WebAssembly.instantiateStreaming };
  let fail = () => {};
  let arrived = () => {};

  self.fetch = async (address, ...options) => {
    const name = nameOf(address);
    try {
      const response = await plain.fetch(address, ...options);
      if (!response.ok) throw new Error(`the site answers ${response.status} ${response.statusText}`);
      // Browsers cache the compiled form of a response only if nothing else has read it.
      return name.endsWith(".wasm") ? response : counted(response, name);
    } catch (error) {
      const found = new Error(`${name} cannot be loaded: ${error.message}`);
      fail(found);
      throw found;
    }
  };

  function counted(response, name) {
    const counting = new TransformStream({
      transform(piece, to) {
        arrived(name, piece.length);
        to.enqueue(piece);
      },
    });
    const body = response.body.pipeThrough(counting);
    return new Response(body, { headers: { "Content-Type": response.headers.get("Content-Type") ?? "" } });
  }

  WebAssembly.instantiateStreaming = async (promised, imports) => {
    try {
      const response = await promised;
      const isNamed = response.headers.get("Content-Type")?.startsWith("application/wasm");
      const found = isNamed ? await plain.start.call(WebAssembly, response, imports)
        : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
      arrived(nameOf(response), Infinity);
      return found;
    } catch (error) {
      fail(error);
      throw error;
    }
  };

  return {
    // Tells how much of the files has arrived; `sizes` has their sizes by name.
    begin(what, sizes) {
      const loaded = {};
      let last = 0;
      const sum = (each) => Object.values(each).reduce((all, size) => all + size, 0);
      arrived = (name, bytes) => {
        if (!(name in sizes)) return;
        loaded[name] = Math.min((loaded[name] ?? 0) + bytes, sizes[name]);
        const now = performance.now();
        if (sum(loaded) === sum(sizes)) tell(`Starting ${what} …`);
        else if (now - last > PAUSE) {
          last = now;
          tell(`Loading ${what}: ${megabytes(sum(loaded))} of ${megabytes(sum(sizes))} MB …`);
        }
      };
      tell(`Loading ${what}: 0 of ${megabytes(sum(sizes))} MB …`);
    },

    arrived: (name) => arrived(name, Infinity),

    // Promises the result of an action, unless a file that it needs is missing.
    orMissing(action) {
      const missing = new Promise((_, reject) => { fail = reject; });
      missing.catch(() => {});
      return Promise.race([action(), missing]);
    },
  };
}

// The unpacked contents of a response, written into `place` if it is given, which must have the
// right size.
export async function unpacked(response, place = null) {
  const stream = response.body.pipeThrough(new DecompressionStream("gzip"));
  if (place === null) return new Uint8Array(await new Response(stream).arrayBuffer());
  const reader = stream.getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    place.set(value, at);
    at += value.length;
  }
  if (at !== place.length) throw new Error(`it has ${at} bytes instead of ${place.length}`);
  return place;
}
