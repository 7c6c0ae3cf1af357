// Files of the rules, the orders and the whole state, opened and saved; pictures and results, saved.
import { part } from "./dom.mjs";
import { openFiles, opener, save, saveJson, takeDrops } from "./files.mjs";
import { checked } from "./link.mjs";
import { copyPng, savePng } from "./posting.mjs";
import { RULES_FILE } from "./state.mjs";

export function openSaving(lab) {
  const { state } = lab;
  const around = (id) => part(id).closest("section");
  const openState = opener(lab, (text, name) => {
    state.change(read(text, name));
    lab.confirm(`${name} is open.`);
  });
  // A file dropped outside the panels may be anything that the page can read.
  const openAny = opener(lab, async (text, name) => {
    if (isState(text)) {
      state.change(read(text, name));
      lab.confirm(`${name} is open.`);
    } else if (/^(extends|decisions) *:/m.test(text)) state.change({ rules: text });
    else await lab.takeText(text, name);
  });

  openFiles("open-rules", around("rules-text"), opener(lab, (text) => state.change({ rules: text })));
  openFiles("open-orders", around("orders-text"), opener(lab, (text) => state.change({ orders: text })));
  openFiles("open-state", part("open-state"), openState);
  takeDrops(window, openAny, false);

  const actions = {
    "save-rules": () => save(RULES_FILE, "application/yaml", state.now.rules),
    "save-orders": () => save("orders.txt", "text/plain", state.now.orders),
    "save-state": () => saveJson("lab.json", state.now),
    "save-result": () => lab.outcome && saveJson("result.json", lab.outcome),
    "copy-picture": () => copyPng(lab, "board.png", {}),
    "save-picture": () => savePng(lab, "board.png", {}),
    "save-svg": async () => {
      const found = await lab.ask(lab.onBoard("svg", { dark: lab.isDark() }));
      if (found.error) lab.confirm(found.error.message);
      else save("board.svg", "image/svg+xml", found.answer.svg);
    },
  };
  for (const [id, action] of Object.entries(actions)) {
    part(id).addEventListener("click", lab.pressed(action));
  }
}

// The beginning of every file that Save writes.
const isState = (text) => /^\s*\{\s*"rules":/.test(text);

function read(text, name) {
  try {
    return checked(JSON.parse(text));
  } catch (error) {
    throw new Error(`${name} is not a state of this page (${error.message})`);
  }
}
