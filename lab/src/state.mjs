// The state of the page: the contents of a link, from which everything on the page follows.

export const RULES_FILE = "my-rules.yaml"; // how errors name the rules of the page

export const FIRST = {
  rules: "extends: datc\ntitle: My rules\n",
  orders: `England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
`,
  map: null, // the name of a shipped map or the text of another, null for the map of the rules or orders
  variant: null, // the name of shipped rules laid over the rules, as for a case of a variant
  position: null, // as requests take it, or null if the orders name all units
  compare: ["datc"], // the names of the rules to compare with
  search: null, // the changed fields of the search form, by name
  about: null, // the unit whose order is explained
  page: "lab", // or "dispute", which shows only what settles an argument
};
const PLAIN = /^\s*$|^extends: datc\n(title: My rules\n)?$/;

// The rules of a state, as requests take them. A text that changes nothing has no name of its own.
export const rulesOf = ({ rules }) => (PLAIN.test(rules) ? "datc" : { text: rules, name: RULES_FILE });

const HOW = ["about", "page"]; // how the board is viewed: these are not steps that can be undone

// Whether the engine has to judge again.
export const asksAnew = (now, before) =>
  ["rules", "orders", "map", "variant", "position", "compare"].some((name) => now[name] !== before[name]);

const MOST = 200; // steps that can be undone
const TYPING = 1500; // milliseconds within which changes of one text are one step

// Whether a map of the state is the text of one, not a name.
export const isOwnMap = (map) => map?.includes("\n") ?? false;

// Texts with the line ends of the editors.
function tidy(given) {
  const { rules, orders } = given;
  const lines = (text) => text.replace(/\r\n?/g, "\n");
  const texts = { ...(rules && { rules: lines(rules) }), ...(orders && { orders: lines(orders) }) };
  return { ...given, ...texts };
}

// `change` takes the members that change. Each subscriber is called with the states now and before,
// and with the name of what is being typed, if anything is. Changes in quick succession with the
// same `typed` are undone together.
export function makeState(given) {
  let now = { ...FIRST, ...tidy(given) };
  const past = [];
  const future = [];
  const subscribers = [];
  let last = { typed: "", time: 0 };

  function take(next, typed = "") {
    const before = now;
    now = next;
    for (const subscriber of subscribers) subscriber(now, before, typed);
  }

  // A step back or forward. The state that it leaves is kept for the way back.
  function step(from, to) {
    if (!from.length) return;
    to.push(now);
    last = { typed: "", time: 0 };
    take({ ...from.pop(), ...Object.fromEntries(HOW.map((name) => [name, now[name]])) });
  }

  return {
    get now() {
      return now;
    },
    get canUndo() {
      return past.length > 0;
    },
    get canRedo() {
      return future.length > 0;
    },
    change(changes, typed = "") {
      const given = tidy(changes);
      if (Object.keys(given).every((name) => given[name] === now[name])) return;
      const time = performance.now();
      const isSame = typed !== "" && typed === last.typed && time - last.time < TYPING;
      if (!isSame) past.push(now);
      if (past.length > MOST) past.shift();
      future.length = 0;
      last = { typed, time };
      take({ ...now, ...given }, typed);
    },
    // Changes how the board is viewed.
    look(changes) {
      if (HOW.some((name) => name in changes && changes[name] !== now[name])) take({ ...now, ...changes });
    },
    undo: () => step(past, future),
    redo: () => step(future, past),
    subscribe(subscriber) {
      subscribers.push(subscriber);
    },
  };
}
