// The panel that compares the results under other rules.
import { make, part, row, show, table } from "../dom.mjs";
import { option, result, showError } from "../report.mjs";

export function openCompare(lab) {
  const others = part("others");
  const follow = ({ compare }) => {
    for (const one of others.options) one.selected = compare.includes(one.value);
  };
  lab.state.subscribe((now, before) => now.compare !== before.compare && follow(now));
  others.addEventListener("change", () => {
    lab.state.change({ compare: Array.from(others.selectedOptions, (one) => one.value) });
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
      show(others, ...rules.map(option));
      follow(lab.state.now);
    },
  };
}

function showCompared(found, titleOf) {
  const rows = found.orders.map((one) => row({ class: one.differs ? "differs" : "" }, titleOf(one.power), one.order,
    ...one.results.map((each) => make("td", { title: each.reason }, result(each)))));
  const differing = found.orders.filter((one) => one.differs).length;
  const said = differing ? `${differing} of ${found.orders.length} orders have different results.`
    : "All results are the same.";
  show(part("compared"), make("p", {}, said), table(["Power", "Order", "These rules", ...found.profiles.slice(1)], rows));
}
