// Order sheets as text.

const titled = (power) => power[0] + power.slice(1).toLowerCase();

// An order in the text: it takes the place of the unit's old one, or stands below its power.
export function withOrder(text, power, old, order) {
  const lines = text.split("\n");
  const at = old ? lines.findIndex((line) => line.trim() === old || line.trim().endsWith(`: ${old}`)) : -1;
  if (at >= 0) {
    lines[at] = lines[at].replace(old, () => order);
    return lines.join("\n");
  }
  const head = lines.findIndex((line) => line.trim().toUpperCase() === `${power}:`);
  if (head >= 0) lines.splice(head + 1, 0, ` ${order}`);
  else {
    while (lines.length && !lines.at(-1).trim()) lines.pop();
    lines.push(`${titled(power)}:`, ` ${order}`, "");
  }
  return lines.join("\n");
}

export function sheetOf(orders) {
  const parts = Object.entries(orders).map(([power, own]) =>
    [`${titled(power)}:`, ...own.map((order) => ` ${order}`)].join("\n"));
  return parts.join("\n") + "\n";
}
