// The page for a dispute: the board, the orders, and why one of them has its result. It is the lab
// without what an argument does not need.
import { part } from "../dom.mjs";
import { saveBlob } from "../files.mjs";
import { addressOf } from "../pair.mjs";
import { showError } from "../report.mjs";
import { raise, showPanel } from "../tabs.mjs";

export function openDispute(lab) {
  const { state } = lab;
  const follow = ({ page }) => {
    const isDispute = page === "dispute";
    const isNew = isDispute && document.body.dataset.page !== "dispute";
    document.body.dataset.page = isDispute ? "dispute" : "lab";
    if (!isNew) return;
    showPanel("orders");
    raise();
  };
  follow(state.now);
  state.subscribe(follow);
  const isDispute = () => state.now.page === "dispute";

  // Several lines that are pasted take the place of all orders; a game is opened.
  part("orders-text").addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!isDispute() || !text.trim().includes("\n")) return;
    event.preventDefault();
    event.stopPropagation();
    lab.pressed(lab.takeText)(text, "pasted text");
  }, true);

  const actions = {
    "to-dispute": () => {
      state.look({ page: "dispute" });
      part("panels").scrollTop = 0;
      return lab.explain();
    },
    "to-lab": () => state.look({ page: "lab" }),
    "post-link": () => lab.share({ page: "dispute" }),
    "post-png": async () => saveBlob("ruling.png", await pictureOf(lab)),
    "post-picture": async () => {
      try {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": pictureOf(lab) })]);
        lab.tell("The picture is copied.");
      } catch {
        saveBlob("ruling.png", await pictureOf(lab)); // the browser copies no pictures
      }
    },
  };
  for (const [id, action] of Object.entries(actions)) {
    part(id).addEventListener("click", lab.pressed(action));
  }
}

const SHARP = 2; // pixels of the picture for one of the drawing

// The explanation as a picture that can be posted: a PNG.
async function pictureOf(lab) {
  const asked = { what: "explanation", unit: lab.state.now.about, dark: lab.isDark() };
  const { answer, error } = await lab.ask(lab.onBoard("svg", asked));
  if (error) {
    showError("fault", error);
    throw new Error(error.message);
  }
  const drawn = new Image();
  drawn.src = addressOf(answer.svg);
  await drawn.decode();
  const canvas = Object.assign(document.createElement("canvas"),
    { width: SHARP * drawn.naturalWidth, height: SHARP * drawn.naturalHeight });
  canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}
