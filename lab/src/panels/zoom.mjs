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
  let view = { scale: 1, x: 0.5, y: 0.5 }; // what is in the middle of the frame, in parts of the picture
  let size = "";
  let around = ""; // the units that the view was last set for
  const measured = () => `${place.clientWidth} ${place.clientHeight}`;

  function look(scale, x = view.x, y = view.y) {
    const svg = place.querySelector("svg");
    if (!svg) return;
    view = { scale: Math.min(MOST, Math.max(1, scale)), x, y };
    const isNear = view.scale > 1;
    place.classList.toggle("zoomed", isNear);
    svg.style.width = isNear ? `${100 * view.scale}%` : "";
    svg.style.maxWidth = isNear ? "none" : "";
    const { width, height } = svg.viewBox.baseVal;
    place.style.aspectRatio = `${width} / ${height}`; // the frame keeps its shape
    size = measured();
    place.scrollTo(x * place.scrollWidth - place.clientWidth / 2, y * place.scrollHeight - place.clientHeight / 2);
  }

  function near() {
    look(1);
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
    look(Math.min(whole.width / width, whole.height / height, NEAREST),
      ((least("left") + most("right")) / 2 - whole.left) / whole.width,
      ((least("top") + most("bottom")) / 2 - whole.top) / whole.height);
  }

  place.addEventListener("scroll", () => {
    if (size !== measured()) return; // the frame has changed, not what the reader looks at
    view.x = (place.scrollLeft + place.clientWidth / 2) / place.scrollWidth;
    view.y = (place.scrollTop + place.clientHeight / 2) / place.scrollHeight;
  });
  new ResizeObserver(() => size !== measured() && look(view.scale)).observe(place);
  // The same units keep the view that the reader has chosen.
  new MutationObserver(() => {
    const units = Array.from(place.querySelectorAll(".unit"), (one) => one.dataset.unit).join();
    if (units && units !== around) near();
    else look(view.scale);
    around = units;
  }).observe(place, { childList: true });

  const button = (text, action, label = null) =>
    make("button", { type: "button", "aria-label": label, onclick: action }, text);
  part("zoom").append(
    button("−", () => look(view.scale / STEP), "Smaller board"),
    button("+", () => look(view.scale * STEP), "Larger board"),
    button("Whole map", () => look(1)), button("Around the units", near),
  );
}
