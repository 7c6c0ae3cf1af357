// Files on the reader's computer: opened with a button or by dropping them, and saved.
import { part } from "./dom.mjs";
import { through } from "./link.mjs";

const MOST = 20_000_000; // bytes: no text that dipsat reads is longer

// The text of a file, which may be compressed with gzip.
async function textOf(file) {
  if (file.size > MOST) throw new Error(`${file.name} is larger than any file that dipsat reads`);
  let data = new Uint8Array(await file.arrayBuffer());
  try {
    if (data[0] === 0x1f && data[1] === 0x8b) {
      data = await through(data, new DecompressionStream("gzip"), MOST);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(data).replaceAll("\r\n", "\n");
  } catch (error) {
    throw new Error(`${file.name} cannot be read as text: ${error.message}`);
  }
}

// How a panel takes a file, wherever it comes from: `take(text, name)`.
export function opener(lab, take) {
  return lab.pressed(async (file) => {
    if (!file) return;
    try {
      await take(await textOf(file), file.name);
    } catch (error) {
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
      lab.confirm(error.message);
    }
  });
}

// A button opens files; `place` takes files dropped on it.
export function openFiles(button, place, open) {
  const input = part(`${button}-file`);
  part(button).addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    open(input.files[0]);
    input.value = ""; // so the same file can be opened again
  });
  takeDrops(place, open);
}

// Editors would insert a dropped file into their text, and browsers would leave the page for it. So
// a drop is taken before they see it.
export function takeDrops(place, open, isFirst = true) {
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  const mark = (isOver) => place.classList?.toggle("dropping", isOver);
  const when = (kind, action) => place.addEventListener(kind, (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    action(event);
  }, isFirst);
  when("dragover", () => mark(true));
  when("dragleave", () => mark(false));
  when("drop", (event) => {
    mark(false);
    open(event.dataTransfer.files[0]);
  });
}

export const save = (name, type, text) => saveBlob(name, new Blob([text], { type }));

export function saveBlob(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export const saveJson = (name, value) =>
  save(name, "application/json", `${JSON.stringify(value, null, 1)}\n`);
