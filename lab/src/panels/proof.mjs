// The panel of the proof: how many resolutions the orders have, and their cycles.
import { make, part, picture, row, show, table } from "../dom.mjs";
import { showError } from "../report.mjs";

export function openProof(lab) {
  return {
    async step({ error }, isOld) {
      if (error) return;
      const found = await lab.ask(lab.onBoard("prove"));
      if (isOld()) return;
      if (found.error) {
        showError("proof", found.error);
        return;
      }
      const hasCycle = found.answer.cycles.length > 0;
      const asked = lab.onBoard("svg", { what: "cycle", dark: lab.isDark() });
      const drawn = hasCycle ? await lab.ask(asked) : null;
      if (!isOld()) showProof(found.answer, drawn?.answer?.svg ?? null);
    },
  };
}

const SAID = { unique: "one", several: "several", none: "none" };

function showProof(proof, cycle) {
  const parts = proof.subgraphs.map((one) =>
    row({}, one.orders.map(({ order }) => order).join("; "), String(one.decisions.length),
      `${one.resolutions}${one.complete ? "" : " or more"}`, SAID[one.verdict] ?? one.verdict));
  const verdict = proof.verdict === "unique" ? "The orders have exactly one resolution."
    : proof.verdict === "not unique" ? "The orders do not have exactly one resolution."
      : "Whether the orders have exactly one resolution is unknown.";
  show(part("proof"), make("p", { class: "verdict" }, verdict),
    table(["Orders", "Decisions", "Resolutions", "Verdict"], parts),
    ...proof.cycles.map(resolutions), cycle ? make("div", { id: "cycle" }, picture(cycle)) : null);
}

function resolutions(cycle) {
  const named = cycle.resolutions.map((_, at) => `Resolution ${at + 1}`);
  const rows = cycle.decisions.map((one, at) => {
    const say = (values) => (one.truth ? (values[at] ? "yes" : "no") : String(values[at]));
    const columns = cycle.resolutions.map(say);
    return row({}, one.name, ...columns, ...(cycle.outcome ? [say(cycle.outcome)] : []));
  });
  const outcome = cycle.outcome ? ["Outcome"] : [];
  const rule = cycle.rule ? `settled by the rule “${cycle.rule}”` : "no rule settles it";
  return make("div", {}, make("h3", {}, `A decision cycle, ${rule}`),
    table(["Decision", ...named, ...outcome], rows));
}
