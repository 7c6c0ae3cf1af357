// What the engine found, as tables.
import { make, part, picture, row, show, table } from "./dom.mjs";

const GOOD = new Set(["succeeds", "given", "available", "stands", ""]);
const result = ({ verdict, fate }) => [verdict, fate].filter(Boolean).join(", ");
const failed = ({ verdict, fate }) => !GOOD.has(verdict) || Boolean(fate);

export function showVerdicts(outcome, { explain, offer }) {
  const rows = outcome.orders.map((one) => {
    const why = { type: "button", title: "Show why", onclick: () => explain(one) };
    const change = { type: "button", class: "small", "aria-label": `Change the order of ${one.unit}` };
    const cell = make("td", {}, make("button", { ...why, class: "order" }, one.order || one.submitted));
    return row({ "data-unit": one.unit, "data-power": one.power }, one.power, cell,
      make("td", { class: failed(one) ? "bad" : "" }, result(one)), make("td", { class: "why" }, one.reason.text),
      make("td", {}, make("button", { ...change, onclick: () => offer(one) }, "…")));
  });
  const said = outcome.orders.length ? table(["Power", "Order", "Result", "Why", ""], rows)
    : make("p", {}, "There are no orders.");
  const winner = outcome.winner ? make("p", {}, `${outcome.winner} has won.`) : null;
  show(part("verdicts"), winner, said);
}

export function showTree(explanation) {
  const branch = (node) => make("li", {}, node.text,
    node.children.length ? make("ul", {}, ...node.children.map(branch)) : null);
  show(part("tree"), make("h3", {}, `Why: ${explanation.order}`), make("ul", {}, branch(explanation.tree)));
}

const SAID = { unique: "one", several: "several", none: "none" };

export function showProof(proof, cycle) {
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

export function showCompared(found) {
  const rows = found.orders.map((one) => row({ class: one.differs ? "differs" : "" }, one.power, one.order,
    ...one.results.map((each) => make("td", { title: each.reason }, result(each)))));
  const differing = found.orders.filter((one) => one.differs).length;
  const said = differing ? `${differing} of ${found.orders.length} orders have different results.`
    : "All results are the same.";
  show(part("compared"), make("p", {}, said), table(["Power", "Order", "These rules", ...found.profiles.slice(1)], rows));
}

export function showCases(found, load) {
  const rows = found.cases.filter((one) => one.differs || !one.passed).map((one) => {
    const changes = one.changed.map((order) => {
      const [before, now] = order.results;
      return make("div", {}, `${order.order}: ${result(before) || "–"} → ${result(now) || "–"}`);
    });
    const what = changes.length ? make("td", {}, ...changes) : one.error?.message ?? "";
    const name = make("button", { type: "button", class: "order", onclick: () => load(one) }, one.case);
    return row({}, name, one.title, one.status, what);
  });
  const counts = Object.entries(found.counts).map(([status, count]) => `${count} ${status}`).join(", ");
  const changed = found.cases.filter((one) => one.differs).length;
  show(part("cases"), make("p", {}, `${counts}. Results change in ${changed} of ${found.cases.length} cases.`),
    rows.length ? table(["Case", "Title", "Status", "Changes"], rows) : null);
}

export function showError(id, error) {
  const parts = [error.document, error.line && `line ${error.line}`, error.column && `column ${error.column}`];
  const known = error.line ? parts.filter(Boolean).join(", ") : "";
  const place = known ? ` (${known})` : "";
  show(part(id), make("p", { class: "bad", role: "alert" }, error.message + place));
}
