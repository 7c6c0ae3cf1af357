// The panel of the orders: an order sheet and its map.
import { make, part, show } from "../dom.mjs";
import { goTo, makeEditor, mark, setText, textOf } from "../editor.mjs";
import { option } from "../report.mjs";
import { sheetOf } from "../sheet.mjs";
import { isOwnMap } from "../state.mjs";
import { showPanel } from "../tabs.mjs";

// The map in the list. A map that a link brought as text is added to the list.
function choose(map) {
  const list = part("map");
  if (isOwnMap(map) && !Array.from(list.options).some((one) => one.value === map)) {
    list.append(make("option", { value: map }, /^title: *(.*)/m.exec(map)?.[1] ?? "a map of its own"));
  }
  list.value = map;
}

export function openOrders(lab) {
  const changed = () => lab.state.change({ orders: textOf(editor) }, "orders");
  const editor = makeEditor(part("orders-text"), "Orders", lab.state.now.orders, changed);
  const follow = ({ orders, map, position }) => {
    setText(editor, orders);
    choose(map ?? "");
    part("position").hidden = position === null;
    part("phase").value = position?.phase ?? "";
    part("free").hidden = !/M$/.test(position?.phase ?? "M");
  };
  follow(lab.state.now);
  lab.state.subscribe(follow);
  lab.goTo.orders = (line, column) => {
    showPanel("orders");
    goTo(editor, line, column);
  };
  // Units rarely fit on another map, so its start is offered.
  part("map").addEventListener("change", () => {
    lab.state.change({ map: part("map").value || null });
    const start = make("button", { type: "button", class: "main", onclick: lab.pressed(setUp) }, "Set up its start");
    const keep = make("button", { type: "button", onclick: () => offer(null) }, "Keep my units");
    const title = part("map").selectedOptions[0].textContent.split(": ").at(-1);
    offer([`You chose another map: ${title}. `, start, " ", keep]);
  });
  function offer(shown) {
    part("offer").hidden = shown === null;
    show(part("offer"), ...shown ?? []);
  }
  lab.state.subscribe((now, before) => now.orders !== before.orders && offer(null));
  part("phase").addEventListener("change", () => {
    const phase = part("phase").value.trim().toUpperCase();
    lab.state.change({ position: { ...lab.state.now.position, phase } });
  });
  // Orders name every unit at its place; retreats and builds need the position.
  part("free").addEventListener("click", () => {
    const found = Object.create(null); // powers may be called `constructor`
    for (const { power, order } of lab.outcome?.orders ?? []) (found[power] ??= []).push(order);
    lab.state.change({ position: null, orders: sheetOf(found, lab.titleOf) });
  });

  async function setUp() {
    const { powers = {}, first_phase: phase } = await lab.map();
    offer(null);
    const owned = (key) => Object.fromEntries(Object.values(powers)
      .filter((power) => power[key].length).map((power) => [power.name, power[key]]));
    lab.state.change({ orders: "", position: { phase, units: owned("start"), centers: owned("centers") } });
  }
  part("set-up").addEventListener("click", lab.pressed(setUp));
  part("clear").addEventListener("click", () => lab.state.change({ orders: "", position: null }));

  return {
    judged(found) {
      if (found.answer) show(part("due"), ...(found.answer.due ?? []).map((line) => make("p", {}, line)));
      const elsewhere = found.error?.problems?.length ? found.error.problems : [found.error];
      const faults = found.answer ? found.answer.faults : elsewhere;
      mark(editor, faults.filter(({ document: name }) => name === "orders"));
    },
    async fill() {
      const { maps = [] } = await lab.catalogue({ request: "maps" });
      show(part("map"), part("map").options[0], ...maps.map(option));
      choose(lab.state.now.map ?? "");
    },
  };
}
