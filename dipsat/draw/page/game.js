"use strict";
(function () {
  const phases = JSON.parse(document.getElementById("phases").textContent);
  const part = (id) => document.getElementById(id);
  const board = part("board").querySelector("svg");
  const slider = part("slider"), play = part("play"), list = part("list");
  const sheet = part("sheet");
  const last = phases.length - 1, most = 8, step = 1.25;
  let at = 0, timer = null, zoom = 1;

  function own(centers, held) {
    for (const path of board.querySelectorAll(".layer-provinces [data-province]")) {
      const owner = centers[path.dataset.province] ?? held[path.dataset.province];
      const names = path.getAttribute("class").replace(/ o\d+/, "");
      path.setAttribute("class", owner === undefined ? names : names + " o" + owner);
    }
    for (const center of board.querySelectorAll("[data-center]")) {
      const owner = centers[center.dataset.center];
      center.setAttribute("class", owner === undefined ? "center" : "center owned p" + owner);
    }
  }

  function show(number) {
    at = Math.max(0, Math.min(last, number));
    const phase = phases[at];
    for (const [name, markup] of Object.entries(phase.layers)) {
      board.querySelector(".layer-" + name).innerHTML = markup;
    }
    own(phase.centers, phase.held);
    alone(null);
    board.querySelector("title").textContent = phase.said;
    part("phase").textContent = phase.title;
    list.innerHTML = phase.list;
    list.parentElement.scrollTop = 0;
    const row = list.querySelector(".result");
    if (row) row.tabIndex = 0;
    slider.value = at;
    slider.setAttribute("aria-valuetext", phase.title);
    part("first").disabled = part("previous").disabled = at === 0;
    part("next").disabled = part("final").disabled = at === last;
    if (at === last) stop();
    history.replaceState(null, "", "#" + encodeURIComponent(phase.name));
  }

  function alone(row) {
    const isOf = (one) => row && one.dataset.power === row.dataset.power &&
      (one.dataset.order || one.dataset.of) === row.dataset.order;
    board.classList.toggle("dimmed", row !== null);
    for (const one of board.querySelectorAll(".order, .sign")) {
      one.classList.toggle("shown", Boolean(isOf(one)));
    }
    for (const one of list.querySelectorAll(".result")) one.classList.toggle("shown", one === row);
  }

  function rowOf(one) {
    const unit = one && (one.dataset.unit || "");
    return unit ? Array.from(list.querySelectorAll(".result"))
      .find((row) => row.dataset.unit === unit && row.dataset.power === one.dataset.power) : null;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }

  function start() {
    if (at === last) show(0);
    if (at === last) return;
    timer = setInterval(() => show(at + 1), 1600);
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
  }

  function turn() {
    if (timer === null) start(); else stop();
  }

  function go(number) {
    stop();
    show(number);
  }

  function zoomTo(wanted, x, y) {
    const before = board.getBoundingClientRect(), frame = sheet.getBoundingClientRect();
    if (x === undefined) {
      x = frame.left + sheet.clientWidth / 2;
      y = frame.top + Math.min(sheet.clientHeight, frame.height) / 2;
    }
    zoom = Math.max(1, Math.min(most, wanted));
    if (zoom < 1.01) zoom = 1;
    sheet.style.setProperty("--zoom", zoom);
    sheet.classList.toggle("zoomed", zoom > 1);
    // What can be scrolled must be within reach of the keyboard.
    if (zoom > 1) sheet.tabIndex = 0; else sheet.removeAttribute("tabindex");
    const after = board.getBoundingClientRect();
    sheet.scrollLeft += after.left + (x - before.left) / before.width * after.width - x;
    sheet.scrollTop += after.top + (y - before.top) / before.height * after.height - y;
    part("zoomed").textContent = Math.round(100 * zoom) + " %";
    part("smaller").disabled = part("whole").disabled = zoom === 1;
    part("larger").disabled = zoom === most;
  }

  part("smaller").onclick = () => zoomTo(zoom / step);
  part("larger").onclick = () => zoomTo(zoom * step);
  part("whole").onclick = () => zoomTo(1);
  sheet.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(zoom * Math.pow(step, -Math.sign(event.deltaY)), event.clientX, event.clientY);
  }, { passive: false });

  part("first").onclick = () => go(0);
  part("previous").onclick = () => go(at - 1);
  part("next").onclick = () => go(at + 1);
  part("final").onclick = () => go(last);
  play.onclick = turn;
  slider.oninput = () => go(Number(slider.value));
  part("controls").onsubmit = (event) => event.preventDefault();

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = event.target.closest ? event.target.closest(".result") : null;
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (row && way) {
      const rows = Array.from(list.querySelectorAll(".result"));
      const other = rows[rows.indexOf(row) + way];
      if (other) other.focus();
      event.preventDefault();
    }
    const zooms = { "+": zoom * step, "=": zoom * step, "-": zoom / step, "0": 1 };
    if (event.key in zooms) {
      zoomTo(zooms[event.key]);
      event.preventDefault();
    }
    if (event.target === slider) return;
    // On the board, which has the focus only if it is larger than its window, arrows scroll it.
    const keys = event.target === sheet ? {} :
      { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    if (event.key in keys) {
      go(keys[event.key]);
      event.preventDefault();
    } else if (event.key === "p" || event.key === "P") turn();
  });

  for (const [come, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    list.addEventListener(come, (event) => alone(event.target.closest(".result")));
    list.addEventListener(leave, () => alone(null));
  }
  board.addEventListener("mouseover", (event) => {
    const one = event.target.closest(".order, .unit");
    alone(rowOf(one) || null);
  });
  board.addEventListener("click", (event) => {
    const row = rowOf(event.target.closest(".order, .unit"));
    if (row) row.scrollIntoView({ block: "nearest" });
  });

  const asked = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    return phases.findIndex((phase) => phase.name === name);
  };
  window.addEventListener("hashchange", () => {
    if (asked() >= 0 && asked() !== at) go(asked());
  });
  show(Math.max(asked(), 0));
})();
