// What a screen reader says by itself: one polite message after a pause, not one for each keystroke.
import { part } from "./dom.mjs";

const PAUSE = 900; // milliseconds without news
const waiting = new Map();
let timer = null;

// The latest text on a subject is said; an empty one takes back what has not been said yet.
export function say(subject, text) {
  if (text) waiting.set(subject, text);
  else waiting.delete(subject);
  clearTimeout(timer);
  timer = setTimeout(speak, PAUSE);
}

function speak() {
  const place = part("said");
  const text = [...waiting.values()].join(" ");
  const isAsked = waiting.has("status"); // what a button did is said again, a fault that stays is not
  waiting.clear();
  if (!text || (text === place.textContent && !isAsked)) return;
  place.replaceChildren(text);
}

// What a button did is said even if there is a new judgement by then.
export function forget() {
  for (const subject of [...waiting.keys()]) if (subject !== "status") waiting.delete(subject);
}
