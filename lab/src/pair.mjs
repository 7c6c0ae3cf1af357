// Two boards side by side, as images: a gallery of drawings would make the page slow.
import { make } from "./dom.mjs";

// A figure with its name for each of the boards in one picture that the engine drew.
export function boardsOf(svg, names) {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const own = [...read.querySelectorAll("svg[viewBox]")].filter((one) => one.parentElement.closest("svg") === read);
  return (own.length ? own : [read]).map((one, at) => {
    const alone = one.cloneNode(true);
    alone.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    for (const name of ["x", "y"]) alone.removeAttribute(name);
    return make("figure", {}, make("figcaption", {}, names[at]),
      make("img", { src: addressOf(new XMLSerializer().serializeToString(alone)), alt: `Board: ${names[at]}` }));
  });
}

export const addressOf = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;
