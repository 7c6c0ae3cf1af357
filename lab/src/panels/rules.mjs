// The panel of the rules: an editor that marks faults, and the shipped rules to start from.
import { make, part, show } from "../dom.mjs";
import { goTo, makeEditor, mark, rulesLanguage, setText, textOf, wordsOf } from "../editor.mjs";
import { option, showError } from "../report.mjs";
import { RULES_FILE } from "../state.mjs";
import { showPanel } from "../tabs.mjs";
import { openDifference } from "./difference.mjs";

export function openRules(lab) {
  const { words } = lab;
  const changed = () => lab.state.change({ rules: textOf(editor) }, "rules");
  const { rules: first } = lab.state.now;
  const editor = makeEditor(part("rules-text"), "Rules", first, changed, rulesLanguage(words));
  const difference = openDifference(lab);
  lab.goTo[RULES_FILE] = (line, column) => {
    showPanel("rules");
    goTo(editor, line, column);
  };
  const follow = ({ rules, variant }) => {
    setText(editor, rules);
    part("no-rules").hidden = rules.trim() !== "";
    part("variant").hidden = variant === null;
    const drop = make("button", { type: "button", onclick: () => lab.state.change({ variant: null }) },
      "Without them");
    if (variant) show(part("variant"), "Judged with the rules of ", make("strong", {}, variant), " on top. ", drop);
  };
  follow(lab.state.now);
  lab.state.subscribe(follow);

  // The meanings of the words that contain the text in the search field.
  const listWords = () => {
    const wanted = part("word-find").value.trim().toLowerCase();
    const found = [...words].filter(([word, { text }]) => `${word} ${text}`.toLowerCase().includes(wanted));
    show(part("word-list"), ...found.flatMap(([word, { text }]) =>
      [make("dt", {}, make("code", {}, word)), make("dd", {}, text)]));
  };
  part("word-find").addEventListener("input", listWords);
  part("words").addEventListener("toggle", listWords);
  lab.showWord = (word) => {
    showPanel("rules");
    part("word-find").value = word;
    part("words").open = true;
    listWords();
    part("word-find").focus();
  };

  const extend = () => {
    lab.state.change({ rules: `extends: ${part("shipped").value}\ntitle: My rules\n` });
  };
  const whole = async () => {
    const found = await lab.ask({ request: "rules", what: "whole", rules: part("shipped").value });
    if (found.error) showError("fault", found.error);
    else lab.state.change({ rules: found.answer.text });
  };
  part("extend").addEventListener("click", extend);
  part("whole").addEventListener("click", lab.pressed(whole));

  let known = null; // the rules that were checked last

  return {
    async step(_, isOld) {
      const { rules } = lab.state.now;
      if (rules === known) return;
      const checked = await lab.ask({ request: "rules", what: "check", rules: lab.rules() });
      if (isOld() || checked.error?.kind === "EngineError") return; // not a fault of the rules
      const { faults, remarks } = checked.answer ?? { faults: [checked.error], remarks: [] };
      const own = faults.filter(({ document: name }) => name === null || name === RULES_FILE);
      mark(editor, own, remarks);
      if (checked.answer?.valid) await difference(isOld);
      if (!isOld()) known = rules;
    },
    async fill() {
      const [{ rules = [] }, said, entries] = await Promise.all([
        lab.catalogue({ request: "rules" }),
        lab.catalogue({ request: "rules", what: "words" }),
        lab.catalogue({ request: "rules", what: "entries" }),
      ]);
      show(part("shipped"), ...rules.map(option));
      if (!said.facts) return;
      for (const [word, meaning] of wordsOf(said, entries)) words.set(word, meaning);
    },
  };
}
