// The panel that compares the results under other rules.
import { make, part, row, show, table } from "../dom.mjs";
import { boardsOf } from "../pair.mjs";
import { option, result, showError } from "../report.mjs";
import { badge, isShown, showPanel } from "../tabs.mjs";

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

  let drawn = null; // the request whose pictures are shown
  // The boards are drawn only when the panel is open.
  async function draw() {
    const [other] = lab.state.now.compare;
    const asked = lab.onBoard("svg", { what: "comparison", other, dark: lab.isDark() });
    if (!isShown("compare") || JSON.stringify(asked) === drawn) return;
    drawn = JSON.stringify(asked);
    const found = part("compared").querySelector(".differs") ? await lab.ask(asked) : {};
    if (drawn !== JSON.stringify(asked)) return;
    show(part("compared-pictures"), ...(found.answer ? boardsOf(found.answer.svg, ["These rules", other]) : []));
  }
  part("panel-compare").addEventListener("shown", lab.pressed(draw));

  // How the results differ, for a reader who is editing the rules.
  function tell(found) {
    const count = found ? found.orders.filter((one) => one.differs).length : 0;
    badge("compare", count ? String(count) : null);
    const [name, text] = count ? ["compare", "Compare"] : ["recipes", "See recipes"];
    const go = make("button", { type: "button", class: "order", onclick: () => showPanel(name) }, text);
    const names = found?.profiles.slice(1).join(", ");
    show(part("effect"), ...(found ? [`${count} of ${found.orders.length} results differ from ${names}. `, go] : []));
  }

  return {
    async step({ error }, isOld) {
      if (error) return;
      const { compare } = lab.state.now;
      if (!compare.length) {
        tell(null);
        show(part("compared-pictures"));
        show(part("compared"), make("p", {}, "Choose other rules to compare with."));
        return;
      }
      const found = await lab.ask(lab.onBoard("compare", { rules: [lab.rules(), ...compare] }));
      if (isOld()) return;
      tell(found.answer);
      if (found.error) showError("compared", found.error);
      else showCompared(found.answer, lab.titleOf);
      await draw();
    },
    async fill() {
      const { rules = [] } = await lab.catalogue({ request: "rules" });
      show(others, others.options[0], ...rules.map(option));
    },
  };
}

const FEW = 8; // orders listed even if their results are the same

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
