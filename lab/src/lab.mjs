// What all panels share: the state, the engine, and the line that tells what is going on.
import { part } from "./dom.mjs";
import { Stopped } from "./engine.mjs";
import { markOld } from "./report.mjs";
import { say } from "./said.mjs";
import { isOwnMap, makeState, rulesOf } from "./state.mjs";

// A map of the state as requests take it: a name or a text.
const asMap = (map) => (isOwnMap(map) ? { text: map, name: "map.yaml" } : map);

const LONG = 500; // milliseconds after which a reader learns what the page is doing
const READING = 4000; // for which a message covers a fault

// `given` has the members of the initial state that differ from the usual ones.
export function makeLab(given) {
  const state = makeState(given);
  const catalogues = new Map();
  let told = ""; // what the line says when nothing is being loaded
  let loaded = ""; // what is being loaded
  let covering = null; // while the line shows a message instead of a fault

  const lab = {
    state,
    engine: null, // until it is open
    outcome: null, // the latest outcome, as `Outcome.to_dict` returns it
    judged: null, // the latest request without a fault
    news: "", // what is new in the latest outcome
    words: new Map(), // word of the rule language -> its kind and meaning
    showWord: null, // shows what a word means
    goTo: {}, // document -> the function that shows a line of it
    share: null, // copies a link
    takeText: null, // takes pasted or dropped text: a game or orders
    explain: null, // says why the order of a unit has its result
    showWhy: null, // the same, brought into view
    again: null, // judges everything again

    // Texts that change with every keystroke are not spoken. Others are read even beside a fault.
    tell(text, isSaid = true) {
      told = text;
      part("status").textContent = text;
      if (!isSaid) return;
      say("status", text);
      part("line").classList.add("telling");
      clearTimeout(covering);
      covering = setTimeout(() => part("line").classList.remove("telling"), READING);
    },

    // Tells what a button has done, until another panel is shown.
    confirm(text) {
      const before = told;
      lab.tell(text);
      told = before;
    },

    // Shows what is being loaded. With "", when loading has ended, it shows the text from before
    // again.
    loading(text) {
      loaded = text;
      showTold();
      if (text) say("status", text);
    },

    // Promises the same as what makes the results on the page old, and says so if it takes long.
    async awaited(text, promised) {
      const late = setTimeout(() => {
        if (lab.outcome) markOld(true);
        told = text;
        showTold();
      }, LONG);
      try {
        return await promised;
      } finally {
        clearTimeout(late);
      }
    },

    // Promises the answer of `dipsat.answer` to a request.
    ask(request) {
      return lab.engine.ask(request);
    },

    // The rules of the state, as requests take them.
    rules() {
      return rulesOf(state.now);
    },

    // A request of this kind about the state's board under the state's rules.
    onBoard(kind, more = {}) {
      const { orders, map, position, variant } = state.now;
      const found = { request: kind, orders, lenient: true, seconds: 20, ...more };
      if (kind !== "compare") found.rules = lab.rules();
      if (map) found.map = asMap(map);
      if (variant) found.variant = variant;
      if (position) found.position = position;
      else if (!orders.trim()) found.position = { units: {} }; // an empty board is not an empty sheet
      return found;
    },

    // Promises the map of the board, as in the answer to `maps`.
    map() {
      const { map } = state.now;
      const own = map && asMap(map) !== map ? asMap(map) : null;
      return lab.catalogue({ request: "maps", map: own ?? map ?? lab.outcome?.map ?? "standard" });
    },

    // The name of a power as people write it.
    titleOf(power) {
      return lab.outcome?.titles[power] ?? power;
    },

    isRetreat() {
      return lab.outcome?.phase.endsWith("R") ?? false;
    },

    // The names of powers on a shipped map, as a function.
    async titlesOn(map) {
      const { powers = {} } = await lab.catalogue({ request: "maps", map });
      return (power) => powers[power]?.title ?? power;
    },

    // A list that never changes, such as the list of maps. It is requested once.
    async catalogue(request) {
      const key = JSON.stringify(request);
      if (!catalogues.has(key)) catalogues.set(key, lab.ask(request));
      try {
        const { answer } = await catalogues.get(key);
        if (!answer) catalogues.delete(key);
        return answer ?? {};
      } catch (error) {
        catalogues.delete(key); // stopped: the next caller asks again
        throw error;
      }
    },

    // Wraps the action of a button, for which being stopped is not an error.
    pressed: (action) => async (...given) => {
      try {
        await action(...given);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        lab.tell("Stopped.");
      }
    },

    isDark() {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      return (document.documentElement.dataset.theme ?? system) === "dark";
    },
  };
  const showTold = () => { part("status").textContent = loaded || told; };
  part("side").addEventListener("shown", showTold, true);
  return lab;
}
