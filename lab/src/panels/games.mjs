// The panel of saved games: their phases one by one, and where the rules judge otherwise.
import { make, part, picture, show } from "../dom.mjs";
import { openFiles, opener } from "../files.mjs";
import { showError } from "../report.mjs";
import { sheetOf } from "../sheet.mjs";
import SAMPLE from "../../../docs/examples/two-years.txt";

const SLICE = 10; // phases of one request
const MARKS = { agrees: "", differs: "differs", skipped: "not compared" };

export function openGames(lab) {
  let game = null; // { text, name, number, of, phases }: what is open; `of` says what it is
  let at = 0; // the phase that is shown
  let count = 0; // of what was asked: an old answer is not shown
  let drawnDark = null; // the theme of the picture

  const request = (more) =>
    ({ request: "replay", game: game.text, name: game.name, number: game.number, ...more });

  async function open(given, name, number = 1) {
    const mine = ++count;
    const text = withoutMessages(given);
    game = { text, name, number, phases: [] };
    at = 0;
    part("game").hidden = true;
    show(part("game-said"), "Reading the game …");
    const found = await lab.ask(request({ limit: 0 })).catch((error) => {
      show(part("game-said"));
      throw error;
    });
    if (mine !== count) return;
    if (found.error) {
      game = null;
      showError("game-said", found.error);
      return;
    }
    game.of = found.answer;
    part("game").hidden = false;
    part("game-which").hidden = game.of.games === 1;
    part("game-number").value = number;
    show(part("game-of"), `of ${game.of.games}`);
    await judge();
  }

  // The phases come in slices, so that a change of the rules need not wait for all of them.
  async function judge() {
    const mine = ++count;
    const { phases, of } = game;
    const rules = lab.rules();
    part("game").classList.remove("old");
    for (let offset = 0; offset < of.count; offset += SLICE) {
      say(`Judging phase ${offset + 1} of ${of.count} …`);
      const found = await lab.ask(request({ rules, offset, limit: SLICE })).catch((error) => {
        say(`${summary()}; stopped at phase ${offset + 1}`);
        throw error;
      });
      if (mine !== count) return;
      if (found.error) {
        say("");
        showError("game-fault", found.error);
        return;
      }
      phases.splice(offset, SLICE, ...found.answer.phases);
      list();
      if (offset <= at && at < offset + SLICE) await turn(at);
      if (mine !== count) return;
    }
    const found = summary();
    say(found);
    lab.tell(`${found}.`);
  }

  function say(text) {
    const { name, map, named, played } = game.of;
    const parts = [name || game.name, `map ${map}`, text].filter(Boolean);
    show(part("game-said"), parts.join(" · "));
    show(part("game-fault"));
    const other = named && named !== "datc" && !lab.state.now.rules.includes(`extends: ${named}`);
    const notes = [];
    if (played) notes.push(`The file holds orders only: its record is what the rules ${named ?? "datc"} give. `);
    const take = () => {
      lab.state.change({ rules: `extends: ${named}\ntitle: My rules\n` });
      return judge();
    };
    if (other) notes.push(`The game names the rules ${named}. `,
      make("button", { type: "button", onclick: lab.pressed(take) }, "Start from these rules"));
    show(part("game-notes"), ...notes);
  }

  function summary() {
    const number = (status) => game.phases.filter((one) => one.status === status).length;
    const differing = number("differs");
    part("game-next").disabled = !differing;
    const skipped = number("skipped");
    const phases = game.of.count === 1 ? "1 phase" : `${game.of.count} phases`;
    return `${phases}: ${number("agrees")} as your rules judge, ${differing} otherwise`
      + (skipped ? `, ${skipped} not compared` : "");
  }

  function list() {
    const items = game.phases.map((one, index) => {
      const mark = MARKS[one.status];
      const attributes = {
        type: "button", class: `phase ${one.status}`, tabindex: index === at ? "0" : "-1",
        "aria-current": index === at ? "true" : null, onclick: lab.pressed(() => turn(index)),
      };
      return make("li", {}, make("button", attributes, one.phase || "?",
        mark ? make("span", { class: "mark" }, ` ${mark}`) : null));
    });
    const hadFocus = part("phases").contains(document.activeElement);
    show(part("phases"), ...items);
    if (hadFocus) focus();
  }

  const focus = () => part("phases").querySelector("[aria-current]")?.focus();

  async function turn(to) {
    at = Math.max(0, Math.min(to, game.phases.length - 1));
    const one = game.phases[at];
    if (!one) return;
    for (const [index, button] of part("phases").querySelectorAll("button").entries()) {
      button.tabIndex = index === at ? 0 : -1;
      button.toggleAttribute("aria-current", false);
      if (index === at) button.setAttribute("aria-current", "true");
    }
    part("phases").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    part("game-back").disabled = at === 0;
    part("game-on").disabled = at === game.phases.length - 1;
    part("game-load").disabled = one.position === null;
    show(part("phase-name"), `${one.title} (${one.number} of ${game.of.count})`);
    show(part("phase-said"), ...said(one), one.status === "differs" ? causeOf(one) : null);
    await draw(one);
  }

  // Other judges have habits; which of them explain a difference takes long to find out.
  function causeOf({ number }) {
    const place = make("p");
    const find = async () => {
      show(place, "Trying what is known of other judges …");
      try {
        const asked = { rules: lab.rules(), offset: number - 1, limit: 1, causes: true };
        const found = await lab.ask(request(asked));
        const cause = found.answer?.phases[0]?.cause;
        show(place, found.error?.message
          ?? (cause ? `Known deviations explain the record: ${cause}.` : "No known deviation explains the record."));
      } catch (error) {
        show(place, again);
        throw error;
      }
    };
    const again = make("button", { type: "button", onclick: lab.pressed(find) }, "Look for a known cause");
    show(place, again);
    return place;
  }

  // A difference has a picture of both results.
  async function draw(one) {
    if (one.position === null) {
      show(part("phase-picture"));
      return;
    }
    const rules = lab.rules();
    drawnDark = lab.isDark();
    const asked = one.status === "differs"
      ? request({ rules, offset: one.number - 1, limit: 1, picture: true, dark: drawnDark })
      : { request: "svg", position: one.position, orders: one.orders, map: game.of.map, rules,
        lenient: true, dark: drawnDark };
    const found = await lab.ask(asked);
    if (game?.phases[at] !== one) return;
    const text = found.answer?.svg ?? found.answer?.phases[0].svg;
    if (text) show(part("phase-picture"), picture(text));
    else showError("phase-picture", found.error ?? { message: "The rules have changed: judge again." });
  }

  const step = (by) => lab.pressed(() => turn(at + by));
  const nextDifference = () => {
    const { length } = game.phases;
    for (let by = 1; by <= length; by += 1) {
      if (game.phases[(at + by) % length].status === "differs") return turn((at + by) % length);
    }
    return null;
  };
  const load = async () => {
    const { phase, position, orders } = game.phases[at];
    const { map } = game.of;
    lab.state.change({ position, orders: sheetOf(orders, await lab.titlesOn(map)), map });
    lab.tell(`${phase} is on the board.`);
  };
  const keys = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  part("game").addEventListener("keydown", (event) => {
    const by = keys[event.key];
    if (by === undefined || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    const inList = part("phases").contains(event.target);
    step(by)();
    if (inList) focus();
  });

  const take = opener(lab, (text, name) => open(text, name));
  openFiles("open-game", part("games"), take);
  const actions = {
    "game-sample": () => open(SAMPLE, "two-years.txt"),
    "game-paste": () => open(part("game-text").value, "pasted text"),
    "game-again": () => judge(),
    "game-next": nextDifference, "game-load": load, "game-back": step(-1), "game-on": step(1),
  };
  for (const [id, action] of Object.entries(actions)) {
    part(id).addEventListener("click", lab.pressed(action));
  }
  part("game-number").addEventListener("change", lab.pressed(({ target }) =>
    open(game.text, game.name, Number(target.value) || 1)));
  lab.state.subscribe((now, before) => {
    if (now.rules !== before.rules) part("game").classList.add("old");
  });

  return {
    async step() {
      const one = game?.phases[at];
      if (one && drawnDark !== lab.isDark()) await draw(one);
    },
  };
}

// Press makes a game of some programs ten times as long as what is read of it.
function withoutMessages(text) {
  if (!text.includes('"messages"')) return text;
  const drop = (name, value) => (name === "messages" ? undefined : value);
  try {
    return text.split("\n").map((line) => line && JSON.stringify(JSON.parse(line, drop))).join("\n");
  } catch {
    return text; // it is no JSON, or not in lines: the engine reads it as it is
  }
}

function said({ status, text, reason, after }) {
  if (status === "agrees") return [make("p", {}, "Your rules judge as the record does.")];
  if (status === "skipped") return [make("p", {}, after ? `Not compared: ${reason}` : `Not compared; ${reason}.`)];
  return [
    make("p", { class: "bad" }, "Your rules judge otherwise."),
    make("dl", {}, make("dt", {}, "Record"), make("dd", {}, text.theirs),
      make("dt", {}, "Your rules"), make("dd", {}, text.ours)),
  ];
}
