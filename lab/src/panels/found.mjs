// The result of a search in sentences, as orders, and as a picture.
import { make, part, picture, row, show, table } from "../dom.mjs";
import { lineText } from "../line_text.mjs";
import { sheetOf } from "../sheet.mjs";
import { isOwnMap } from "../state.mjs";

export const NAMED = {
  found: "Found", impossible: "Impossible", unknown: "Unknown", holds: "Holds", breaks: "Breaks",
};

// `take(state)` loads the result, `keep(answer)` saves it.
export function showFound(answer, { outcome, given, seconds }, { take, keep, titleOf }) {
  const found = loadable(answer, outcome, given, titleOf);
  const load = { type: "button", class: "main", id: "load-found", onclick: () => take(found) };
  const save = { type: "button", onclick: () => keep(answer) };
  show(part("found"),
    make("p", { class: "verdict" }, make("strong", {}, NAMED[answer.verdict] ?? answer.verdict),
      ` in ${seconds.toFixed(1)} s`),
    make("div", { class: "tools" }, found ? make("button", load, `Load ${answer.lines ? "this line" : "these orders"}`) : null,
      make("button", save, "Save result")),
    ...answer.text.map((sentence) => make("p", {}, sentence)),
    tableOf(answer, titleOf),
    answer.svg ? make("div", { class: "drawn" }, picture(answer.svg)) : null);
}

// The orders in a table; several lines have a row each.
function tableOf(answer, titleOf) {
  const { lines = [] } = answer;
  if (lines.length > 1) {
    const rows = lines.map(({ orders }, at) => row({}, String(at + 1), orders.join(", ")));
    return table(["Line", "Orders"], rows);
  }
  const rows = Object.entries(shownOrders(answer)).flatMap(([power, own]) =>
    own.map((order) => row({}, titleOf(power), order)));
  return rows.length ? table(["Power", "Order"], rows) : null;
}

// The orders to read: for a line, the orders of the enemy that break it; for lines that were found,
// the orders of the first.
function shownOrders({ orders, witness, power, lines }) {
  if (lines) return lines.length ? { [power]: orders } : {};
  return witness?.orders ?? (Array.isArray(orders) ? {} : orders);
}

// The state with the orders found on the board, or null if there are none.
function loadable({ orders, witness, map, ...found }, outcome, given, titleOf) {
  const namesMap = /^map *:/m.test(given.search?.line ?? "");
  const own = isOwnMap(given.map) && (found.lines || !namesMap) ? given.map : null;
  if (found.lines?.length) {
    if (!found.units.length) return null; // `hold` judges units
    const line = lineText({ ...found, orders, map: own ? null : map });
    return {
      position: null, map: own ?? map, orders: sheetOf({ [found.power]: orders }, titleOf),
      search: { ...given.search, question: "hold", line },
    };
  }
  if (witness) {
    return { position: { units: witness.units }, map: own ?? map, orders: sheetOf(witness.orders, titleOf) };
  }
  if (Array.isArray(orders) || !Object.keys(orders).length) return null;
  return { map: given.map, position: given.position, orders: sheetOf(together(orders, outcome), titleOf) };
}

// The orders found, and the current orders of the other units.
function together(orders, outcome) {
  const found = Object.create(null); // powers may be called `constructor`
  const used = new Set();
  for (const one of outcome?.orders ?? []) {
    const own = Object.hasOwn(orders, one.power) ? orders[one.power] : [];
    const new_ = own.find((order) => one.unit && order.startsWith(`${one.unit} `));
    if (new_) used.add(`${one.power} ${new_}`);
    (found[one.power] ??= []).push(new_ ?? (one.order || one.submitted));
  }
  for (const [power, own] of Object.entries(orders)) {
    const more = own.filter((order) => !used.has(`${power} ${order}`));
    if (more.length) (found[power] ??= []).push(...more);
  }
  return found;
}
