// The board that the engine draws: a unit's legal orders as a list, and moves by dragging.
import { make, part, picture, show } from "../dom.mjs";
import { showError } from "../report.mjs";
import { withOrder } from "../sheet.mjs";
import { nameUnits, openKeys } from "./keys.mjs";

export function openBoard(lab) {
  const place = part("picture");
  const menu = part("menu");
  let shown = "";
  let held = null;

  async function legal(unit) {
    const found = await lab.ask(lab.onBoard("legal-orders", { unit }));
    return found.answer?.units[unit] ?? [];
  }

  function choose(unit, power, order) {
    const old = lab.outcome?.orders.find((one) => one.unit === unit && one.power === power);
    lab.state.change({ orders: withOrder(lab.state.now.orders, power, old?.submitted, order) });
  }

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
  place.addEventListener("pointerup", lab.pressed(async (event) => {
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
  }));

  async function offer(unit, power) {
    list(unit, power, await legal(unit), "");
  }

  function list(unit, power, orders, note) {
    const options = orders.map((order) => make("option", { value: order }, order));
    const choice = make("select", { id: "legal", size: Math.min(8, Math.max(2, orders.length)) }, ...options);
    const take = () => choice.value && choose(unit, power, choice.value);
    // What is pointed at is taken; by keyboard, arrows only look.
    let isTyped = false;
    choice.addEventListener("keydown", ({ key }) => {
      isTyped = true;
      if (key === "Enter") take();
    });
    choice.addEventListener("pointerdown", () => { isTyped = false; });
    choice.addEventListener("change", () => isTyped || take());
    const order = make("button", { type: "button", onclick: take }, "Order it");
    const close = make("button", { type: "button", onclick: () => show(menu) }, "Close");
    menu.dataset.back = document.activeElement?.dataset.key ?? `unit ${unit} ${power}`;
    const said = orders.length ? `Orders of ${unit}` : `${unit} may be ordered nothing`;
    show(menu, make("label", { for: "legal" }, note, said), choice, order, close);
    choice.focus();
  }

  menu.addEventListener("keydown", (event) => event.key === "Escape" && show(menu));
  openKeys(place, lab.pressed(offer));

  lab.state.subscribe(() => show(menu));

  return {
    offer,
    async step({ error }, isOld) {
      if (error) return;
      const found = await lab.ask(lab.onBoard("svg", { dark: lab.isDark() }));
      if (isOld()) return;
      if (found.error) {
        shown = "";
        showError("picture", found.error);
      } else if (found.answer.svg !== shown) {
        shown = found.answer.svg;
        const drawn = picture(shown);
        nameUnits(drawn, lab.outcome);
        show(place, drawn);
      }
    },
  };
}
