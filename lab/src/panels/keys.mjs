// The board by keyboard: one unit takes the focus, arrows go to the next one in their direction, and
// Enter asks for its orders. A screen reader hears units and their results, not every line drawn.
import { result } from "../report.mjs";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const unitsOf = (place) => [...place.querySelectorAll(".unit[data-unit]")];

// Gives the units of a new picture their spoken names.
export function nameUnits(picture, outcome, titleOf) {
  const title = picture.querySelector("title")?.textContent ?? "Board";
  const units = unitsOf(picture);
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", `${title}. Units: ${units.length}`);
  for (const layer of picture.children) {
    if (layer.localName !== "title" && !layer.querySelector(".unit")) layer.setAttribute("aria-hidden", "true");
  }
  units.forEach((unit, at) => {
    const { unit: name, power } = unit.dataset;
    const order = outcome?.orders.find((one) => one.unit === name && one.power === power);
    const said = order ? [order.order || order.submitted, result(order)] : [name];
    unit.setAttribute("role", "button");
    unit.setAttribute("aria-label", [titleOf(power), ...said].join(", "));
    unit.setAttribute("data-key", `unit ${name} ${power}`);
    unit.setAttribute("tabindex", at === 0 ? "0" : "-1");
  });
}

// `offer(element)` shows the orders of a unit.
export function openKeys(place, offer) {
  place.addEventListener("keydown", (event) => {
    const unit = event.target.closest?.(".unit[data-unit]");
    if (!unit || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") offer(unit);
    else {
      const target = next(place, unit, event.key);
      if (!target) return;
      target.focus();
    }
    event.preventDefault();
  });
  place.addEventListener("focusin", (event) => {
    const unit = event.target.closest(".unit[data-unit]");
    if (!unit) return;
    for (const one of unitsOf(place)) one.setAttribute("tabindex", one === unit ? "0" : "-1");
  });
}

const middle = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

function next(place, unit, key) {
  const units = unitsOf(place);
  if (key === "Home") return units[0];
  if (key === "End") return units.at(-1);
  if (!ARROWS[key]) return null;
  const [right, down] = ARROWS[key];
  const [x, y] = middle(unit);
  let [best, least] = [unit, Infinity];
  for (const one of units) {
    const [across, along] = [middle(one)[0] - x, middle(one)[1] - y];
    const ahead = across * right + along * down;
    const aside = Math.abs(across * down) + Math.abs(along * right);
    if (ahead > 0.5 && ahead + 2 * aside < least) [best, least] = [one, ahead + 2 * aside];
  }
  return best;
}
