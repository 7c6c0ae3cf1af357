// How large the board is: the whole map, or the part around the units, which is what a small screen
// can show. The picture scrolls in its frame.
import { make, part } from "../dom.mjs";

const MOST = 8;
const STEP = 1.4;
const NEAREST = 4; // nearer, a reader no longer knows where on the map this is
const MARGIN = 0.08; // of the map's width, on each side of the units and their orders
const SHOWN = ".unit, .layer-orders > g";

export function openZoom() {
  const place = part("picture");
  let scale = 1;
  let around = ""; // the units that the view was last set for

  const set = (value, x = 0.5, y = 0.5) => {
    const svg = place.querySelector("svg");
    if (!svg) return;
    scale = Math.min(MOST, Math.max(1, value));
    place.classList.toggle("zoomed", scale > 1);
    Object.assign(svg.style, scale > 1 ? { width: `${100 * scale}%`, maxWidth: "none" } : { width: "", maxWidth: "" });
    const { width, height } = svg.viewBox.baseVal;
    place.style.aspectRatio = `${width} / ${height}`; // the frame keeps its shape
    place.scrollLeft = x * place.scrollWidth - place.clientWidth / 2;
    place.scrollTop = y * place.scrollHeight - place.clientHeight / 2;
  };
  const by = (factor) => set(scale * factor,
    (place.scrollLeft + place.clientWidth / 2) / place.scrollWidth,
    (place.scrollTop + place.clientHeight / 2) / place.scrollHeight);

  function near() {
    set(1);
    const svg = place.querySelector("svg");
    const whole = svg?.getBoundingClientRect();
    const found = Array.from(svg?.querySelectorAll(SHOWN) ?? [], (one) => one.getBoundingClientRect())
      .filter(({ width }) => width);
    if (!found.length || !whole.width) return;
    const least = (side) => Math.min(...found.map((one) => one[side]));
    const most = (side) => Math.max(...found.map((one) => one[side]));
    const margin = MARGIN * whole.width;
    const width = most("right") - least("left") + 2 * margin;
    const height = most("bottom") - least("top") + 2 * margin;
    set(Math.min(whole.width / width, whole.height / height, NEAREST),
      ((least("left") + most("right")) / 2 - whole.left) / whole.width,
      ((least("top") + most("bottom")) / 2 - whole.top) / whole.height);
  }

  // The same units keep the view that the reader has chosen.
  const redrawn = () => {
    const units = Array.from(place.querySelectorAll(".unit"), (one) => one.dataset.unit).join();
    const { scrollLeft, scrollTop } = place;
    if (units && units !== around) near();
    else {
      set(scale);
      place.scrollTo(scrollLeft, scrollTop);
    }
    around = units;
  };
  new MutationObserver(redrawn).observe(place, { childList: true });

  const button = (text, label, action) =>
    make("button", { type: "button", "aria-label": label, onclick: action }, text);
  part("zoom").append(
    button("−", "Smaller board", () => by(1 / STEP)), button("+", "Larger board", () => by(STEP)),
    make("button", { type: "button", onclick: () => set(1) }, "Whole map"),
    make("button", { type: "button", onclick: near }, "Around the units"),
  );
}
