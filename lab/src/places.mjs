// The way to the panels: a link to each, as they stand in the page. They move the focus; the address
// holds the state and is left alone.
import { make, part, show } from "./dom.mjs";

export function openPlaces() {
  const headings = [...document.querySelectorAll("main section h2")];
  for (const heading of headings) heading.tabIndex = -1;
  show(part("places"), ...headings.map(({ id, textContent }) => make("a", { href: `#${id}` }, textContent)));
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    part(link.hash.slice(1))?.focus();
  });
}
