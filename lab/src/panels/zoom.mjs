// How much of the map the board shows: all of it, the part around the units, or a part that the
// reader chose with the buttons, the wheel, two fingers, or by dragging the map. The picture fills
// its place, whatever its shape.
import { make, part } from "../dom.mjs";

const MOST = 8;
const STEP = 1.4;
const NEAREST = 2.6; // any nearer, a reader no longer knows where on the map this is
const MARGIN = 0.07; // of the map's width, on each side of the units and their orders
const LEAST = 24; // pixels of a unit, where the board is SMALL
const SMALL = 600;
const SHOWN = ".unit:not(.others), .layer-orders > g:not(.others)"; // others are faint

export function openZoom() {
  const place = part("picture");
  const down = new Map(); // the pointers that move the map
  let whole = null; // the whole picture, as x, y, width and height
  let view = null; // the part that is shown
  let kept = null; // the view before one in which only some of the units stand out
  let isAround = true; // whether the view follows the units

  const svgShown = () => place.querySelector("svg.dipsat-board");

  const shape = () => Math.max(0.1, place.clientWidth / Math.max(1, place.clientHeight));
  // The width of a view with the whole map in it.
  const widest = () => Math.max(whole.width, whole.height * shape());

  // The view has the shape of its place. It stays on the map; where it is larger, the map is centred.
  function set({ x, y, width }) {
    const svg = svgShown();
    if (!svg || !whole) return;
    const wide = Math.min(widest(), Math.max(whole.width / MOST, width));
    const high = wide / shape();
    const within = (value, size, first, most) =>
      (size >= most ? first + (most - size) / 2 : Math.min(Math.max(value, first), first + most - size));
    view = {
      x: within(x, wide, whole.x, whole.width), y: within(y, high, whole.y, whole.height),
      width: wide, height: high,
    };
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${wide} ${high}`);
    place.classList.toggle("zoomed", wide < widest());
  }

  // Zooms in or out. The point at these fractions of the view stays where it is.
  function by(factor, right = 0.5, below = 0.5) {
    if (!view) return;
    isAround = false;
    const width = Math.min(widest(), Math.max(whole.width / MOST, view.width / factor));
    const shrunk = 1 - width / view.width;
    set({ x: view.x + right * view.width * shrunk, y: view.y + below * view.height * shrunk, width });
  }

  function pointIn(svg, x, y) {
    return new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  }

  // The corners of all units and their orders in the picture, or null.
  function unitsBox(svg) {
    const boxesOf = (selector) => Array.from(svg.querySelectorAll(selector), (one) => one.getBoundingClientRect())
      .filter(({ width }) => width);
    const clear = boxesOf(SHOWN);
    const boxes = clear.length ? clear : boxesOf(".unit");
    if (!boxes.length) return null;
    const least = (side) => Math.min(...boxes.map((one) => one[side]));
    const most = (side) => Math.max(...boxes.map((one) => one[side]));
    const one = pointIn(svg, least("left"), least("top"));
    const two = pointIn(svg, most("right"), most("bottom"));
    const margin = MARGIN * whole.width;
    return { left: one.x - margin, top: one.y - margin, right: two.x + margin, bottom: two.y + margin };
  }

  // What lies over the picture leaves this part of its height, in pixels.
  function free() {
    const { top } = place.getBoundingClientRect();
    const above = Math.max(0, part("view").getBoundingClientRect().bottom - top);
    return { above, high: Math.max(1, part("zoom").getBoundingClientRect().top - top - above) };
  }

  function around() {
    const svg = svgShown();
    if (!svg) return;
    isAround = true;
    const box = unitsBox(svg);
    if (!box) {
      set({ ...whole, width: widest() });
      return;
    }
    const { above, high } = free();
    const wide = place.clientWidth;
    const all = Math.max(box.right - box.left, (box.bottom - box.top) * wide / high, whole.width / NEAREST);
    const width = Math.min(all, legible(svg));
    const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    set({ x: middle.x - width / 2, y: middle.y - (above + high / 2) * width / wide, width });
  }

  // The greatest width of a view in which units are large enough for a finger.
  function legible(svg) {
    const unit = svg.querySelector(".unit[data-unit]")?.getBBox();
    return unit && place.clientWidth < SMALL ? place.clientWidth * Math.max(unit.width, unit.height) / LEAST : Infinity;
  }

  // A new picture keeps the view unless it shows another map, or units that should be visible are
  // not.
  function redrawn() {
    const svg = svgShown();
    if (!svg) return;
    const { x, y, width, height } = svg.viewBox.baseVal;
    const isSame = whole && [x, y, width, height].join() === Object.values(whole).join();
    whole = { x, y, width, height };
    const isPart = svg.querySelector(".unit.others") !== null;
    if (isSame && isPart && kept === null) {
      kept = { view, isAround };
      around();
      return;
    }
    if (!isPart && kept !== null) {
      ({ view, isAround } = kept);
      kept = null;
    }
    if (!isSame) {
      view = { ...whole };
      around();
      return;
    }
    set(view);
    const box = isAround ? unitsBox(svg) : null;
    const { above, high } = free();
    const scale = view.width / place.clientWidth;
    const isSeen = !box || (box.left >= view.x && box.top >= view.y + above * scale &&
      box.right <= view.x + view.width && box.bottom <= view.y + (above + high) * scale);
    if (!isSeen) around();
  }
  new MutationObserver(redrawn).observe(place, { childList: true });
  new ResizeObserver(() => {
    if (!view) return;
    if (isAround) around();
    else set(view);
  }).observe(place);

  // --- the wheel, and pointers on the map ---

  const fractions = ({ clientX, clientY }) => {
    const { left, top, width, height } = svgShown().getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  };
  const at = ({ pointerId, clientX, clientY }) => ({ pointerId, clientX, clientY });
  place.addEventListener("wheel", (event) => {
    if (!svgShown()) return;
    event.preventDefault();
    by(Math.exp(-event.deltaY / 300), ...fractions(event));
  }, { passive: false });

  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (event.isPrimary) down.clear();
    down.set(event.pointerId, { ...at(event), isUnit: event.target.closest?.(".unit[data-unit]") });
  });
  place.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before || !view) return;
    const { width } = svgShown().getBoundingClientRect();
    const others = [...down.values()].filter((one) => one.pointerId !== event.pointerId);
    if (others.length) {
      const far = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY);
      by(far(event) / Math.max(1, far(before)), ...fractions(others[0]));
    } else if (!before.isUnit && place.classList.contains("zoomed")) { // a finger on a unit drags it
      isAround = false;
      const scale = view.width / width;
      set({ ...view, x: view.x - (event.clientX - before.clientX) * scale,
        y: view.y - (event.clientY - before.clientY) * scale });
    }
    down.set(event.pointerId, { ...before, ...at(event) });
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    place.addEventListener(name, (event) => down.delete(event.pointerId));
  }

  // A unit that receives the focus is brought into view.
  place.addEventListener("focusin", (event) => {
    const svg = svgShown();
    const unit = event.target.closest(".unit[data-unit]");
    if (!svg || !unit || !view || !event.target.matches(":focus-visible")) return;
    const { left, top, width, height } = unit.getBoundingClientRect();
    const { x, y } = pointIn(svg, left + width / 2, top + height / 2);
    const isSeen = x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height;
    if (!isSeen) set({ ...view, x: x - view.width / 2, y: y - view.height / 2 });
  });

  const button = (text, label, action) =>
    make("button", { type: "button", "aria-label": label, onclick: action }, text);
  const showWhole = () => {
    isAround = false;
    set({ ...whole, width: widest() });
  };
  part("zoom").append(
    button("−", "Smaller board", () => by(1 / STEP)), button("+", "Larger board", () => by(STEP)),
    make("button", { type: "button", id: "whole-map", title: "Whole map", onclick: showWhole }, "All"),
    make("button", { type: "button", title: "Around the units", onclick: around }, "Units"),
  );
}
