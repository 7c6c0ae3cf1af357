// Changes to the units on the board: in the given position, or else in the orders that name them.
import { provinceOf } from "./legal.mjs";
import { withOrder, withoutOrder } from "./sheet.mjs";

const isAt = (place) => (unit) => provinceOf(unit.split(" ").at(-1)) === provinceOf(place);
const filed = (units, change) =>
  Object.fromEntries(Object.entries(units ?? {}).map(([name, own]) => [name, change(own)]));

// The state without the unit of a province; `old` is its order in the text, or null. In a position,
// a dislodged unit is removed without the unit that dislodged it.
export function without(state, { unit, power, isLost }, old) {
  const orders = old ? withoutOrder(state.orders, old) : state.orders;
  const { position } = state;
  if (position === null) return { orders };
  const others = (own) => own.filter((one) => one !== unit);
  if (!isLost) return { orders, position: { ...position, units: filed(position.units, others) } };
  const dislodged = { ...position.dislodged };
  const retreats = { ...position.retreats };
  dislodged[power] = others(dislodged[power] ?? []);
  const { [unit]: _, ...left } = retreats[power] ?? {};
  retreats[power] = left;
  return { orders, position: { ...position, dislodged, retreats } };
}

// The state with a unit, such as "F BRE". `power` is as in `withOrder`.
export function withUnit(state, unit, power) {
  const { position } = state;
  if (position === null) return { orders: withOrder(state.orders, power, null, `${unit} H`) };
  const units = filed(position.units, (own) => own.filter((one) => !isAt(unit.split(" ").at(-1))(one)));
  units[power.name] = [...(units[power.name] ?? []), unit];
  return { position: { ...position, units } };
}

// Who owns the supply centres of a map in a position, as dipsat reads positions: power -> centres,
// and the centres whose owner is unknown. Where nothing is stated, the owners are the map's in its
// first phase, and unknown later.
export function ownersIn(position, { powers, provinces, first_phase: first }) {
  const { centers = {}, unknown_centers: unknown, phase = first } = position;
  if (Object.keys(centers).length || unknown) return { centers, unknown: unknown ?? [] };
  const moves = first.endsWith("M") ? first : `S${Number.parseInt(first.slice(1), 10) + 1}M`;
  if (phase === first || phase === moves) {
    const owned = Object.values(powers).map(({ name, centers: own }) => [name, own]);
    return { centers: Object.fromEntries(owned.filter(([, own]) => own.length)), unknown: [] };
  }
  const supply = Object.values(provinces).filter((one) => one.supply);
  return { centers: {}, unknown: supply.map(({ code }) => code) };
}

// The state in which a supply centre has another owner, or none ("").
export function withOwner({ position }, code, owner, map) {
  const stated = ownersIn(position, map);
  const centers = filed(stated.centers, (own) => own.filter((one) => one !== code));
  if (owner) centers[owner] = [...(centers[owner] ?? []), code];
  const unknown = stated.unknown.filter((one) => one !== code);
  return { position: { ...position, centers, unknown_centers: unknown } };
}

// The units that may stand in a province of a map, as in the answer to `maps`: [unit, what it is].
export function unitsFor({ code, kind, coasts, fleet }) {
  const found = kind === "sea" ? [] : [[`A ${code}`, "Army"]];
  const places = Object.keys(fleet ?? {});
  if (!places.length && kind === "sea") places.push(code);
  for (const place of places) {
    const coast = coasts.length ? place.split("/")[1] : "";
    found.push([`F ${place}`, coast ? `Fleet, ${coast}` : "Fleet"]);
  }
  return found;
}
