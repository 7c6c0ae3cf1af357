// The board of the first page becomes the lab when somebody clicks it: who only reads loads no Python.
const board = document.querySelector(".live a");
board?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || innerWidth < 960) return; // a page of its own
  event.preventDefault();
  const lab = Object.assign(document.createElement("iframe"), { src: board.href, title: "The rule lab" });
  board.replaceWith(lab);
  lab.focus();
});
