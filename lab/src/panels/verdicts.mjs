// The panel of the verdicts: every order with its result and the reason, the explanation of one,
// and the way to the next phase.
import { make, part, row, show, table } from "../dom.mjs";
import { failed, isAwaited, markWhy, result } from "../report.mjs";
import { asksAnew } from "../state.mjs";
import { raise, showPanel } from "../tabs.mjs";

export function openVerdicts(lab, board) {
  let explained = null; // the state whose outcome is explained
  const { state } = lab;

  // Explains the order of a unit: of the given one, of the one asked for before, or of the most
  // likely subject of a dispute. An order that cannot be read has no unit, and is named by its text.
  lab.explain = async (wanted = state.now.about) => {
    const orders = lab.outcome?.orders ?? [];
    const one = orders.find((one) => nameOf(one) === wanted) ??
      orders.find((one) => one.unit && failed(one)) ?? orders.find(failed) ?? orders[0];
    if (!one) return;
    const about = nameOf(one);
    state.look({ about });
    explained = state.now;
    const { answer, error } = one.unit ? await lab.ask(lab.onBoard("explain", { unit: about })) : {};
    if (state.now.about !== about) return;
    part("why").hidden = false;
    markWhy(Boolean(error));
    const said = answer ?? unexplained(one, error?.message ?? one.reason.text);
    showWhy(said, owed(said));
    await board.look({
      title: `Why: ${said.order}`, about,
      asked: answer ? { what: "explanation", unit: about, words: false } : { what: "outcome" },
    });
  };
  const explain = lab.showWhy = lab.pressed(async (one) => {
    showPanel("orders");
    await lab.explain(nameOf(one));
    raise();
    part("why").scrollIntoView({ block: "nearest" });
  });
  // What the unit may do in a retreat, or its power in a winter.
  const owed = ({ power, unit }) => (lab.outcome.due ?? []).filter((line) =>
    line.startsWith(lab.titleOf(power)) && (!lab.isRetreat() || line.includes(` ${unit} `)));
  const close = () => {
    explained = null;
    markWhy(false);
    state.look({ about: null });
    part("why").hidden = true;
    for (const id of ["sentence", "rule", "owed", "tree"]) show(part(id));
  };
  part("why-close").addEventListener("click", lab.pressed(() => {
    close();
    return board.look(null);
  }));
  // The row that the board explains is marked. The explanation closes when the board shows another.
  board.watch((view) => {
    if (!view?.about && explained && state.now.page !== "dispute") close();
    for (const one of part("verdicts").querySelectorAll("tbody tr")) {
      one.classList.toggle("asked", one.dataset.about === view?.about);
    }
  });
  const offer = lab.pressed(board.offer);
  const goOn = () => {
    const { next, map } = lab.outcome ?? {};
    if (next) lab.state.change({ position: next, orders: "", map });
  };
  part("next").addEventListener("click", goOn);

  return {
    judged({ answer: outcome }) {
      if (!outcome) return;
      if (explained && state.now.page !== "dispute" && asksAnew(state.now, explained)) close();
      showVerdicts(outcome, { explain, offer, titleOf: lab.titleOf });
      const { rules } = lab.judged;
      show(part("judged-by"), `${rules === "datc" ? "Rules" : "House rules"}: ${outcome.rules}`);
      part("next").disabled = !outcome.next;
    },
    // A dispute stays about its order, whatever changes; so does a link to an explanation.
    async step({ error }) {
      if (error) return;
      const { about, page } = state.now;
      const isAsked = page === "dispute" || (about !== null && explained === null);
      if (!isAsked) markWhy(false);
      else if (lab.outcome.orders.some((one) => !isAwaited(one))) await lab.explain();
      else close();
    },
  };
}

const nameOf = ({ unit, order }) => unit || order;

// The explanation of an order without one.
const unexplained = ({ power, unit, order }, why) =>
  ({ power, unit, order, tree: { text: `${order}: ${why}`, children: [] }, citations: [] });

function showVerdicts(outcome, { explain, offer, titleOf }) {
  const rows = outcome.orders.map((one) => {
    const key = `${one.unit} ${one.power}`;
    const why = { type: "button", title: "Show why", "data-key": `why ${key}`, onclick: () => explain(one) };
    const change = { type: "button", class: "small", "data-key": `change ${key}`,
      "aria-label": `Change the order of ${one.unit}` };
    const cell = make("td", {}, make("button", { ...why, class: "order" }, one.order || one.submitted),
      make("div", { class: "why" }, isAwaited(one) ? "without an order it is disbanded" : one.reason.text));
    return row({ "data-unit": one.unit, "data-about": nameOf(one), "data-power": one.power }, titleOf(one.power), cell,
      make("td", { class: failed(one) ? "bad" : "" }, result(one)),
      make("td", {}, make("button", { ...change, onclick: () => offer(one) }, "…")));
  });
  const said = outcome.orders.length ? table(["Power", "Order", "Result", "Change"], rows)
    : make("p", {}, "There are no orders.");
  const winner = outcome.winner ? make("p", {}, `${titleOf(outcome.winner)} has won.`) : null;
  show(part("verdicts"), winner, said);
}

const FEW = 3; // rules named without a click

function showWhy({ order, tree, citations }, owed) {
  const branch = (node) => make("li", {}, node.text,
    node.children.length ? make("ul", {}, ...node.children.map(branch)) : null);
  show(part("h-why"), `Why: ${order}`);
  // If the order itself names no cause, the decision that caused it does.
  const cause = tree.text.includes(":") ? null : tree.children[0]?.text;
  show(part("sentence"), [tree.text, cause].filter(Boolean).join(": "));
  const rules = citations.map(({ source, title, entry, file }) =>
    (source ? `${title} (${source})` : `${entry} (${file})`));
  show(part("rule"), ...(rules.length ? [make("strong", {}, "Rules: "), rules.slice(0, FEW).join(", ")] : []));
  show(part("owed"), owed.join(" "));
  show(part("tree"), make("ul", {}, branch(tree)),
    rules.length > FEW ? make("p", { class: "hint" }, `Rules used: ${rules.join(", ")}.`) : null);
}
