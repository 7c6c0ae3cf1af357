// The phases of a game as a list. Tab reaches only the current one.
import { make, part, show } from "../dom.mjs";

const MARKS = { agrees: "", differs: "differs", skipped: "not compared" };

// `choose(at)` is called with the index of a phase that is clicked.
export function makePhaseList(choose) {
  const place = part("phases");
  const buttons = () => [...place.querySelectorAll("button")];
  const focus = () => place.querySelector("[aria-current]")?.focus();

  // -1 for no phase of the game.
  function turn(at) {
    for (const [index, button] of buttons().entries()) {
      const isCurrent = index === at;
      button.tabIndex = index === Math.max(0, at) ? 0 : -1;
      if (isCurrent) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const current = place.querySelector("[aria-current]");
    if (!current) return;
    const { top, bottom } = current.getBoundingClientRect(); // the list scrolls, the page does not
    const around = place.getBoundingClientRect();
    place.scrollTop += Math.min(0, top - around.top) + Math.max(0, bottom - around.bottom);
  }

  return {
    focus,
    turn,
    has: (node) => place.contains(node),
    show(phases, at) {
      const hadFocus = place.contains(document.activeElement);
      show(place, ...phases.map(({ phase, status }, index) => {
        const mark = MARKS[status];
        const shown = mark ? make("span", { class: "mark" }, ` ${mark}`) : null;
        const attributes = { type: "button", class: `phase ${status}`, onclick: () => choose(index) };
        return make("li", {}, make("button", attributes, phase || "?", shown));
      }));
      turn(at);
      if (hadFocus) focus();
    },
  };
}
