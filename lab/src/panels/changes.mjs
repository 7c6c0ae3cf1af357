// Says which results a change has changed, for those who do not see the table.
import { result } from "../report.mjs";
import { forget, say, wasSaid } from "../said.mjs";

const MOST = 4; // results said one by one

export function openChanges() {
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
      say("verdicts", `${isMended ? "The fault is mended. " : ""}${sentence(answer.orders, known, found)}`.trim());
      known = found;
    },
  };
}

function sentence(orders, known, found) {
  if (known === null) return `${orders.length} orders are judged.`;
  const other = (one, before) => !before || result(before) !== result(one);
  const changed = [...found].filter(([key, one]) => other(one, known.get(key))).map(([, one]) => one);
  if (!changed.length) return "";
  if (changed.length > MOST) return `${changed.length} results have changed.`;
  return `${changed.map((one) => `${one.order || one.submitted}: ${result(one)}`).join(". ")}.`;
}
