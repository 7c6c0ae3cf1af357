// Which of a unit's legal orders concern a province, and which of these a player most likely means.

export const provinceOf = (location) => location.split("/")[0];
const placeOf = (unit) => provinceOf(unit.split(" ").at(-1));

// An order in parts: its kind, the unit that it helps, and where that unit or its own goes. `A TYR
// S A VEN - TRI` is { kind: "support", helped: "A VEN", target: "TRI" }.
export function parsed(order, unit) {
  const rest = order.slice(unit.length + 1);
  const goes = /^(?:-|R) ([^ ]+)( VIA)?/.exec(rest);
  if (goes) {
    const kind = rest.startsWith("R") ? "retreat" : goes[2] ? "voyage" : "move";
    return { order, kind, target: provinceOf(goes[1]) };
  }
  const helps = /^([SC]) ([^-]+?)(?: - ([^ ]+))?$/.exec(rest);
  if (helps) {
    const kind = helps[1] === "S" ? "support" : "convoy";
    return { order, kind, helped: helps[2], target: helps[3] ? provinceOf(helps[3]) : null };
  }
  return { order, kind: { H: "hold", D: "disband", B: "build" }[rest] ?? "other", target: null };
}

const GROUPS = [
  ["Hold", ["hold"]], ["Move", ["move"]], ["Move by convoy", ["voyage"]], ["Support", ["support"]],
  ["Convoy", ["convoy"]], ["Retreat", ["retreat"]], ["Build", ["build"]],
  ["Disband", ["disband"]], ["Other", ["other"]],
];

// The orders in groups: [name, orders].
export function grouped(orders, unit) {
  const read = orders.map((order) => parsed(order, unit));
  const found = GROUPS.map(([name, kinds]) =>
    [name, read.filter(({ kind }) => kinds.includes(kind)).map(({ order }) => order)]);
  return found.filter(([, own]) => own.length);
}

// What a key asks of a drag -> what the drag may mean, the most likely meaning first. A unit of the
// same power is helped rather than attacked.
const MEANINGS = {
  support: ["help who comes", "help its move", "help it stay"],
  "support own": ["help its move", "help who comes", "help it stay"],
  convoy: ["go by sea", "carry it", "carry who comes"],
  own: ["retreat", "help its move", "carry it", "help it stay", "go", "go by sea", "help who comes"],
  "": ["retreat", "go", "go by sea", "help who comes", "carry who comes", "help its move", "carry it",
    "help it stay"],
};

// What a drag from `unit` to a province means: { order, others }, the most likely order, or null,
// and all orders that concern the province. `there` is the unit in the province with its power and
// its order, or null; `coming` are the units ordered to go there, in the order in which to help
// them. `wish` is "support", "convoy", or "" if the reader has not said.
export function meant(orders, { unit, power }, province, { there, coming, wish }) {
  const about = orders.map((order) => parsed(order, unit)).filter(({ target, helped }) =>
    target === province || (helped && placeOf(helped) === province));
  const goal = there?.order ? parsed(there.order, there.unit).target : null;
  const moves = about.filter(({ kind }) => kind === "move");
  const is = (wanted) => ({ kind }) => kind === wanted;
  const helps = (wanted) => ({ kind, helped, target }) =>
    kind === wanted && helped === there?.unit && target === goal && goal !== null;
  const comer = coming.find((unit) => about.some((one) => one.helped === unit && one.target === province));
  const joins = (wanted) => ({ kind, helped, target }) =>
    kind === wanted && helped === comer && target === province;
  const tests = {
    retreat: is("retreat"),
    go: (one) => moves.length === 1 && one === moves[0], // with two coasts, the reader must choose
    "go by sea": is("voyage"),
    "help its move": helps("support"),
    "help it stay": ({ kind, helped, target }) =>
      kind === "support" && helped === there?.unit && target === null && goal === null,
    "help who comes": joins("support"),
    "carry it": helps("convoy"),
    "carry who comes": joins("convoy"),
  };
  const whose = there?.power === power ? "own" : "";
  const meanings = MEANINGS[`${wish} ${whose}`.trim()] ?? MEANINGS[wish];
  const found = meanings.map((one) => about.find(tests[one])).find(Boolean);
  const wished = wish ? about.filter(is(wish)) : [];
  const only = wished.length === 1 ? wished[0] : null;
  return { order: (found ?? only)?.order ?? null, others: about.map(({ order }) => order) };
}
