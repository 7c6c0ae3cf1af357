// Pictures for posts: PNG, copied or saved.
import { saveBlob } from "./files.mjs";
import { addressOf } from "./pair.mjs";

const SHARP = 2; // pixels of the picture for one of the drawing

// The picture from an `svg` request as a PNG, or null after a message if it cannot be drawn.
async function drawn(lab, asked) {
  const { answer, error } = await lab.ask(lab.onBoard("svg", { ...asked, dark: lab.isDark() }));
  if (error) {
    lab.confirm(error.message);
    return null;
  }
  const image = new Image();
  image.src = addressOf(answer.svg);
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"),
    { width: SHARP * image.naturalWidth, height: SHARP * image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

function keep(lab, name, png, why = "") {
  if (!png) return;
  saveBlob(name, png);
  lab.confirm(`${why}${name} is saved.`);
}

export const savePng = async (lab, name, asked) => keep(lab, name, await drawn(lab, asked));

export async function copyPng(lab, name, asked) {
  const png = drawn(lab, asked);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    lab.confirm("The picture is copied.");
  } catch {
    keep(lab, name, await png, "This browser cannot copy pictures: ");
  }
}
