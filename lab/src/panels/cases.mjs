// The panel of the DATC's cases: one to load, or all of them under the rules.
import { make, part, row, show, table } from "../dom.mjs";
import { option, result, showError } from "../report.mjs";
import { sheetOf } from "../sheet.mjs";

export function openCases(lab) {
  async function load() {
    const name = part("case").value.trim();
    if (!name) return;
    const found = await lab.ask({ request: "cases", names: [name] });
    if (found.error) showError("cases", found.error);
    else await take(found.answer.cases[0]);
  }

  async function take({ case: name, board: { map, position, orders, variant } }) {
    part("case").value = name;
    if (part("cases").querySelector(":scope > .bad")) show(part("cases")); // of another case
    lab.state.change({ map, position, variant, orders: sheetOf(orders, await lab.titlesOn(map)) });
  }

  async function run() {
    show(part("cases"), make("p", {}, "Judging all cases …"));
    part("cases").classList.remove("old");
    const request = { request: "cases", rules: lab.rules(), base: part("base").value || "datc" };
    const found = await lab.ask(request).catch((error) => {
      show(part("cases"));
      throw error;
    });
    if (found.error) showError("cases", found.error);
    else showCases(found.answer, lab.pressed(take));
  }

  lab.state.subscribe((now, before) => {
    if (now.rules !== before.rules) part("cases").classList.add("old");
  });
  part("load-case").addEventListener("click", lab.pressed(load));
  part("run-cases").addEventListener("click", lab.pressed(run));
  part("case").addEventListener("keydown", (event) => event.key === "Enter" && lab.pressed(load)());

  return {
    async fill() {
      const { rules = [] } = await lab.catalogue({ request: "rules" });
      show(part("base"), ...rules.map(option));
    },
  };
}

function showCases(found, load) {
  const rows = found.cases.filter((one) => one.differs || !one.passed).map((one) => {
    const changes = one.changed.map((order) => {
      const [before, now] = order.results;
      return make("div", {}, `${order.order}: ${result(before) || "–"} → ${result(now) || "–"}`);
    });
    const what = changes.length ? make("td", {}, ...changes) : one.error?.message ?? "";
    const name = make("button", { type: "button", class: "order", onclick: () => load(one) }, one.case);
    return row({}, name, one.title, one.status, what);
  });
  const counts = Object.entries(found.counts).map(([status, count]) =>
    `${count} ${status === "differs" && count !== 1 ? "differ" : status}`).join(", ");
  const changed = found.cases.filter((one) => one.differs).length;
  show(part("cases"), make("p", {}, `${counts}. Results change in ${changed} of ${found.cases.length} cases.`),
    rows.length ? table(["Case", "Title", "Status", "Changes"], rows) : null);
}
