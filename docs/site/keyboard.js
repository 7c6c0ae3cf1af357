// Tables and code that are wider than the page scroll by keyboard, too.
function reach() {
  for (const one of document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap")) {
    if (one.scrollWidth <= one.clientWidth) continue;
    one.tabIndex = 0;
    one.setAttribute("role", "region");
    one.setAttribute("aria-label", one.matches("code") ? "Code" : "Table");
  }
}

addEventListener("load", () => setTimeout(reach)); // the theme wraps tables first
addEventListener("resize", reach);
