// The board that the engine draws: a unit's legal orders as a list, and moves by dragging.
import { make, part, picture, show } from "./dom.mjs";

// `legal(unit)` promises the unit's legal orders; `choose(unit, power, order)` writes one.
export function openBoard(legal, choose) {
  const place = part("picture");
  let shown = "";
  let held = null;

  const under = (event, name) => {
    for (const one of document.elementsFromPoint(event.clientX, event.clientY)) {
      const found = place.contains(one) ? one.closest(`[data-${name}]`) : null;
      if (found) return found.dataset[name];
    }
    return null;
  };
  const unitOf = (event) => {
    const found = event.target.closest?.(".unit[data-unit]");
    return found ? { unit: found.dataset.unit, power: found.dataset.power } : null;
  };

  place.addEventListener("pointerdown", (event) => {
    held = unitOf(event);
    if (held) {
      held.from = under(event, "province");
      event.preventDefault();
    }
  });
  place.addEventListener("pointerup", async (event) => {
    const now = held;
    held = null;
    if (!now) return;
    const target = under(event, "province");
    if (target === null || target === now.from) {
      await offer(now.unit, now.power);
      return;
    }
    const orders = await legal(now.unit);
    const moves = orders.filter((order) => order.startsWith(`${now.unit} - ${target}`));
    const plain = moves.find((order) => order === `${now.unit} - ${target}`);
    if (plain || moves.length === 1) choose(now.unit, now.power, plain ?? moves[0]);
    else list(now.unit, now.power, moves.length ? moves : orders, `No move to ${target}. `);
  });

  async function offer(unit, power) {
    list(unit, power, await legal(unit), "");
  }

  function list(unit, power, orders, note) {
    const options = orders.map((order) => make("option", { value: order }, order));
    const choice = make("select", { id: "legal", size: Math.min(8, Math.max(2, orders.length)) }, ...options);
    const take = () => choice.value && choose(unit, power, choice.value);
    choice.addEventListener("change", take);
    const close = make("button", { type: "button", onclick: () => show(part("menu")) }, "Close");
    const said = orders.length ? `Orders of ${unit}` : `${unit} may be ordered nothing`;
    show(part("menu"), make("label", { for: "legal" }, note, said), choice, close);
    choice.focus();
  }

  return {
    offer,
    draw(text) {
      if (text === shown) return;
      shown = text;
      show(place, picture(text));
    },
  };
}

// An order in the text: it takes the place of the unit's old one, or stands below its power.
export function withOrder(text, power, old, order) {
  const lines = text.split("\n");
  const at = old ? lines.findIndex((line) => line.trim() === old || line.trim().endsWith(`: ${old}`)) : -1;
  if (at >= 0) {
    lines[at] = lines[at].replace(old, () => order);
    return lines.join("\n");
  }
  const head = lines.findIndex((line) => line.trim().toUpperCase() === `${power}:`);
  if (head >= 0) lines.splice(head + 1, 0, ` ${order}`);
  else {
    while (lines.length && !lines.at(-1).trim()) lines.pop();
    lines.push(`${power[0]}${power.slice(1).toLowerCase()}:`, ` ${order}`, "");
  }
  return lines.join("\n");
}

export function sheetOf(orders) {
  const parts = Object.entries(orders).map(([power, own]) => {
    const name = power[0] + power.slice(1).toLowerCase();
    return [`${name}:`, ...own.map((order) => ` ${order}`)].join("\n");
  });
  return parts.join("\n") + "\n";
}
