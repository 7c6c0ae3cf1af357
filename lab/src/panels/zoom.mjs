// How much of the map the board shows: all of it, the part around the units, or what the reader has
// chosen with the buttons, the wheel with Ctrl, by dragging the map, or with two fingers.
import { make, part } from "../dom.mjs";

const MOST = 8;
const STEP = 1.4;
const NEAREST = 2.6; // nearer, a reader no longer knows where on the map this is
const MARGIN = 0.07; // of the map's width, on each side of the units and their orders
const SHOWN = ".unit:not(.others), .layer-orders > g:not(.others)"; // others are faint

export function openZoom() {
  const place = part("picture");
  const down = new Map(); // the pointers that move the map
  let whole = null; // the whole picture, as x, y, width and height
  let view = null; // the part that is shown
  let kept = null; // the view before one in which only some of the units stand out
  let isAround = true; // whether the view follows the units

  const svgShown = () => place.querySelector("svg.dipsat-board");

  // The view keeps the shape of the whole, and stays inside it.
  function set({ x, y, width }) {
    const svg = svgShown();
    if (!svg || !whole) return;
    const wide = Math.min(whole.width, Math.max(whole.width / MOST, width));
    const high = (wide * whole.height) / whole.width;
    const within = (value, least, most) => Math.min(Math.max(value, least), most);
    view = {
      x: within(x, whole.x, whole.x + whole.width - wide),
      y: within(y, whole.y, whole.y + whole.height - high),
      width: wide, height: high,
    };
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${wide} ${high}`);
    place.classList.toggle("zoomed", wide < whole.width);
  }

  // Shows more or less; the point at these fractions of the view stays where it is.
  function by(factor, right = 0.5, below = 0.5) {
    if (!view) return;
    isAround = false;
    const width = Math.min(whole.width, Math.max(whole.width / MOST, view.width / factor));
    const shrunk = 1 - width / view.width;
    set({ x: view.x + right * view.width * shrunk, y: view.y + below * view.height * shrunk, width });
  }

  function pointIn(svg, x, y) {
    return new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  }

  // The corners of all units and their orders in the picture, or null.
  function unitsBox(svg) {
    const boxes = Array.from(svg.querySelectorAll(SHOWN), (one) => one.getBoundingClientRect())
      .filter(({ width }) => width);
    if (!boxes.length) return null;
    const least = (side) => Math.min(...boxes.map((one) => one[side]));
    const most = (side) => Math.max(...boxes.map((one) => one[side]));
    const one = pointIn(svg, least("left"), least("top"));
    const two = pointIn(svg, most("right"), most("bottom"));
    const margin = MARGIN * whole.width;
    return { left: one.x - margin, top: one.y - margin, right: two.x + margin, bottom: two.y + margin };
  }

  function around() {
    const svg = svgShown();
    if (!svg) return;
    isAround = true;
    const box = unitsBox(svg);
    if (!box) {
      set(whole);
      return;
    }
    const shape = whole.width / whole.height;
    const width = Math.max(box.right - box.left, (box.bottom - box.top) * shape, whole.width / NEAREST);
    const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    set({ x: middle.x - width / 2, y: middle.y - width / shape / 2, width });
  }

  // A new picture keeps the view, unless it is of another map, or units that are to be seen are not.
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
      view = whole;
      around();
      return;
    }
    set(view);
    const box = isAround ? unitsBox(svg) : null;
    const isSeen = !box || (box.left >= view.x && box.top >= view.y &&
      box.right <= view.x + view.width && box.bottom <= view.y + view.height);
    if (!isSeen) around();
  }
  new MutationObserver(redrawn).observe(place, { childList: true });

  // --- the wheel, and pointers on the map ---

  const fractions = ({ clientX, clientY }) => {
    const { left, top, width, height } = svgShown().getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  };
  place.addEventListener("wheel", (event) => {
    if (!(event.ctrlKey || event.metaKey) || !svgShown()) return;
    event.preventDefault();
    by(Math.exp(-event.deltaY / 300), ...fractions(event));
  }, { passive: false });

  place.addEventListener("pointerdown", (event) => {
    const isUnit = event.target.closest?.(".unit[data-unit]");
    if (isUnit || event.button !== 0 || !place.classList.contains("zoomed")) return;
    down.set(event.pointerId, event);
  });
  place.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before || !view) return;
    const { width } = svgShown().getBoundingClientRect();
    const others = [...down.values()].filter((one) => one.pointerId !== event.pointerId);
    if (others.length) {
      const far = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY);
      by(far(event) / Math.max(1, far(before)), ...fractions(others[0]));
    } else {
      isAround = false;
      const scale = view.width / width;
      set({ ...view, x: view.x - (event.clientX - before.clientX) * scale,
        y: view.y - (event.clientY - before.clientY) * scale });
    }
    down.set(event.pointerId, event);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    place.addEventListener(name, (event) => down.delete(event.pointerId));
  }

  // A unit that takes the focus is shown.
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
    set(whole);
  };
  part("zoom").append(
    button("−", "Smaller board", () => by(1 / STEP)), button("+", "Larger board", () => by(STEP)),
    make("button", { type: "button", onclick: showWhole }, "Whole map"),
    make("button", { type: "button", onclick: around }, "Around the units"),
  );
}
