// Clicks and drags on the board, with a mouse, a pen or a finger.

const STILL = 8; // pixels by which a click may move

// `click(element, province, point)` and `drop(element, province, wish, point)` are called with the
// unit's element, or null, and `press()` when something begins.
export function followPointer(place, { click, drop, press }) {
  let held = null; // where the pointer went down, and the unit there

  const elements = (event) =>
    document.elementsFromPoint(event.clientX, event.clientY).filter((one) => place.contains(one));

  // The unit and the province under the pointer. A unit may be drawn beside its province.
  function under(event, without = null) {
    const found = elements(event);
    const all = found.map((one) => one.closest(".unit[data-unit]")).filter(Boolean);
    const unit = all.find((one) => one !== without) ?? all[0] ?? null;
    const area = found.map((one) => one.closest("[data-province]")).find(Boolean);
    const province = unit && unit !== without ? placeOf(unit) : area?.dataset.province ?? null;
    return { unit, province };
  }
  const placeOf = (element) => element.dataset.unit.split(" ").at(-1).split("/")[0];

  function pointIn(svg, { clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  }

  // The line from the unit to the pointer, which stays until the next picture.
  function draw(event) {
    const svg = place.querySelector("svg");
    if (!svg) return;
    if (!held.line) {
      const box = held.element.getBoundingClientRect();
      const middle = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
      const { x, y } = pointIn(svg, middle);
      held.line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      held.line.setAttribute("class", "drag");
      held.line.setAttribute("x1", x);
      held.line.setAttribute("y1", y);
      svg.append(held.line);
    }
    const { x, y } = pointIn(svg, event);
    held.line.setAttribute("x2", x);
    held.line.setAttribute("y2", y);
    const { province } = under(event, held.element);
    light(province);
  }

  function light(province) {
    for (const one of place.querySelectorAll(".aimed")) one.classList.remove("aimed");
    if (province === null) return;
    place.querySelector(`path[data-province="${CSS.escape(province)}"]`)?.classList.add("aimed");
  }

  function forget() {
    for (const one of place.querySelectorAll(".drag")) one.remove();
    light(null);
  }

  const isFar = (event) =>
    Math.hypot(event.clientX - held.event.clientX, event.clientY - held.event.clientY) > STILL;

  place.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) { // two fingers zoom
      held = null;
      forget();
      return;
    }
    if (event.button !== 0) return;
    press();
    const { unit } = under(event);
    held = { event, element: unit, line: null };
    if (!unit) return;
    if (unit.classList.contains("built")) return; // there is nothing to drag yet
    place.setPointerCapture(event.pointerId);
    event.preventDefault(); // no selection, no scrolling
    unit.focus({ preventScroll: true });
  });
  place.addEventListener("pointermove", (event) => {
    if (held?.element && event.isPrimary && (held.line || isFar(event))) draw(event);
  });
  place.addEventListener("pointerup", (event) => {
    if (!held || !event.isPrimary) return;
    const { element } = held;
    const hasMoved = isFar(event);
    const { province } = under(event, element);
    held = null;
    const point = { clientX: event.clientX, clientY: event.clientY };
    if (!element && hasMoved) return;
    if (element && hasMoved && province !== null && province !== placeOf(element)) {
      const wish = event.shiftKey ? "support" : event.altKey || event.ctrlKey ? "convoy" : "";
      drop(element, province, wish, point);
      return;
    }
    forget();
    click(element, province, point);
  });
  // A finger on a unit drags it. Browsers respect `touch-action` only for the whole picture.
  place.addEventListener("touchstart", (event) => {
    if (event.target.closest?.(".unit[data-unit]")) event.preventDefault();
  }, { passive: false });
  place.addEventListener("pointercancel", () => {
    held = null;
    forget();
  });

  return { forget };
}
