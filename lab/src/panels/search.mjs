// The panel of searches: questions about all orders of open units, or about lines.
import { make, part, show } from "../dom.mjs";
import { makeEditor, mark, setText, textOf, yamlLanguage } from "../editor.mjs";
import { openFiles, opener } from "../files.mjs";
import { goalExamples, goalWords, makeLine, showGoalHelp } from "../goals.mjs";
import { option } from "../report.mjs";
import { makeOpenUnits } from "./open_units.mjs";
import { makeSearching } from "./searching.mjs";
import LINE from "../../../docs/examples/line-turkey.yaml";

const FORM = {
  question: "achieve", goal: "dislodged(ENG)", power: "", kind: "", other: "rulebooks/1982",
  open: ["all"], line: LINE, centres: "15", shown: "one", seconds: "60",
};
// Plain controls: `search-power`.
const FIELDS = Array.from(
  part("search").querySelectorAll(":is(input, select)[id^=search-]"), ({ id }) => id.slice("search-".length),
);
// Question -> the members of its requests.
const MEMBERS = Object.fromEntries(
  Array.from(part("search-question").options, ({ value, dataset }) => [value, dataset.members.split(" ")]),
);

// What lines must hold: a number of centres, or their names.
function linesAsked({ centres, shown }) {
  const names = centres.split(",").map((name) => name.trim()).filter(Boolean);
  const isNumber = names.length === 1 && /^\d{1,9}$/.test(names[0]);
  const held = isNumber ? Number(names[0]) : names;
  return { ...(names.length && { centres: held }), every: shown === "all" };
}

export function openSearch(lab) {
  const words = [];
  let mapOfWords = null;

  const form = () => {
    const found = { ...FORM, ...lab.state.now.search };
    return Object.hasOwn(MEMBERS, found.question) ? found : { ...found, question: FORM.question };
  };
  const set = (given) => {
    const old = form();
    if (Object.keys(given).every((name) => given[name] === old[name])) return;
    lab.state.change({ search: { ...lab.state.now.search, ...given } }, "search");
  };
  const field = (name) => part(`search-${name}`);
  const run = makeSearching(lab, asked, (faults) => {
    mark(goal, faults.filter(({ document: name }) => name === "goal"));
    mark(line, faults.filter(({ document: name }) => name === "line.yaml"));
  });
  const goal = makeLine(part("goal-text"), "Goal", form().goal, words, () => set({ goal: textOf(goal) }), run);
  const line = makeEditor(part("line-text"), "Line", form().line, () => set({ line: textOf(line) }), yamlLanguage());
  const open = makeOpenUnits(lab.titleOf, (chosen) => set({ open: chosen }));

  for (const name of FIELDS) {
    field(name).addEventListener("change", () => set({ [name]: field(name).value }));
  }
  part("goal-examples").addEventListener("change", ({ target }) => {
    if (target.value) set({ goal: target.value });
    target.value = "";
  });
  openFiles("open-line", part("line-field"), opener(lab, (text) => set({ line: text })));

  function follow() {
    const now = form();
    for (const name of FIELDS) {
      const value = now[name] ?? "";
      const isChosen = value !== "" || name !== "power"; // this list chooses its first entry
      if (isChosen && field(name).value !== value) field(name).value = value;
    }
    setText(goal, now.goal);
    setText(line, now.line);
    open.follow(now.open);
    for (const one of part("search").querySelectorAll("[data-of]")) {
      one.hidden = !MEMBERS[now.question].includes(one.dataset.of);
    }
  }
  lab.state.subscribe((now, before) => {
    if (now.search !== before.search) follow();
    const isSame = ["rules", "orders", "map", "position"].every((name) => now[name] === before[name]);
    if (!isSame) part("found").classList.add("old");
  });

  function asked() {
    const { question, seconds, ...given } = form();
    const found = { question, picture: true, dark: lab.isDark() };
    for (const name of MEMBERS[question]) {
      found[name] = FIELDS.includes(name) ? given[name]?.trim() || null : given[name];
    }
    if ("power" in found) found.power = field("power").value; // the first one, unless chosen
    if (question === "lines") found.lines = linesAsked(given);
    if (found.open) found.open = open.value();
    const limit = Number(seconds);
    return lab.onBoard("search", { ...found, seconds: limit > 0 ? limit : null });
  }

  // The names of the cycle rules are also kinds of cycles.
  const listKinds = (names) => {
    const { kind } = form();
    const all = new Set(["none", "several", ...names, ...kind ? [kind] : []]);
    show(field("kind"), make("option", { value: "" }, "any"), ...Array.from(all, (name) => option({ name })));
    field("kind").value = kind;
  };
  part("panel-search").addEventListener("shown", lab.pressed(async () => {
    const found = await lab.ask({ request: "rules", what: "entries", rules: lab.rules() });
    listKinds((found.answer?.cycles ?? []).map(({ name }) => name));
  }));

  async function learn() {
    const { map } = lab.outcome ?? {};
    if (!map || map === mapOfWords) return;
    const [{ goals }, found] = await Promise.all([
      lab.catalogue({ request: "rules", what: "words" }), lab.map(),
    ]);
    if (!goals) return; // the engine may work again later
    mapOfWords = map;
    words.splice(0, words.length, ...goalWords(goals, found));
    showGoalHelp(part("goal-help"), goals);
  }

  listKinds([]);
  follow();
  return {
    judged({ answer: outcome }) {
      if (!outcome) return;
      open.units(outcome);
      const powers = [...new Set(outcome.orders.map(({ power }) => power))];
      const { power } = form();
      show(field("power"), ...powers.map((name) =>
        make("option", { value: name }, lab.titleOf(name))));
      if (powers.includes(power)) field("power").value = power;
      const examples = goalExamples(outcome).map((name) => option({ name }));
      show(part("goal-examples"), make("option", { value: "" }, "choose one …"), ...examples);
    },
    async step({ error }) {
      if (!error) await learn();
    },
    async fill() {
      const { rules = [] } = await lab.catalogue({ request: "rules" });
      show(field("other"), ...rules.map(option));
      field("other").value = form().other;
      await learn();
    },
  };
}
