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
const told = (one) => (isAwaited(one) ? `${one.unit}: no order yet; without one it disbands`
  : `${one.order || one.submitted}: ${result(one)}`);
const listed = (orders) => `${orders.map(told).join(". ")}.`;

function sentence(orders, changed) {
  if (changed === null) return `${orders.length} orders are judged.`;
  if (!changed.length) return "";
  return changed.length > MOST ? `${changed.length} results have changed.` : listed(changed);
}

function summary(all) {
  if (all.every(({ submitted }) => submitted === null)) return "no orders yet.";
  const orders = all.filter((one) => !isAwaited(one));
  const count = orders.filter(failed).length;
  return `${orders.length === 1 ? "1 order" : `${orders.length} orders`}, ${count || "none"} without success.`;
}
