// Undo and redo of the whole state. The editors have their own while you type in them.
import { part } from "./dom.mjs";

const hasItsOwn = (element) => element.closest?.(".cm-editor, input, textarea") !== null;

export function openUndoing(state) {
  const follow = () => {
    part("undo").disabled = !state.canUndo;
    part("redo").disabled = !state.canRedo;
  };
  part("undo").addEventListener("click", state.undo);
  part("redo").addEventListener("click", state.redo);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || hasItsOwn(event.target)) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) state.redo();
    else state.undo();
  });
  state.subscribe(follow);
  follow();
}
