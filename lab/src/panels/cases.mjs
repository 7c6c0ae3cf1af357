// The panel of the DATC's cases: load one, or judge all of them under the rules.
import { make, part, row, show, table } from "../dom.mjs";
import { option, result, showError } from "../report.mjs";
import { sheetOf } from "../sheet.mjs";

export function openCases(lab) {
  let now = null; // the case that is shown

  async function load(wanted = part("case").value.trim()) {
    if (!wanted) return;
    const found = await lab.ask({ request: "cases", names: [wanted], rules: lab.rules() });
    if (found.error) showError("case-said", found.error);
    else await take(found.answer.cases[0]);
  }

  async function take(one) {
    now = one;
    const { map, position, orders, variant } = one.board;
    part("case").value = one.case;
    lab.state.change({ map, position, variant, orders: sheetOf(orders, await lab.titlesOn(map)) });
    showCase(one, lab.titleOf);
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

  lab.state.subscribe((next, before) => {
    if (next.rules !== before.rules) part("cases").classList.add("old");
    // The result of a case is shown only for its own orders under the rules that judged it.
    if (now && (next.rules !== before.rules || next.position !== now.board.position)) {
      now = null;
      show(part("case-said"));
    }
  });
  part("load-case").addEventListener("click", lab.pressed(() => load()));
  part("case-before").addEventListener("click", lab.pressed(() => beside("before")));
  part("case-after").addEventListener("click", lab.pressed(() => beside("after")));
  part("run-cases").addEventListener("click", lab.pressed(run));
  part("case").addEventListener("keydown", (event) => event.key === "Enter" && lab.pressed(load)());

  // The case before or after the one shown or named.
  async function beside(which) {
    if (!now || now.case !== part("case").value.trim()) await load();
    else if (now[which]) await load(now[which]);
  }

  return {
    async fill() {
      const { rules = [] } = await lab.catalogue({ request: "rules" });
      show(part("base"), ...rules.map(option));
    },
  };
}

const MARKS = { passed: "✓ as the DATC states", differs: "✗ not as the DATC states", "not stated": "The DATC states nothing for these rules", "no answer": "There is no answer" };

function showCase({ case: name, title, note, status, source, results, differences, error }, titleOf) {
  const rows = results.map(({ power, order, expected, actual, agrees }) =>
    row({}, titleOf(power), order, expected, make("td", { class: agrees ? "ok" : "bad" }, `${agrees ? "✓" : "✗"} ${actual || "missing"}`)));
  const stated = new Set(results.map(({ power, order }) => `${power}: ${order}`));
  const others = differences.filter(({ about }) => !stated.has(about)).map(({ about, expected, found }) =>
    make("p", { class: "bad" }, `${about}: ${expected} is stated, found ${found}.`));
  show(part("case-said"), make("h3", {}, `${name}: ${title}`), note ? make("p", {}, note) : null,
    make("p", { class: status === "passed" ? "ok" : "bad" }, `${MARKS[status]}${source ? ` (${source})` : ""}.`),
    error ? make("p", { class: "bad" }, error.message) : null, ...others,
    rows.length ? table(["Power", "Order", "Stated", "Your rules"], rows) : null);
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
