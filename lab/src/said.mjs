// What a screen reader says by itself: one polite message after a pause, not one for each keystroke.
import { part } from "./dom.mjs";

const PAUSE = 900; // milliseconds without news
const NEWS = new Set(["status", "verdicts"]); // other subjects are faults
const waiting = new Map();
const faults = new Set(); // the subjects of the faults that were said and not mended since
let timer = null;

// The latest text on a subject is said; an empty one takes back what has not been said yet.
export function say(subject, text) {
  if (text) waiting.set(subject, text);
  else waiting.delete(subject);
  clearTimeout(timer);
  timer = setTimeout(speak, PAUSE);
}

// With no news, a fault that is no longer there leaves the line.
function speak() {
  const place = part("said");
  const text = [...waiting.values()].join(" ");
  const isAsked = waiting.has("status"); // what a button did is said again, a fault that stays is not
  const said = [...waiting.keys()].filter((subject) => !NEWS.has(subject));
  waiting.clear();
  if (text ? text === place.textContent && !isAsked : !faults.size) return;
  faults.clear();
  for (const subject of said) faults.add(subject);
  place.replaceChildren(text);
}

// Whether a fault was the last that was said.
export const wasSaid = (subject) => faults.has(subject);

// What a button did is said even if there is a new judgement by then.
export function forget() {
  for (const subject of [...waiting.keys()]) if (subject !== "status") waiting.delete(subject);
}
