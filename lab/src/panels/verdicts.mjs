// The panel of the verdicts: every order with its result and the reason, the explanation of one,
// and the way to the next phase.
import { make, part, row, show, table } from "../dom.mjs";
import { failed, result, showError } from "../report.mjs";

export function openVerdicts(lab, board) {
  const explain = lab.pressed(async ({ unit }) => {
    const found = await lab.ask(lab.onBoard("explain", { unit }));
    if (found.error) {
      showError("tree", found.error);
      return;
    }
    showTree(found.answer);
    part("tree").scrollIntoView({ block: "nearest" });
    await board.look({
      title: found.answer.tree.text, unit,
      asked: { what: "explanation", unit, words: false },
    });
  });
  // The row that the board explains is marked; the tree goes with the explanation.
  board.watch((view) => {
    if (!view?.unit) show(part("tree"));
    for (const one of part("verdicts").querySelectorAll("tbody tr")) {
      one.classList.toggle("asked", one.dataset.unit === view?.unit);
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
      show(part("tree"));
      showVerdicts(outcome, { explain, offer, titleOf: lab.titleOf });
      part("next").disabled = !outcome.next;
    },
  };
}

function showVerdicts(outcome, { explain, offer, titleOf }) {
  const rows = outcome.orders.map((one) => {
    const key = `${one.unit} ${one.power}`;
    const why = { type: "button", title: "Show why", "data-key": `why ${key}`, onclick: () => explain(one) };
    const change = { type: "button", class: "small", "data-key": `change ${key}`,
      "aria-label": `Change the order of ${one.unit}` };
    const cell = make("td", {}, make("button", { ...why, class: "order" }, one.order || one.submitted),
      make("div", { class: "why" }, one.reason.text));
    return row({ "data-unit": one.unit, "data-power": one.power }, titleOf(one.power), cell,
      make("td", { class: failed(one) ? "bad" : "" }, result(one)),
      make("td", {}, make("button", { ...change, onclick: () => offer(one) }, "…")));
  });
  const said = outcome.orders.length ? table(["Power", "Order", "Result", "Change"], rows)
    : make("p", {}, "There are no orders.");
  const winner = outcome.winner ? make("p", {}, `${titleOf(outcome.winner)} has won.`) : null;
  show(part("verdicts"), winner, said);
}

function showTree(explanation) {
  const branch = (node) => make("li", {}, node.text,
    node.children.length ? make("ul", {}, ...node.children.map(branch)) : null);
  show(part("tree"), make("h3", {}, `Why: ${explanation.order}`), make("ul", {}, branch(explanation.tree)));
}
