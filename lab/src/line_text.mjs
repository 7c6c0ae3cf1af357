// The text that `hold` takes for a line that was found.

// Texts that YAML reads unchanged without quotes.
const isPlain = (text) => /^[A-Za-z0-9][\w/ -]*$/.test(text) && !/^null$|\s$/i.test(text);
const quoted = (text) => (isPlain(text) ? text : JSON.stringify(text));
const list = (texts) => `[${texts.map(quoted).join(", ")}]`;

// `map` is null for the map of the board.
export function lineText({ map, power, units, orders, region, fleets_not_in, armies_not_in }) {
  return [
    ...(map === null ? [] : [`map: ${quoted(map)}`]),
    `power: ${quoted(power)}`, `units: ${list(units)}`, `orders: ${list(orders)}`,
    `behind: ${list(region)}`,
    `enemy: {fleets_not_in: ${list(fleets_not_in)}, armies_not_in: ${list(armies_not_in)}}`, "",
  ].join("\n");
}
