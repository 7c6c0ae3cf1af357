// The whole state of the page in a link: compressed JSON in characters that an address may contain.

const MOST = 2_000_000; // characters: a short link may unpack to something endless

const LEVELS = 4; // of a position: itself, its retreats, those of a power, those of a unit

// The data after a stream has transformed it; an error beyond `most` bytes.
export function through(data, stream, most = MOST) {
  const reader = new Blob([data]).stream().pipeThrough(stream).getReader();
  return (async () => {
    const found = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(found).arrayBuffer());
      size += value.length;
      if (size > most) {
        reader.cancel().catch(() => {});
        throw new Error("it unpacks to more than this page reads");
      }
      found.push(value);
    }
  })();
}

export async function packed(state) {
  const data = await through(JSON.stringify(state), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const one of data) letters += String.fromCharCode(one);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpacked(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const data = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const read = await through(data, new DecompressionStream("deflate-raw"));
  return checked(JSON.parse(new TextDecoder().decode(read)));
}

const isText = (value) => typeof value === "string";
const isTexts = (value) => Array.isArray(value) && value.every(isText);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
// Browsers read JSON of any depth, but write only some thousand levels.
const isFlat = (value, levels) => typeof value !== "object" || value === null ||
  (levels > 0 && Object.values(value).every((one) => isFlat(one, levels - 1)));
const isForm = (value) => isObject(value) && Object.entries(value).every(([name, one]) =>
  (name === "open" ? one === null || isTexts(one) : isText(one)));

// An untrusted state: members with wrong types are refused, unknown members are left out.
export function checked(read) {
  if (!isObject(read)) throw new Error("it holds no state of this page");
  const { rules, orders, map = null, variant = null, position = null, compare = [], search = null,
    about = null, page = "lab" } = read;
  const isGood =
    isText(rules) && isText(orders) && (map === null || isText(map)) &&
    (variant === null || isText(variant)) &&
    (position === null || (isObject(position) && isFlat(position, LEVELS))) && isTexts(compare) &&
    (search === null || isForm(search)) && (about === null || isText(about)) && isText(page);
  if (!isGood) throw new Error("it holds no state of this page");
  return { rules, orders, map, variant, position, compare, search, about, page };
}
