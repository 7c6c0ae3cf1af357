// The panel of the proof: how many resolutions the orders have, and their cycles.
import { make, part, picture, row, show, table } from "../dom.mjs";
import { showError } from "../report.mjs";
import { badge } from "../tabs.mjs";

export function openProof(lab, board) {
  // Shows a resolution of a cycle on the board; 0 stands for the outcome.
  const look = lab.pressed((cycle, resolution) => board.look(resolution ? {
    title: `Resolution ${resolution} of the decision cycle${cycle > 1 ? ` ${cycle}` : ""}`,
    asked: { what: "resolution", cycle, resolution },
  } : null));
  board.watch((view) => {
    const { cycle, resolution } = view?.asked ?? {};
    for (const one of part("proof").querySelectorAll("[data-resolution]")) {
      const { cycle: own, resolution: number } = one.dataset;
      const isShown = view ? Number(own) === cycle && Number(number) === resolution : number === "0";
      one.setAttribute("aria-pressed", String(isShown));
    }
  });

  return {
    async step({ error, answer }, isOld) {
      if (error && error.kind !== "UnresolvedError") return; // the proof says more about that one
      if (answer && !hasProof(answer)) {
        badge("proof", null);
        show(part("proof"), make("p", { class: "hint" }, NOTHING));
        return;
      }
      const found = await lab.ask(lab.onBoard("prove"));
      if (isOld()) return;
      if (found.error) {
        showError("proof", found.error);
        return;
      }
      const hasCycle = found.answer.cycles.length > 0;
      const asked = lab.onBoard("svg", { what: "cycle", dark: lab.isDark() });
      const drawn = hasCycle ? await lab.ask(asked) : null;
      badge("proof", hasCycle ? String(found.answer.cycles.length) : null);
      if (!isOld()) showProof(found.answer, drawn?.answer?.svg ?? null, look);
    },
  };
}

const NOTHING = "Retreats and adjustments are decided without equations; there is nothing to prove.";
const hasProof = ({ phase }) => !/[RA]$/.test(phase);

const SAID = { unique: "one", several: "several", none: "none" };

function showProof(proof, cycle, look) {
  const isSingle = (one) => one.decisions.length === 1 && one.verdict === "unique";
  const singles = proof.subgraphs.filter(isSingle).length;
  const parts = proof.subgraphs.filter((one) => !isSingle(one)).map((one) =>
    row({}, one.orders.map(({ order }) => order).join("; "), String(one.decisions.length),
      `${one.resolutions}${one.complete ? "" : " or more"}`, SAID[one.verdict] ?? one.verdict));
  const verdict = proof.verdict === "unique" ? "The orders have exactly one resolution"
    : proof.verdict === "not unique" ? "The orders do not have exactly one resolution"
      : "Whether the orders have exactly one resolution is unknown";
  show(part("proof"), make("p", { class: "verdict" }, `${verdict}: ${proof.evidence.text}.`),
    parts.length ? table(["Orders", "Decisions", "Resolutions", "Verdict"], parts) : null,
    singles ? make("p", { class: "hint" }, `${parts.length ? "Also " : ""}${counted(singles)} of one decision, constants included, with one resolution.`) : null,
    ...proof.cycles.map((one, at) => resolutions(one, at + 1, look)), cycle ? make("div", { id: "cycle" }, picture(cycle)) : null);
}

const counted = (count) => (count === 1 ? "one subgraph" : `${count} subgraphs`);

function resolutions(cycle, number, look) {
  const isSettled = cycle.outcome?.every((value) => value !== null);
  const named = cycle.resolutions.map((_, at) => `Resolution ${at + 1}`);
  const rows = cycle.decisions.map((one, at) => {
    const say = (values) => (one.truth ? (values[at] ? "yes" : "no") : String(values[at]));
    const columns = cycle.resolutions.map(say);
    return row({}, one.name, ...columns, ...(isSettled ? [say(cycle.outcome)] : []));
  });
  const outcome = isSettled ? ["Outcome"] : [];
  const rule = cycle.rule ? `settled by the rule “${cycle.rule}”` : "no rule settles it";
  const button = (name, resolution) => make("button", {
    type: "button", "data-cycle": number, "data-resolution": resolution,
    "aria-pressed": String(resolution === 0), onclick: () => look(number, resolution),
  }, name);
  const shown = make("div", { class: "tools", role: "group", "aria-label": "Shown on the board" },
    make("span", { class: "hint" }, "On the board"), ...named.map((name, at) => button(name, at + 1)),
    isSettled ? button("Outcome", 0) : null);
  return make("div", {}, make("h3", {}, `A decision cycle, ${rule}`), named.length ? shown : null,
    table(["Decision", ...named, ...outcome], rows));
}
