// The state of the page: what a link holds, and what everything that is shown follows from.

export const FIRST = {
  rules: "extends: datc\ntitle: My rules\n",
  orders: `England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
`,
  map: null, // the name of a shipped map or the text of another, null for that of the rules or orders
  position: null, // as requests take it, or null if the orders name all units
  compare: ["datc"], // the names of the rules to compare with
};

// `change` takes the members that change; each subscriber is called with the state now and before.
export function makeState(first = FIRST) {
  let now = first;
  const subscribers = [];

  return {
    get now() {
      return now;
    },
    change(given) {
      const before = now;
      if (Object.keys(given).every((name) => given[name] === before[name])) return;
      now = { ...before, ...given };
      for (const subscriber of subscribers) subscriber(now, before);
    },
    subscribe(subscriber) {
      subscribers.push(subscriber);
    },
  };
}
