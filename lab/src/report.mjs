// How all panels show results and errors.
import { make, part, show } from "./dom.mjs";
import { say } from "./said.mjs";

const GOOD = new Set(["succeeds", "given", "available", "stands", ""]);
// Whether a unit has no order yet, and would be disbanded without one.
export const isAwaited = ({ submitted, fate }) => submitted === null && fate === "disbanded";
export const result = (one) =>
  (isAwaited(one) ? "no order yet" : [one.verdict, one.fate].filter(Boolean).join(", "));
export const failed = (one) => !isAwaited(one) && (!GOOD.has(one.verdict) || Boolean(one.fate));

const ANSWERS = ["post-link", "post-picture", "post-png"]; // buttons that pass an explanation on

export const isOld = () => part("board").matches(".old");

// Marks the explanation as being of another board than the one that is asked about, or not.
export function markWhy(isOld) {
  part("why").classList.toggle("old", isOld);
  for (const id of ANSWERS) part(id).disabled = isOld;
}

// Marks all results in the same way. A new explanation follows new results a little later.
export function markOld(isOld) {
  for (const id of ["panels", "board"]) part(id).classList.toggle("old", isOld);
  if (isOld) markWhy(true);
}

// A choice of an item in a list.
export const option = ({ name, title }) =>
  make("option", { value: name }, title ? `${name}: ${title}` : name);

// `more` is shown beside the message.
export function showError(id, error, more = null) {
  const parts = [error.document, error.line && `line ${error.line}`, error.column && `column ${error.column}`];
  // The message of several faults says where each is.
  const known = error.message.includes("\n") ? "" : parts.filter(Boolean).join(", ");
  const place = known ? ` (${known})` : "";
  show(part(id), more, make("p", { class: "bad" }, error.message + place));
  say(id, error.message + place);
}
