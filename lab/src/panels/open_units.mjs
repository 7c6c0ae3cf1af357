// The choice of the units to which a search may give any order: all, those without one, or some.
import { make, part, show } from "../dom.mjs";

// `changed(open)` is called with the choice as requests take it: a list of powers and units, or null
// for the units without an order.
export function makeOpenUnits(titleOf, changed) {
  const place = part("open-units");
  const radio = (value) => place.querySelector(`input[value="${value}"]`);
  const list = part("open-list");
  let powers = new Map(); // power -> its units
  let chosen = new Set();

  place.addEventListener("change", ({ target }) => {
    if (target.name === "open") draw();
    else if (target.checked) chosen.add(target.value);
    else chosen.delete(target.value);
    if (powers.has(target.value)) draw(target.value);
    changed(value());
  });

  function value() {
    if (radio("all").checked) return ["all"];
    if (radio("none").checked) return null;
    const known = [...powers].flatMap(([power, units]) => [power, ...units]);
    return known.filter((one) => chosen.has(one));
  }

  function draw(focused = null) {
    list.hidden = !radio("some").checked;
    const box = (name, text, isOpen, isFixed) => make("label", {},
      make("input", { type: "checkbox", value: name, checked: isOpen, disabled: isFixed }), ` ${text}`);
    show(list, ...[...powers].map(([power, units]) => {
      const isWhole = chosen.has(power);
      return make("div", { class: "power" }, box(power, titleOf(power), isWhole, false),
        ...units.map((unit) => box(unit, unit, isWhole || chosen.has(unit), isWhole)));
    }));
    if (focused) list.querySelector(`input[value="${focused}"]`)?.focus();
  }

  return {
    value,
    follow(open) {
      const how = open === null ? "none" : open.includes("all") ? "all" : "some";
      radio(how).checked = true;
      chosen = new Set(how === "some" ? open : chosen);
      draw();
    },
    // Takes the units of the board from an outcome.
    units(outcome) {
      const found = new Map();
      for (const { unit, power } of outcome.orders) {
        if (unit) found.set(power, [...(found.get(power) ?? []), unit]);
      }
      if (JSON.stringify([...found]) === JSON.stringify([...powers])) return;
      powers = found;
      draw();
    },
  };
}
