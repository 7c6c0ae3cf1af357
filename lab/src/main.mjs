// The rule lab: opens the panels and the engine, and updates the address of the page.
import { part } from "./dom.mjs";
import { openEngine } from "./engine.mjs";
import { makeJudging } from "./judging.mjs";
import { makeLab } from "./lab.mjs";
import { packed, unpacked } from "./link.mjs";
import { openBoard } from "./panels/board.mjs";
import { openCases } from "./panels/cases.mjs";
import { openChanges } from "./panels/changes.mjs";
import { openCompare } from "./panels/compare.mjs";
import { openGames } from "./panels/games.mjs";
import { openDispute } from "./panels/dispute.mjs";
import { openOrders } from "./panels/orders.mjs";
import { openProof } from "./panels/proof.mjs";
import { openRecipes } from "./panels/recipes.mjs";
import { openRules } from "./panels/rules.mjs";
import { openSearch } from "./panels/search.mjs";
import { openVerdicts } from "./panels/verdicts.mjs";
import { openZoom } from "./panels/zoom.mjs";
import { openSaving } from "./saving.mjs";
import { asksAnew } from "./state.mjs";
import { openTabs } from "./tabs.mjs";
import { openUndoing } from "./undoing.mjs";

openTabs();
openZoom();
const opened = await given(location.hash);
const lab = makeLab(opened.state);
const board = openBoard(lab);
// The panels receive answers in this order, so the parts that readers look at first come first.
const panels = [
  openChanges(lab), openVerdicts(lab, board), openOrders(lab), openRules(lab), board, openProof(lab, board),
  openCompare(lab), openRecipes(lab), openCases(lab), openSearch(lab), openGames(lab),
];
openDispute(lab);
const judging = makeJudging(lab, panels);
openUndoing(lab.state);
openSaving(lab);

let timer = null;
lab.state.subscribe((now, before, typed) => {
  clearTimeout(timer);
  timer = setTimeout(async () => history.replaceState(null, "", `#${await packed(now)}`), 300);
  if (asksAnew(now, before)) judging.refresh(typed !== "");
});

// Lists of choices are filled after the first verdict, once an engine can provide them.
let isFilled = false;
lab.again = lab.pressed(async () => {
  try {
    lab.engine ??= await openEngine(lab.loading);
  } catch (error) {
    lab.tell(`The engine cannot be found: ${error.message}`);
    document.body.dataset.state = "done";
    return;
  }
  lab.engine.retry?.();
  await judging.refresh();
  if (isFilled || lab.engine.broken) return;
  await Promise.all(panels.map((panel) => panel.fill?.()));
  isFilled = !lab.engine.broken;
});

// `changes` are the members in which the link differs from the page.
lab.share = async (changes = {}) => {
  const address = `${location.href.split("#")[0]}#${await packed({ ...lab.state.now, ...changes })}`;
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    lab.confirm("The link is copied.");
  } catch {
    lab.confirm("The link is in the address bar.");
  }
};

function turnDark() {
  document.documentElement.dataset.theme = lab.isDark() ? "light" : "dark";
  judging.refresh();
}

// The state in the address, or why it cannot be read.
async function given(hash) {
  const text = hash.slice(1);
  try {
    return { state: text ? await unpacked(text) : {}, fault: null };
  } catch (error) {
    return { state: {}, fault: `The link cannot be read: ${error.message}` };
  }
}

const actions = { share: () => lab.share(), dark: turnDark, again: lab.again, stop: () => lab.engine?.stop() };
for (const [id, action] of Object.entries(actions)) {
  part(id).addEventListener("click", lab.pressed(action));
}
window.addEventListener("hashchange", async ({ newURL }) => {
  const { state, fault } = await given(new URL(newURL).hash); // meanwhile the page may write its own address
  const { about = null, page = "lab", ...rest } = state;
  lab.state.look({ about, page });
  lab.state.change(rest);
  if (fault) lab.tell(fault);
});
await lab.again();
if (opened.fault) lab.tell(opened.fault); // after the first verdict, which uses the same line
