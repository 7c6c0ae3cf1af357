// Elements are made from values, never from markup, so all text in answers stays text.

export const part = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// The focused element, known by its `data-key`, has the focus again when it is redrawn. If it is
// gone, the focus goes to the element that `data-back` names, or to the panel's heading, so it is
// never lost.
export function show(element, ...children) {
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.closest("[data-key]")?.dataset.key;
  element.replaceChildren(...children.filter((child) => child !== null));
  if (!active || active === element || active.isConnected) return;
  const next = keyed(key) ?? keyed(element.dataset.back) ?? element.closest("section")?.querySelector("h2");
  next?.focus({ preventScroll: true });
}

export const keyed = (key) => key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;

export function table(heads, rows) {
  const cells = heads.map((head) => make("th", { scope: "col" }, head));
  const head = make("thead", {}, make("tr", {}, ...cells));
  return make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": heads.join(", ") },
    make("table", {}, head, make("tbody", {}, ...rows)));
}

export function row(attributes, ...cells) {
  const made = cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : make("td", {}, cell)));
  return make("tr", attributes, ...made);
}

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set("circle ellipse g line path polygon polyline rect style svg text title tspan".split(" "));

// A picture that the engine drew. It is parsed as XML, in which scripts do not run, and the page's
// policy allows none either. Everything other than shapes is removed.
export function picture(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (read.nodeName !== "svg") return make("p", {}, "The picture cannot be shown.");
  for (const one of [...read.querySelectorAll("*"), read]) {
    if (one.namespaceURI !== SVG || !SHAPES.has(one.localName)) one.remove();
    for (const { name } of [...one.attributes]) {
      if (/^on|href$/i.test(name)) one.removeAttribute(name);
    }
  }
  return document.importNode(read, true);
}
