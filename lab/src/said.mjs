// What a screen reader says unasked: one polite message after a pause, not one per keystroke.
import { part } from "./dom.mjs";

const PAUSE = 900; // milliseconds without news
const NEWS = new Set(["status", "verdicts"]); // other subjects are faults
const waiting = new Map();
const faults = new Set(); // the subjects of faults that were said and are not fixed yet
let timer = null;

// The latest text on a subject is said. An empty text takes back one that has not been said yet.
export function say(subject, text) {
  if (text) waiting.set(subject, text);
  else waiting.delete(subject);
  clearTimeout(timer);
  timer = setTimeout(speak, PAUSE);
}

// Without news, a fault that is gone is removed from the line.
function speak() {
  const place = part("said");
  const text = [...waiting.values()].join(" ");
  const isAsked = waiting.has("status"); // the result of a button is repeated, a fault that stays is not
  const said = [...waiting.keys()].filter((subject) => !NEWS.has(subject));
  waiting.clear();
  if (text ? text === place.textContent && !isAsked : !faults.size) return;
  faults.clear();
  for (const subject of said) faults.add(subject);
  place.replaceChildren(text);
}

// Whether the faults said last include this one.
export const wasSaid = (subject) => faults.has(subject);

// Drops waiting texts, except the result of a button, which is said even after a new judgement.
export function forget() {
  for (const subject of [...waiting.keys()]) if (subject !== "status") waiting.delete(subject);
}
