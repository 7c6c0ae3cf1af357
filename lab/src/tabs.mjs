// The panels beside the board, one of which is shown, and the sheet that holds them on a phone.
import { part } from "./dom.mjs";

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const SIZES = ["low", "half", "full"];
const HEIGHTS = { low: "7.4em", half: "50%", full: "92%" };

const tabs = () => [...part("places").children];
const panelOf = (tab) => part(tab.getAttribute("aria-controls"));

export const isShown = (name) => !part(`panel-${name}`).hidden;

// Shows a panel by its name. The panel receives the event `shown`.
export function showPanel(name) {
  if (!isShown(name)) part("panels").scrollTop = 0;
  for (const tab of tabs()) {
    const isChosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    panelOf(tab).hidden = !isChosen;
  }
  part(`panel-${name}`).dispatchEvent(new Event("shown"));
}

// Sets the text beside the name of a panel, such as a number; null for nothing.
export function badge(name, text) {
  if (text) part(`tab-${name}`).dataset.badge = text;
  else delete part(`tab-${name}`).dataset.badge;
}

// Sets how much of a phone's screen the sheet takes.
function size(name) {
  const side = part("side");
  side.dataset.size = name;
  side.parentElement.style.setProperty("--sheet", HEIGHTS[name]);
  part("grip").setAttribute("aria-expanded", String(name !== "low"));
}

// Opens the sheet if only its head is visible.
export const raise = () => part("side").dataset.size === "low" && size("half");

export function openTabs() {
  const side = part("side");

  part("places").addEventListener("click", ({ target }) => {
    const tab = target.closest("[role=tab]");
    if (!tab) return;
    const isOpen = tab.getAttribute("aria-selected") === "true" && side.dataset.size !== "low";
    showPanel(tab.id.slice("tab-".length));
    tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (isOpen) size("low"); // on a large screen it has no size
    else raise();
  });
  part("places").addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    const at = tabs().indexOf(event.target);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    const last = tabs().length - 1;
    const next = Math.abs(by) === 1 ? (at + by + last + 1) % (last + 1) : by < 0 ? 0 : last;
    tabs()[next].focus();
    showPanel(tabs()[next].id.slice("tab-".length));
    raise();
  });

  // The grip can be pressed or dragged; the sheet then takes the nearest size.
  let dragged = null;
  const grip = part("grip");
  grip.addEventListener("click", () => {
    if (dragged === null) size(SIZES[(SIZES.indexOf(side.dataset.size) + 1) % SIZES.length]);
    dragged = null;
  });
  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    dragged = null;
  });
  grip.addEventListener("pointermove", ({ clientY, buttons }) => {
    if (!buttons) return;
    const { bottom, height } = side.parentElement.getBoundingClientRect();
    const wanted = (bottom - clientY) / height;
    if (dragged === null && Math.abs(bottom - clientY - side.clientHeight) < 8) return;
    dragged = wanted;
    side.parentElement.style.setProperty("--sheet", `${Math.round(100 * Math.min(0.92, Math.max(0.1, wanted)))}%`);
    side.dataset.size = "half"; // so that the new content is visible
  });
  grip.addEventListener("pointerup", () => {
    if (dragged !== null) size(dragged < 0.25 ? "low" : dragged < 0.7 ? "half" : "full");
  });

  size("low");
  showPanel("orders");
  for (const heading of document.querySelectorAll("main section h2")) heading.tabIndex = -1;
  document.addEventListener("click", ({ target }) => { // an open menu closes
    for (const one of document.querySelectorAll(".drop[open]")) {
      if (!one.contains(target) || target.closest(".drop button")) one.open = false;
    }
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address holds the state
    part("h-board").focus();
  });
}
