// The rule lab: whatever changes, the engine is asked again, and the panels show what it answers.
import { openBoard, sheetOf, withOrder } from "./board.mjs";
import { make, part, picture, show } from "./dom.mjs";
import { makeEditor, mark, rulesLanguage, setText, textOf, wordsOf } from "./editor.mjs";
import { openEngine, Stopped } from "./engine.mjs";
import { showCases, showCompared, showError, showProof, showTree, showVerdicts } from "./report.mjs";
import { packed, unpacked } from "./state.mjs";

const RULES = "extends: datc\ntitle: My rules\n";
const ORDERS = `England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
`;

const words = new Map();
let engine = null;
let state = { rules: RULES, orders: ORDERS, map: null, position: null, compare: ["datc"] };
let outcome = null;
let running = null; // the promise of what is being judged
let isStale = false;
let timer = null;

const tell = (text) => { part("status").textContent = text; };
const isDark = () => (document.documentElement.dataset.theme ??
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

const rules = () => (state.rules.trim() ? { text: state.rules, name: "rules.yaml" } : "datc");
function asked(request, more = {}) {
  const found = { request, orders: state.orders, lenient: true, seconds: 20, ...more };
  if (request !== "compare") found.rules = rules();
  if (state.map) found.map = state.map;
  if (state.position) found.position = state.position;
  return found;
}

const rulesEditor = makeEditor(part("rules-text"), "Rules", edited, rulesLanguage(words));
const ordersEditor = makeEditor(part("orders-text"), "Orders", edited);
const board = openBoard(
  async (unit) => {
    const found = await engine.ask(asked("legal-orders", { unit }));
    return found.answer?.units[unit] ?? [];
  },
  (unit, power, order) => {
    const old = outcome?.orders.find((one) => one.unit === unit && one.power === power);
    setText(ordersEditor, withOrder(state.orders, power, old?.submitted, order));
    show(part("menu"));
  },
);

function edited() {
  state = { ...state, rules: textOf(rulesEditor), orders: textOf(ordersEditor) };
  changed();
}

function changed() {
  part("position").hidden = state.position === null;
  clearTimeout(timer);
  timer = setTimeout(async () => history.replaceState(null, "", `#${await packed(state)}`), 300);
  refresh();
}

function load(given) {
  state = { ...state, ...given };
  const now = state; // the editors report each change, with the other's old text
  setText(rulesEditor, now.rules);
  setText(ordersEditor, now.orders);
  state = now;
  part("map").value = now.map ?? "";
  for (const option of part("others").options) option.selected = now.compare.includes(option.value);
  show(part("tree"));
  show(part("menu"));
  changed();
}

function refresh() {
  isStale = true;
  if (engine !== null) running ??= judgeAll().finally(() => { running = null; });
  return running;
}

async function judgeAll() {
  document.body.dataset.state = "busy";
  await null; // several changes at once are judged once
  try {
    while (isStale) {
      isStale = false;
      await judge();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    tell("Stopped. Change something, or press Again.");
  } finally {
    document.body.dataset.state = "done";
  }
}

// Each step shows what it found; a change meanwhile makes the others needless.
async function judge() {
  const began = performance.now();
  const found = await engine.ask(asked("adjudicate"));
  if (isStale) return;
  const isFaulty = Boolean(found.error);
  part("results").classList.toggle("old", isFaulty);
  if (isFaulty) showError("fault", found.error);
  else {
    outcome = found.answer;
    show(part("fault"));
    show(part("tree"));
    showVerdicts(outcome, { explain, offer: ({ unit, power }) => board.offer(unit, power) });
    part("next").disabled = !outcome.next;
  }
  const spent = Math.round(performance.now() - began);
  document.body.dataset.milliseconds = spent;
  await check(found);
  if (isFaulty) {
    tell("There are faults; the results below are those before them.");
    return;
  }
  tell(`Judged ${engine.name} in ${spent} ms: ${outcome.phase}, ${outcome.map}.`);
  for (const step of [drawBoard, prove, compare]) {
    if (isStale) return;
    await step();
  }
}

async function check(found) {
  const checked = await engine.ask({ request: "rules", what: "check", rules: rules() });
  if (isStale) return;
  const { faults, remarks } = checked.answer ?? { faults: [checked.error], remarks: [] };
  const ofRules = faults.filter(({ document: name }) => name === null || name === "rules.yaml");
  mark(rulesEditor, ofRules, remarks);
  const elsewhere = found.error?.problems?.length ? found.error.problems : [found.error];
  const inOrders = found.answer ? found.answer.faults : elsewhere;
  mark(ordersEditor, inOrders.filter(({ document: name }) => name === "orders"));
}

async function drawBoard() {
  const found = await engine.ask(asked("svg", { dark: isDark() }));
  if (isStale) return;
  if (found.error) showError("picture", found.error);
  else board.draw(found.answer.svg);
}

async function prove() {
  const found = await engine.ask(asked("prove"));
  if (isStale) return;
  if (found.error) {
    showError("proof", found.error);
    return;
  }
  const hasCycle = found.answer.cycles.length > 0;
  const drawn = hasCycle ? await engine.ask(asked("svg", { what: "cycle", dark: isDark() })) : null;
  showProof(found.answer, drawn?.answer?.svg ?? null);
}

async function compare() {
  if (!state.compare.length) {
    show(part("compared"), make("p", {}, "Choose other rules to compare with."));
    return;
  }
  const found = await engine.ask(asked("compare", { rules: [rules(), ...state.compare] }));
  if (isStale) return;
  if (found.error) showError("compared", found.error);
  else showCompared(found.answer);
}

// What a button asks; a stop is no fault of it.
const pressed = (action) => async () => {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    tell("Stopped.");
  }
};

const explain = (order) => pressed(async () => {
  const found = await engine.ask(asked("explain", { unit: order.unit }));
  if (found.error) {
    showError("tree", found.error);
    return;
  }
  showTree(found.answer);
  const drawn = await engine.ask(asked("svg", { what: "explanation", unit: order.unit, dark: isDark() }));
  if (drawn.answer) part("tree").append(picture(drawn.answer.svg));
})();

async function loadCase() {
  const name = part("case").value.trim();
  if (!name) return;
  const found = await engine.ask({ request: "cases", names: [name] });
  if (found.error) showError("cases", found.error);
  else takeCase(found.answer.cases[0]);
}

function takeCase({ case: name, board: { map, position, orders } }) {
  part("case").value = name;
  load({ map, position, orders: sheetOf(orders) });
}

async function runCases() {
  show(part("cases"), make("p", {}, "Judging all cases …"));
  const request = { request: "cases", rules: rules(), base: part("base").value || "datc" };
  const found = await engine.ask(request).catch((error) => {
    show(part("cases"));
    throw error;
  });
  if (found.error) showError("cases", found.error);
  else showCases(found.answer, takeCase);
}

async function take(what) {
  const name = part("shipped").value;
  if (what === "extend") {
    load({ rules: `extends: ${name}\ntitle: My rules\n` });
    return;
  }
  const found = await engine.ask({ request: "rules", what: "whole", rules: name });
  if (found.error) showError("fault", found.error);
  else load({ rules: found.answer.text });
}

async function share() {
  const address = `${location.href.split("#")[0]}#${await packed(state)}`;
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    tell("The link is copied.");
  } catch {
    tell("The link is in the address bar.");
  }
}

