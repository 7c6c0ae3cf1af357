// After any change, the engine is asked again, and each panel shows its part of the answer.
//
// A panel may have `judged(found)`, called at once with the answer to `adjudicate`, and
// `step(found, isOld)`, a promise of the rest. The steps run one after another; a change makes the
// remaining steps unnecessary. `isOld()` says whether there was a change since; an old answer is
// not shown.
import { make, part, show } from "./dom.mjs";
import { Stopped } from "./engine.mjs";
import { markOld, showError } from "./report.mjs";

const PAUSE = 120; // milliseconds without typing before the steps begin
const PATIENCE = 400; // before a fault is shown: half a word is not a fault yet
const after = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

const faultsOf = ({ answer, error }) => (error ? [error, ...error.problems ?? []] : answer.faults ?? []);

export function makeJudging(lab, panels) {
  let version = 0; // of what is to be judged
  let since = null; // the time of the first change without a verdict
  let isTyped = false; // whether more is likely to follow at once
  let running = null; // the promise of the current judging
  let leave = () => {}; // stops waiting for the steps of an older version
  let faulty = 0; // the faults that are shown

  function refresh(typed = false) {
    if (lab.engine === null) return null; // it is asked once it is open
    version += 1;
    since ??= performance.now();
    isTyped = typed;
    leave();
    running ??= judgeAll().finally(() => { running = null; });
    return running;
  }

  async function judgeAll() {
    document.body.dataset.state = "busy";
    await null; // several changes at once are judged once
    try {
      for (let judged = -1; judged !== version;) {
        judged = version;
        await judge(() => judged !== version);
      }
    } catch (error) {
      since = null;
      if (!(error instanceof Stopped)) throw error;
      lab.tell("Stopped. Change something, or press Again.");
    } finally {
      document.body.dataset.state = "done";
    }
  }

  async function judge(isOld) {
    const began = since ?? performance.now();
    since = null;
    const asked = lab.onBoard("adjudicate");
    const found = await lab.awaited("Judging …", lab.ask(asked));
    const left = new Promise((resolve) => { leave = resolve; });
    const faults = faultsOf(found);
    if (isTyped && faults.length > faulty) {
      await Promise.race([after(PATIENCE), left]);
      if (isOld()) return;
    }
    faulty = faults.length;
    if (found.answer || found.error.kind === "UnresolvedError") lab.judged = asked;
    // It is shown even if there was another change: otherwise fast typing would show nothing at
    // all.
    showFault(found);
    for (const panel of panels) panel.judged?.(found);
    showTime(found, performance.now() - began);
    if (isOld()) return;
    if (isTyped) await Promise.race([after(PAUSE), left]);
    for (const panel of panels) {
      if (isOld()) return;
      const step = panel.step?.(found, isOld);
      step?.catch(() => {}); // nobody may be waiting for it
      await Promise.race([step, left]); // the next verdict does not wait for it
    }
  }

  // The time from the change to the result on the screen.
  function showTime({ answer, error }, time) {
    const spent = Math.round(time);
    document.body.dataset.milliseconds = spent;
    const fault = error?.kind === "EngineError" ? error.message
      : "There are faults; the results below are from before them.";
    lab.tell(error ? fault
      : `${answer.phase}: ${lab.news}`, false);
    part("status").title = `Judged ${lab.engine.name} in ${spent} ms`;
  }

  function showFault(found) {
    markOld(Boolean(found.error));
    if (found.answer) lab.outcome = found.answer;
    const [fault] = faultsOf(found);
    if (!fault) {
      show(part("fault"));
      return;
    }
    part("line").classList.remove("telling");
    const { document: name, line, column } = fault.problems?.[0] ?? fault;
    const go = lab.goTo[name];
    showError("fault", fault, go && make("button", { type: "button", class: "small", onclick: () => go(line, column) }, "Show"));
  }

  return { refresh };
}
