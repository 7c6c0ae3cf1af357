// How the rules differ from those that they extend: each entry with both texts.
import { make, part, show } from "../dom.mjs";

// The rules that a rule file extends if it extends one file, else the usual rules.
export const baseOf = (rules) => /^extends:[ ]*["']?([\w./+-]+)["']?[ ]*$/m.exec(rules)?.[1] ?? "datc";

const SECTIONS = {
  settings: "setting", define: "term", decisions: "decision", results: "result", cycles: "cycle rule",
  legal: "legality", reasons: "reason",
};

export function openDifference(lab) {
  const place = part("difference");
  const [summary, list] = place.children;

  return async (isOld) => {
    const base = baseOf(lab.state.now.rules);
    const found = await lab.ask({ request: "rules", what: "difference", rules: lab.rules(), base });
    if (isOld()) return;
    const { changes = [] } = found.answer ?? {};
    place.hidden = !changes.length;
    const count = changes.length === 1 ? "one entry" : `${changes.length} entries`;
    show(summary, `Differs from ${base} in ${count}`);
    show(list, ...changes.map(entry));
  };
}

function entry({ section, name, before, after, through }) {
  const kind = SECTIONS[section] ?? section;
  const says = (side, tag, text) => (side
    ? make(tag, {}, make("pre", {}, side.text || "(empty)")) : make(tag, { class: "hint" }, text));
  const cause = through.length ? make("p", { class: "hint" }, `It reads the same, but uses ${through.join(", ")}.`) : null;
  return make("div", { class: "change" }, make("h3", {}, make("code", {}, name), ` ${kind}`), cause,
    ...(through.length ? [] : [says(before, "del", "not in the base"), says(after, "ins", "dropped here")]));
}
