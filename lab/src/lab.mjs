// What all panels share: the state, the engine, and how to tell what is going on.
import { part } from "./dom.mjs";
import { Stopped } from "./engine.mjs";
import { say } from "./said.mjs";
import { isOwnMap, makeState, RULES_FILE } from "./state.mjs";

// A map of the state as requests take it: a name, or a text of its own.
const asMap = (map) => (isOwnMap(map) ? { text: map, name: "map.yaml" } : map);

// `given` are the members of the state that the page opens with, where they are not the usual ones.
export function makeLab(given) {
  const state = makeState(given);
  const catalogues = new Map();
  let told = ""; // what the header says when nothing is being loaded

  const lab = {
    state,
    engine: null, // until it is open
    outcome: null, // the latest, as `Outcome.to_dict` gives it
    judged: null, // the latest request without a fault
    news: "", // what the latest outcome says that the one before did not
    words: new Map(), // of the rule language -> what each is and means
    showWord: null, // shows what a word means
    goTo: {}, // document -> what shows a line of it
    share: null, // copies a link
    takeText: null, // takes what was pasted or dropped: a game, or orders
    explain: null, // says why the order of a unit has its result
    showWhy: null, // the same, where the reader sees it
    again: null, // judges all once more

    // What comes with every keystroke is not for a voice.
    tell(text, isSaid = true) {
      told = text;
      part("status").textContent = text;
      if (isSaid) say("status", text);
    },

    // Says what is being loaded; with "", what was said before, once it is there.
    loading(text) {
      part("status").textContent = text || told;
      if (text) say("status", text);
    },

    // Promises what `dipsat.answer` gives to a request.
    ask(request) {
      return lab.engine.ask(request);
    },

    // The rules of the state, as requests take them.
    rules() {
      return state.now.rules.trim() ? { text: state.now.rules, name: RULES_FILE } : "datc";
    },

    // A request of a kind on the board of the state, under its rules.
    onBoard(kind, more = {}) {
      const { orders, map, position, variant } = state.now;
      const found = { request: kind, orders, lenient: true, seconds: 20, ...more };
      if (kind !== "compare") found.rules = lab.rules();
      if (map) found.map = asMap(map);
      if (variant) found.variant = variant;
      if (position) found.position = position;
      else if (!orders.trim()) found.position = { units: {} }; // an empty board is no empty sheet
      return found;
    },

    // Promises the map of the board, as `maps` describes it.
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

    // How powers are called on a shipped map.
    async titlesOn(map) {
      const { powers = {} } = await lab.catalogue({ request: "maps", map });
      return (power) => powers[power]?.title ?? power;
    },

    // A list that never changes, such as that of the maps: it is asked for once.
    async catalogue(request) {
      const key = JSON.stringify(request);
      if (!catalogues.has(key)) catalogues.set(key, lab.ask(request));
      try {
        const { answer } = await catalogues.get(key);
        if (!answer) catalogues.delete(key);
        return answer ?? {};
      } catch (error) {
        catalogues.delete(key); // stopped; the next who wants it asks again
        throw error;
      }
    },

    // What a button does. A stop is no fault of it.
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
