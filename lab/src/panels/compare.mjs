// The panel that compares the results under other rules.
import { make, part, row, show, table } from "../dom.mjs";
import { option, result, showError } from "../report.mjs";

export function openCompare(lab) {
  const others = part("others");
  const follow = ({ compare }) => show(part("chosen"), ...compare.map((name) =>
    make("li", {}, name, make("button", {
      type: "button", class: "small", "aria-label": `Do not judge by ${name}`,
      onclick: () => choose(compare.filter((one) => one !== name)),
    }, "×"))));
  const choose = (compare) => lab.state.change({ compare });
  follow(lab.state.now);
  lab.state.subscribe((now, before) => now.compare !== before.compare && follow(now));
  others.addEventListener("change", () => {
    const { compare } = lab.state.now;
    if (others.value && !compare.includes(others.value)) choose([...compare, others.value]);
    others.value = "";
  });

  return {
    async step({ error }, isOld) {
      if (error) return;
      const { compare } = lab.state.now;
      if (!compare.length) {
        show(part("compared"), make("p", {}, "Choose other rules to compare with."));
        return;
      }
      const found = await lab.ask(lab.onBoard("compare", { rules: [lab.rules(), ...compare] }));
      if (isOld()) return;
      if (found.error) showError("compared", found.error);
      else showCompared(found.answer, lab.titleOf);
    },
    async fill() {
      const { rules = [] } = await lab.catalogue({ request: "rules" });
      show(others, others.options[0], ...rules.map(option));
    },
  };
}

const FEW = 8; // orders that are listed even if their results are the same

function showCompared(found, titleOf) {
  const rowOf = (one) => row({ class: one.differs ? "differs" : "" }, titleOf(one.power), one.order,
    ...one.results.map((each) => make("td", { title: each.reason }, result(each))));
  const listed = (orders) =>
    table(["Power", "Order", "These rules", ...found.profiles.slice(1)], orders.map(rowOf));
  const { orders } = found;
  const differing = orders.filter((one) => one.differs);
  const others = orders.filter((one) => !one.differs);
  const said = make("p", {}, differing.length
    ? `${differing.length} of ${orders.length} orders have different results.` : "All results are the same.");
  if (orders.length <= FEW) {
    show(part("compared"), said, orders.length ? listed(orders) : null);
    return;
  }
  const rest = make("details", {},
    make("summary", {}, `${others.length} orders with the same results`), listed(others));
  show(part("compared"), said, differing.length ? listed(differing) : null, others.length ? rest : null);
}
