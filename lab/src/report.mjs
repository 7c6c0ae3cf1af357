// How all panels say results and errors.
import { make, part, show } from "./dom.mjs";
import { say } from "./said.mjs";

const GOOD = new Set(["succeeds", "given", "available", "stands", ""]);
export const result = ({ verdict, fate }) => [verdict, fate].filter(Boolean).join(", ");
export const failed = ({ verdict, fate }) => !GOOD.has(verdict) || Boolean(fate);

// A choice of something that a list names.
export const option = ({ name, title }) =>
  make("option", { value: name }, title ? `${name}: ${title}` : name);

export function showError(id, error) {
  const parts = [error.document, error.line && `line ${error.line}`, error.column && `column ${error.column}`];
  // The message of several faults says of each where it is.
  const known = error.message.includes("\n") ? "" : parts.filter(Boolean).join(", ");
  const place = known ? ` (${known})` : "";
  show(part(id), make("p", { class: "bad" }, error.message + place));
  say(id, error.message + place);
}
