// The panel of saved games: their phases one by one, and where the rules give another result.
import { make, part, show } from "../dom.mjs";
import { openFiles, opener } from "../files.mjs";
import { isOld, showError } from "../report.mjs";
import { sheetOf } from "../sheet.mjs";
import { makePhaseList } from "./phase_list.mjs";
import { makePhaseView } from "./phase_view.mjs";
import SAMPLE from "../../../docs/examples/two-years.txt";

const SLICE = 10; // phases of one request
const KEYS = {
  ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -Infinity, End: Infinity,
};

export function openGames(lab) {
  let game = null; // { text, name, number, of, phases }: what is open; `of` says what it is
  let at = 0; // the phase that is shown
  let count = 0; // of requests: an old answer is not shown
  let faulty = null; // the rules under which the game could not be judged

  const replay = (more, { text, name, number } = game) =>
    ({ request: "replay", game: text, name, number, ...more });
  const list = makePhaseList((index) => lab.pressed(turn)(index));
  const view = makePhaseView(lab, replay);

  async function open(text, name, number = 1) {
    const mine = ++count;
    const opened = { text: withoutMessages(text), name, number, phases: [] };
    show(part("game-said"), "Reading the game …");
    const found = await lab.ask(replay({ limit: 0 }, opened)).catch((stop) => {
      show(part("game-said"));
      throw stop;
    });
    if (mine !== count) return;
    if (found.error) { // the game that is open stays
      showError("game-said", found.error);
      return;
    }
    game = { ...opened, of: found.answer };
    at = 0;
    list.show([], 0);
    fillTurn([]);
    view.clear();
    part("game").hidden = part("game-turn").hidden = false;
    part("game-how").hidden = true;
    show(part("game-name"), game.of.name || name);
    part("game-which").hidden = game.of.games === 1;
    part("game-number").value = number;
    show(part("game-of"), `of ${game.of.games}`);
    await judge(true);
  }

  // Phases are requested in slices, so that a change of the rules need not wait for all of them.
  async function judge(isNew = false) {
    const mine = ++count;
    const { phases, of } = game;
    const rules = lab.rules();
    faulty = null;
    part("game").classList.remove("old");
    for (let offset = 0; offset < of.count; offset += SLICE) {
      say(`judging phase ${offset + 1} …`);
      const found = await lab.ask(replay({ rules, offset, limit: SLICE })).catch((stop) => {
        say(`${summary(game)}; stopped at phase ${offset + 1}`);
        throw stop;
      });
      if (mine !== count) return;
      if (found.error) {
        say("");
        showError("game-fault", found.error);
        faulty = rules;
        part("game").classList.toggle("old", phases.length > 0); // these are from other rules
        return;
      }
      phases.splice(offset, SLICE, ...found.answer.phases);
      list.show(phases, at);
      fillTurn(phases);
      if (offset <= at && at < offset + SLICE) await (isNew ? turn(at) : look(at));
      if (mine !== count) return;
    }
    say(summary(game));
    lab.confirm(summary(game));
  }

  function say(text) {
    const { name, map } = game.of;
    show(part("game-said"), [name || game.name, `map ${map}`, text].filter(Boolean).join(" · "));
    show(part("game-fault"));
    show(part("game-notes"), ...notes());
    turnOnOrOff();
  }

  function notes() {
    const { named, played } = game.of;
    const record = `The file has only orders: its record is the result under the rules ${named ?? "datc"}. `;
    const found = played ? [record] : [];
    if (named && named !== "datc" && !lab.state.now.rules.includes(`extends: ${named}`)) {
      const take = lab.pressed(() => {
        lab.state.change({ rules: `extends: ${named}\ntitle: My rules\n` });
        return judge();
      });
      found.push(`The game names the rules ${named}. `,
        make("button", { type: "button", onclick: take }, "Start from these rules"));
    }
    return found;
  }

  function turnOnOrOff() {
    const { phases } = game;
    part("game-back").disabled = at <= 0;
    part("game-on").disabled = at >= phases.length - 1;
    part("game-next").disabled = !phases.some(({ status }) => status === "differs");
  }

  function fillTurn(phases) {
    show(part("game-phase"), ...phases.map(({ title, phase, status }, index) =>
      make("option", { value: index }, (title || phase || "?") + (status === "differs" ? " · differs" : ""))));
    part("game-phase").value = at;
  }

  async function look(to) {
    at = Math.max(0, Math.min(to, game.phases.length - 1));
    const one = game.phases[at];
    if (!one) return null;
    list.turn(at);
    part("game-phase").value = at;
    turnOnOrOff();
    await view.show(one, game.of);
    return one;
  }

  // The chosen phase is on the board, where its orders can be changed.
  async function turn(to) {
    const one = await look(to);
    if (!one?.position) return;
    const { map } = game.of;
    lab.state.change({ position: one.position, orders: sheetOf(one.orders, await lab.titlesOn(map)), map });
  }

  function nextDifference() {
    const { phases } = game;
    const places = phases.map((_, index) => (at + 1 + index) % phases.length);
    return turn(places.find((place) => phases[place].status === "differs") ?? at);
  }

  // Pasted or dropped text is a saved game if it can be read as one, and orders otherwise.
  lab.takeText = async (text, name) => {
    const asked = { request: "replay", game: withoutMessages(text), name, limit: 0 };
    try {
      const found = await lab.awaited("Reading the text …", lab.ask(asked));
      if (found.answer?.count) await open(text, name);
      else lab.state.change({ orders: text, position: null });
    } finally {
      if (isOld()) lab.again(); // also where the text is that of the board
    }
  };

  part("game").addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    if (by === undefined || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    lab.pressed(turn)(at + by);
    if (list.has(event.target)) list.focus();
  });
  openFiles("open-game", part("games"), opener(lab, (text, name) => open(text, name)));
  const actions = {
    "game-sample": () => open(SAMPLE, "two-years.txt"),
    "game-paste": () => open(part("game-text").value, "pasted text"),
    "game-again": judge, "game-next": nextDifference,
    "game-back": () => turn(at - 1), "game-on": () => turn(at + 1),
  };
  for (const [id, action] of Object.entries(actions)) {
    part(id).addEventListener("click", lab.pressed(() => action()));
  }
  part("game-phase").addEventListener("change", lab.pressed(({ target }) => turn(Number(target.value))));
  part("game-number").addEventListener("change", lab.pressed(({ target }) =>
    open(game.text, game.name, Number(target.value) || 1)));
  // The board may go on by itself: to another phase of the game, or to one that the game lacks.
  const follow = lab.pressed(async ({ position, map }) => {
    const isOf = ({ phase }) => phase === position?.phase && map === game.of.map;
    const index = game.phases.findIndex(isOf);
    if (index >= 0 && index !== at) await look(index);
    list.turn(index);
    part("game-phase").value = index;
  });
  lab.state.subscribe((now, before) => {
    const isOther = now.position !== before.position || now.map !== before.map;
    if (isOther && game?.phases.length) follow(now);
    if (now.rules !== before.rules) part("game").classList.add("old");
  });

  return {
    async step() {
      const isMended = faulty !== null && JSON.stringify(faulty) !== JSON.stringify(lab.rules());
      await (game && isMended ? judge() : view.follow());
    },
  };
}

function summary({ of, phases }) {
  const number = (status) => phases.filter((one) => one.status === status).length;
  const all = of.count === 1 ? "1 phase" : `${of.count} phases`;
  const [same, other, skipped] = ["agrees", "differs", "skipped"].map(number);
  const found = other ? `Your rules agree in ${same} and differ in ${other}` : `Your rules agree in all ${same} compared`;
  const rest = skipped ? `; ${skipped} ${skipped === 1 ? "was" : "were"} not compared.` : ".";
  return `${all}. ${found}${rest}`;
}

// Messages make some programs' games ten times as long as the part that is read.
function withoutMessages(text) {
  if (!text.includes('"messages"')) return text;
  const drop = (name, value) => (name === "messages" ? undefined : value);
  try {
    return text.split("\n").map((line) => line && JSON.stringify(JSON.parse(line, drop))).join("\n");
  } catch {
    return text; // not JSON, or not in lines: the engine reads it as it is
  }
}