function turnDark() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  refresh();
}

async function fill() {
  const [listed, maps, said, entries] = await Promise.all([
    engine.ask({ request: "rules" }), engine.ask({ request: "maps" }),
    engine.ask({ request: "rules", what: "words" }), engine.ask({ request: "rules", what: "entries" }),
  ]);
  const option = ({ name, title }) => make("option", { value: name }, title ? `${name}: ${title}` : name);
  for (const id of ["shipped", "others", "base"]) show(part(id), ...(listed.answer?.rules ?? []).map(option));
  part("map").append(...(maps.answer?.maps ?? []).map(option));
  part("map").value = state.map ?? "";
  for (const one of part("others").options) one.selected = state.compare.includes(one.value);
  if (said.answer && entries.answer) {
    for (const [word, meaning] of wordsOf(said.answer, entries.answer)) words.set(word, meaning);
  }
}

async function given() {
  const text = location.hash.slice(1);
  if (!text) return {};
  try {
    return await unpacked(text);
  } catch (error) {
    tell(`The link cannot be read: ${error.message}`);
    return {};
  }
}

async function begin() {
  const actions = {
    extend: () => take("extend"), whole: () => take("whole"), "load-case": loadCase,
    "run-cases": runCases, share, dark: turnDark, again: refresh,
    stop: () => engine.stop(),
    next: () => outcome?.next && load({ position: outcome.next, orders: "", map: outcome.map }),
    free: () => load({ position: null }),
  };
  for (const [id, action] of Object.entries(actions)) part(id).addEventListener("click", pressed(action));
  part("map").addEventListener("change", () => load({ map: part("map").value || null }));
  part("others").addEventListener("change", () => {
    load({ compare: Array.from(part("others").selectedOptions, (one) => one.value) });
  });
  part("case").addEventListener("keydown", (event) => event.key === "Enter" && pressed(loadCase)());
  window.addEventListener("hashchange", async () => load(await given()));
  const first = await given();
  try {
    engine = await openEngine(tell);
  } catch (error) {
    tell(`The engine cannot be found: ${error.message}`);
    return;
  }
  load(first);
  await running; // the first verdict comes before all lists
  await fill();
}

begin();
