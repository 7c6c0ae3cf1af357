// Order sheets as text: an order, and a power's heading above its orders.

// The possible headings of a power in a sheet, one for each of its names.
const heads = ({ name, title = name, aliases = [] }) =>
  new Set([name, title, ...aliases].map((one) => `${one}:`.toUpperCase()));

// The index of an order's line, or -1.
function placeOf(lines, order) {
  if (!order) return -1;
  const ends = (line) => line === order || line.endsWith(`: ${order}`);
  return lines.findIndex((line) => ends(line.trim()));
}

// A sheet with an order in place of an old one, else below its power's heading. `power` has `name`,
// `title` and perhaps `aliases`.
export function withOrder(text, power, old, order) {
  const lines = text.split("\n");
  const at = placeOf(lines, old);
  if (at >= 0) {
    lines[at] = lines[at].replace(old, () => order);
    return lines.join("\n");
  }
  const named = heads(power);
  const head = lines.findLastIndex((line) => named.has(line.trim().toUpperCase()));
  if (head >= 0) {
    let last = head + 1;
    while (last < lines.length && lines[last].trim() && !lines[last].trim().endsWith(":")) last++;
    lines.splice(last, 0, ` ${order}`);
  } else {
    while (lines.length && !lines.at(-1).trim()) lines.pop();
    lines.push(`${power.title ?? power.name}:`, ` ${order}`, "");
  }
  return lines.join("\n");
}

// A sheet without an order, and without a heading that has no orders left.
export function withoutOrder(text, old) {
  const lines = text.split("\n");
  const at = placeOf(lines, old);
  if (at < 0) return text;
  lines.splice(at, 1);
  const isHead = (line) => /^[^:]+:$/.test(line?.trim() ?? "");
  const isEnd = (line) => line === undefined || !line.trim() || isHead(line);
  if (isHead(lines[at - 1]) && isEnd(lines[at])) lines.splice(at - 1, 1);
  return lines.join("\n");
}

// The sheet of power -> orders; `titleOf` returns the name in a power's heading.
export function sheetOf(orders, titleOf) {
  const parts = Object.entries(orders).map(([power, own]) =>
    [`${titleOf(power)}:`, ...own.map((order) => ` ${order}`)].join("\n"));
  return parts.join("\n") + "\n";
}
