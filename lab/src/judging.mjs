// Whatever changes, the engine is asked again; each panel shows what it finds.
//
// A panel may have `judged(found)`, called at once with the answer to `adjudicate`, and `step(found,
// isOld)`, a promise of the rest: the steps run one after another, and a change makes those that
// are left needless. `isOld()` says whether there was a change since; an old answer is not shown.
import { part, show } from "./dom.mjs";
import { Stopped } from "./engine.mjs";
import { showError } from "./report.mjs";

export function makeJudging(lab, panels) {
  let isStale = false;
  let running = null; // the promise of what is being judged

  function refresh() {
    isStale = true;
    if (lab.engine !== null) running ??= judgeAll().finally(() => { running = null; });
    return running;
  }

  async function judgeAll() {
    document.body.dataset.state = "busy";
    await null; // several changes at once are judged once
    try {
      while (isStale) {
        isStale = false;
        await judge();
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      lab.tell("Stopped. Change something, or press Again.");
    } finally {
      document.body.dataset.state = "done";
    }
  }

  async function judge() {
    const began = performance.now();
    const found = await lab.ask(lab.onBoard("adjudicate"));
    if (isStale) return;
    showFault(found);
    for (const panel of panels) panel.judged?.(found);
    const spent = Math.round(performance.now() - began);
    document.body.dataset.milliseconds = spent;
    lab.tell(found.error ? "There are faults; the results below are those before them."
      : `Judged ${lab.engine.name} in ${spent} ms: ${found.answer.phase}, ${found.answer.map}.`, false);
    for (const panel of panels) {
      if (isStale) return;
      await panel.step?.(found, () => isStale);
    }
  }

  function showFault(found) {
    part("results").classList.toggle("old", Boolean(found.error));
    if (found.error) showError("fault", found.error);
    else {
      lab.outcome = found.answer;
      show(part("fault"));
    }
  }

  return { refresh };
}
