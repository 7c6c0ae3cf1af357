// What all panels share: the state, the engine, and the line that tells what is going on.
import { part } from "./dom.mjs";
import { Stopped } from "./engine.mjs";
import { say } from "./said.mjs";
import { isOwnMap, makeState, RULES_FILE } from "./state.mjs";

// A map of the state as requests take it: a name or a text.
const asMap = (map) => (isOwnMap(map) ? { text: map, name: "map.yaml" } : map);

// `given` has the members of the initial state that differ from the usual ones.
export function makeLab(given) {
  const state = makeState(given);
  const catalogues = new Map();
  let told = ""; // what the header says when nothing is being loaded

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

    // Texts that change with every keystroke are not spoken.
    tell(text, isSaid = true) {
      told = text;
      part("status").textContent = text;
      if (isSaid) say("status", text);
    },

    // Shows what is being loaded. With "", when loading has ended, it shows the text from before
    // again.
    loading(text) {
      part("status").textContent = text || told;
      if (text) say("status", text);
    },

    // Promises the answer of `dipsat.answer` to a request.
    ask(request) {
      return lab.engine.ask(request);
    },

    // The rules of the state, as requests take them.
    rules() {
      return state.now.rules.trim() ? { text: state.now.rules, name: RULES_FILE } : "datc";
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
  return lab;
}
