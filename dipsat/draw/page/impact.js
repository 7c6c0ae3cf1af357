"use strict";
(function () {
  const table = document.getElementById("rules");
  const sections = Array.from(document.querySelectorAll("details.rules"));

  function valueOf(row, at) {
    const cell = row.cells[at];
    const value = cell.dataset.value === undefined ? cell.textContent : cell.dataset.value;
    return value === "" || isNaN(value) ? value : Number(value);
  }

  function compare(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other), undefined, { numeric: true });
  }

  function sort(head) {
    const isDown = head.getAttribute("aria-sort") === "descending" ||
      (!head.hasAttribute("aria-sort") && !head.classList.contains("number"));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isDown ? "ascending" : "descending");
    const way = isDown ? 1 : -1;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).map((row) => [valueOf(row, head.cellIndex), row]);
    rows.sort((one, other) => way * compare(one[0], other[0]));
    for (const [, row] of rows) body.append(row);
  }

  function openAll(isOpen) {
    for (const section of sections) section.open = isOpen;
  }

  function button(text, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  }

  function reveal() {
    const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const section = wanted && wanted.closest("details.rules");
    if (!section) return;
    section.open = true;
    section.scrollIntoView();
  }

  if (table) {
    for (const head of table.querySelectorAll("thead th")) {
      const text = head.textContent;
      head.replaceChildren(button(text, () => sort(head)));
    }
  }
  if (sections.length > 1) {
    const bar = document.createElement("p");
    bar.className = "buttons";
    bar.append(button("Open all", () => openAll(true)), " ",
      button("Close all", () => openAll(false)));
    sections[0].before(bar);
  }
  window.addEventListener("hashchange", reveal);
  reveal();
})();
