// The line for a goal, which completes words and marks faults.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { make, show, table, row } from "./dom.mjs";

// `words` are the options for completion; the list may grow. `entered` is called when Enter is
// pressed.
export function makeLine(parent, name, text, words, changed, entered) {
  const complete = (context) => {
    const word = context.matchBefore(/\w+/);
    if (!word && !context.explicit) return null;
    return { from: word ? word.from : context.pos, options: words, validFor: /^\w*$/ };
  };
  const isOneLine = ({ newDoc, changes }) => changes.empty || newDoc.lines === 1;
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      autocompletion({ override: [complete] }),
      keymap.of([...completionKeymap, { key: "Enter", run: () => (entered(), true) }]),
      minimalSetup,
      EditorState.changeFilter.of(isOneLine),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false" }),
      EditorView.updateListener.of((update) => update.docChanged && changed()),
    ],
  });
}

// The options for completion: the words of goals, and the provinces and powers of a map.
export function goalWords(goals, map) {
  const bare = (word) => word.replace(/\(.*/, "");
  const found = Object.entries(goals).map(([word, text]) => ({
    label: bare(word), type: word.includes("(") ? "function" : "variable", detail: word, info: text,
  }));
  for (const [code, { name }] of Object.entries(map?.provinces ?? {})) {
    found.push({ label: code, type: "constant", detail: name });
  }
  for (const power of Object.keys(map?.powers ?? {})) found.push({ label: power, type: "class" });
  for (const word of ["not", "and", "or"]) found.push({ label: word, type: "keyword" });
  return found;
}

// Example goals for the board on the screen.
export function goalExamples(outcome) {
  const units = outcome.orders.filter(({ unit }) => unit);
  const [first] = units;
  if (!first) return [];
  const at = ({ unit }) => unit.split(" ").at(-1).split("/")[0];
  const other = units.find(({ power }) => power !== first.power) ?? first;
  const { power } = first;
  return [
    `dislodged(${at(other)})`,
    `enters(${at(other)})`,
    `stands(${at(other)}, ${power})`,
    `not dislodged(${at(first)}) and not moves(${at(first)})`,
    `goes(${at(first)}, ${at(other)})`,
    `sum(stands(p, ${power}) for p in provinces if p.supply) >= 2`,
    `not any(dislodged(p) for p in provinces)`,
  ];
}

export function showGoalHelp(place, goals) {
  const rows = Object.entries(goals).map(([word, text]) => row({}, make("code", {}, word), text));
  show(place,
    make("p", {}, "A goal is true or false after the phase. Join goals with ", make("code", {}, "not"),
      ", ", make("code", {}, "and"), " and ", make("code", {}, "or"),
      ". Write provinces (VIE) and powers (FRANCE) in capitals."),
    table(["Word", "Meaning"], rows));
}
