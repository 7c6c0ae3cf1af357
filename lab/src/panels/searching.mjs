// A running search, its stop button, and its result.
import { part, show } from "../dom.mjs";
import { Stopped } from "../engine.mjs";
import { saveJson } from "../files.mjs";
import { showError } from "../report.mjs";
import { NAMED, showFound } from "./found.mjs";

// `asked()` makes the request; `markFaults(faults)` marks them in the texts of the form.
export function makeSearching(lab, asked, markFaults) {
  let isRunning = false;

  async function search() {
    if (isRunning) return;
    const request = asked();
    const board = { outcome: lab.outcome, given: lab.state.now };
    const seconds = timer();
    turn(true);
    markFaults([]);
    show(part("found"));
    try {
      const found = await lab.ask(request);
      show(part("searching"));
      if (found.error) fail(found.error);
      else succeed(found.answer, { ...board, seconds: seconds.spent() });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      show(part("searching"), `Stopped after ${Math.round(seconds.spent())} s.`);
      setTimeout(lab.again); // the engine restarts, and judges what it may have missed
    } finally {
      seconds.end();
      turn(false);
    }
  }

  function turn(on) {
    isRunning = on;
    part("search-run").disabled = on;
    part("search-stop").disabled = !on;
    if (on) lab.confirm("Searching …");
  }

  function succeed(answer, board) {
    part("found").classList.remove("old");
    showFound(answer, board, {
      take: (state) => {
        lab.state.change(state);
        part("found").classList.remove("old"); // the board shows it
      },
      titleOf: lab.titleOf,
      keep: ({ svg, ...rest }) => saveJson("search.json", rest),
    });
    part("searching").scrollIntoView({ block: "nearest" });
    part("found").scrollIntoView({ block: "nearest" });
    lab.confirm(`${NAMED[answer.verdict] ?? answer.verdict}.`);
  }

  function fail(error) {
    markFaults(error.problems?.length ? error.problems : [error]);
    part("found").classList.remove("old");
    showError("found", error);
    lab.confirm("The search failed.");
  }

  turn(false);
  const run = lab.pressed(search);
  part("search-run").addEventListener("click", run);
  part("search-stop").addEventListener("click", () => lab.engine?.stop());
  return run;
}

// Shows the seconds as they pass.
function timer() {
  const began = performance.now();
  const spent = () => (performance.now() - began) / 1000;
  const say = () => show(part("searching"), `Searching … ${Math.floor(spent())} s`);
  const clock = setInterval(say, 1000);
  say();
  return { spent, end: () => clearInterval(clock) };
}
