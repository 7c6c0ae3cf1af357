// Says which results a change has changed: spoken, and in the line above the panels.
import { failed, isAwaited, result } from "../report.mjs";
import { forget, say, wasSaid } from "../said.mjs";

const MOST = 4; // results said one by one

export function openChanges(lab) {
  let known = null;
  return {
    judged({ answer, error }) {
      forget();
      if (error) {
        say("fault", `There is a fault. ${error.message}`);
        return;
      }
      const found = new Map(answer.orders.map((one) => [`${one.power} ${one.unit}`, one]));
      const isMended = wasSaid("fault");
      const changed = known && [...found].filter(([key, one]) => isOther(one, known.get(key))).map(([, one]) => one);
      say("verdicts", `${isMended ? "The fault is mended. " : ""}${sentence(answer.orders, changed)}`.trim());
      lab.news = changed?.length && changed.length <= MOST ? listed(changed) : summary(answer.orders);
      known = found;
    },
  };
}

const isOther = (one, before) => !before || result(before) !== result(one);
const listed = (orders) => `${orders.map((one) => `${one.order || one.submitted}: ${result(one)}`).join(". ")}.`;

function sentence(orders, changed) {
  if (changed === null) return `${orders.length} orders are judged.`;
  if (!changed.length) return "";
  return changed.length > MOST ? `${changed.length} results have changed.` : listed(changed);
}

function summary(all) {
  const orders = all.filter((one) => !isAwaited(one));
  if (!orders.length) return "no orders.";
  const count = orders.filter(failed).length;
  return `${orders.length === 1 ? "1 order" : `${orders.length} orders`}, ${count || "none"} without success.`;
}
