// The small menu on the board: a unit's orders, builds, a unit to add, or what a drag may mean.
import { make, show } from "../dom.mjs";
import { grouped } from "../legal.mjs";
import { unitsFor } from "../units.mjs";

const SPACE = 8; // pixels between the menu and its subject

export function makeBoardMenu(menu, stage) {
  let power = ""; // of the unit that was added last

  function close() {
    if (menu.hasChildNodes()) show(menu);
  }

  // The menu is below the point or the element, inside the board.
  function open(title, at, focused, ...parts) {
    const key = document.activeElement?.dataset.key ?? at.dataset?.key;
    if (key) menu.dataset.back = key; // where the focus goes when the menu closes
    menu.setAttribute("aria-label", title);
    const head = make("div", { class: "head" }, make("strong", {}, title),
      make("button", { type: "button", class: "small", "aria-label": "Close", onclick: close }, "×"));
    show(menu, head, ...parts.filter(Boolean));
    const frame = stage.getBoundingClientRect();
    const box = at.getBoundingClientRect?.() ??
      { left: at.clientX, right: at.clientX, top: at.clientY, bottom: at.clientY };
    const { offsetWidth: width, offsetHeight: height } = menu;
    const most = Math.max(0, frame.width - width);
    const left = Math.min(Math.max(0, box.right - frame.left + SPACE), most);
    let top = box.bottom - frame.top + SPACE;
    if (top + height > frame.height) top = Math.max(0, box.top - frame.top - height - SPACE);
    menu.style.left = `${left}px`;
    menu.style.top = `${top}px`;
    focused?.focus({ preventScroll: true });
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());

  const button = (text, onclick, attributes = {}) =>
    make("button", { type: "button", ...attributes, onclick }, text);

  function list(orders, unit, current, choose) {
    if (!orders.length) return make("p", { class: "hint" }, "It takes no orders in this phase.");
    const groups = unit === null ? [["", orders]] : grouped(orders, unit);
    const options = (own) => own.map((order) =>
      make("option", { value: order, selected: order === current }, order));
    const parts = groups.map(([name, own]) =>
      (groups.length > 1 ? make("optgroup", { label: name }, ...options(own)) : options(own)));
    const size = Math.min(10, Math.max(2, orders.length + (groups.length > 1 ? groups.length : 0)));
    const made = make("select", { id: "legal", size, "aria-label": "Orders" }, ...parts.flat());
    const take = () => made.value && choose(made.value);
    // A click takes an order; on the keyboard, arrows only look.
    let isTyped = false;
    made.addEventListener("keydown", ({ key }) => {
      isTyped = true;
      if (key === "Enter") take();
    });
    made.addEventListener("pointerdown", () => { isTyped = false; });
    made.addEventListener("change", () => isTyped || take());
    return made;
  }

  // A list to choose the owner of a supply centre.
  function ownedBy(owning) {
    if (!owning) return null;
    const names = owning.powers.map(({ name, title }) =>
      make("option", { value: name, selected: name === owning.now }, title));
    if (owning.now === null) names.unshift(make("option", { selected: true, disabled: true }, "unknown"));
    const choice = make("select", { id: "owner" }, make("option", { value: "" }, "nobody"), ...names);
    choice.addEventListener("change", () => owning.change(choice.value));
    return make("div", { class: "tools" }, make("label", { for: "owner" }, "Owned by"), choice);
  }

  return {
    close,

    unit({ unit, power: owner, orders, province, current, at, choose, withdraw, remove, replace, owning, why }) {
      const choice = list(orders, unit, current, choose);
      const others = province && replace ? unitsFor(province).filter(([other]) => other !== unit) : [];
      open(`${unit}, ${owner}`, at, choice, choice,
        make("div", { class: "tools" },
          why && button("Why?", why),
          withdraw && button("No order", withdraw),
          ...others.map(([other, name]) => button(name, () => replace(other), { title: `Put ${other} here instead` })),
          button("Remove", remove, { title: `Take ${unit} off the board` })),
        ownedBy(owning));
    },

    // A province by name, for people who cannot click on it.
    province({ provinces, at, choose }) {
      const sorted = provinces.toSorted((one, other) => one.name.localeCompare(other.name));
      const options = sorted.map(({ code, name }) => make("option", { value: code }, `${name} (${code})`));
      const made = make("select", { "aria-label": "Province" }, ...options);
      open("A province", at, made, make("div", { class: "tools" }, made, button("Go on", () => choose(made.value))));
    },

    builds({ province, orders, point, current, choose, withdraw, owning }) {
      const choice = list(orders, null, current, choose);
      open(`${province.name}: build`, point, choice, choice,
        withdraw && make("div", { class: "tools" }, button("No order", withdraw)), ownedBy(owning));
    },

    add({ province, point, powers, add, owning }) {
      const names = powers.map(({ name, title }) => make("option", { value: name }, title));
      const whose = make("select", { "aria-label": "Power" }, ...names);
      const known = ({ home, name }) => home.includes(province.code) || name === power;
      whose.value = powers.find(known)?.name ?? powers[0]?.name;
      const put = (unit) => {
        power = whose.value;
        add(unit, power);
      };
      const kinds = unitsFor(province).map(([unit, kind]) =>
        button(kind, () => put(unit), { "data-adds": unit }));
      open(province.name, point, whose, make("div", { class: "tools" }, whose, ...kinds), ownedBy(owning));
    },

    dropped({ unit, province, point, orders, isAbout, current, choose }) {
      if (!isAbout) {
        const choice = list(orders, unit, current, choose);
        open(`No order of ${unit} is about ${province}`, point, choice, choice);
        return;
      }
      const choices = orders.map((order) =>
        button(order, () => choose(order), { "aria-pressed": String(order === current), "data-order": order }));
      open(current ? "Or did you mean …" : "What do you mean?", point, current ? null : choices[0],
        make("div", { class: "choices" }, ...choices));
    },
  };
}
