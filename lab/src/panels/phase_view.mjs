// One phase of a game: how the rules and the record differ.
import { make, part, picture, show } from "../dom.mjs";
import { showError } from "../report.mjs";

// `replay(more)` makes the request for phases of the open game.
export function makePhaseView(lab, replay) {
  let shown = null; // the phase
  let isDark = null; // the theme of the picture

  // A difference has a picture of both results; the board shows the phase itself.
  async function draw() {
    const { one } = shown;
    if (one.status !== "differs") {
      show(part("phase-picture"));
      return;
    }
    isDark = lab.isDark();
    const how = { offset: one.number - 1, limit: 1, picture: true, rules: lab.rules(), dark: isDark };
    const found = await lab.ask(replay(how));
    if (shown?.one !== one) return;
    const text = found.answer?.phases[0].svg;
    if (text) show(part("phase-picture"), picture(text));
    else {
      isDark = null; // after the next judging it is drawn again
      showError("phase-picture", found.error ?? { message: "The rules have changed: judge again." });
    }
  }

  // Other judges have known deviations. It takes a while to find out which of these explain a
  // difference.
  function causeOf({ number }) {
    const place = make("p");
    const find = async () => {
      show(place, "Trying the known deviations of other judges …");
      try {
        const asked = { rules: lab.rules(), offset: number - 1, limit: 1, causes: true };
        const { answer, error } = await lab.ask(replay(asked));
        show(place, error?.message ?? causeInWords(answer.phases[0].cause));
      } catch (stop) {
        show(place, button);
        throw stop;
      }
    };
    const button = make("button", { type: "button", onclick: lab.pressed(find) }, "Look for a known cause");
    show(place, button);
    return place;
  }

  return {
    async show(one, { count }) {
      shown = { one };
      show(part("phase-name"), `${one.title} (${one.number} of ${count})`);
      show(part("phase-said"), ...said(one), one.status === "differs" ? causeOf(one) : null);
      await draw();
    },
    clear() {
      shown = null;
      for (const id of ["phase-name", "phase-said", "phase-picture"]) show(part(id));
    },
    async follow() {
      if (shown && isDark !== lab.isDark()) await draw();
    },
  };
}

const causeInWords = (cause) =>
  (cause ? `Known deviations explain the record: ${cause}.` : "No known deviation explains the record.");

function said({ status, text, reason, after }) {
  if (status === "agrees") return [make("p", {}, "Your rules judge as the record does.")];
  if (status === "skipped") return [make("p", {}, after ? `Not compared: ${reason}` : `Not compared; ${reason}.`)];
  return [
    make("p", { class: "bad" }, "Your rules give a different result."),
    make("dl", {}, make("dt", {}, "Record"), make("dd", {}, text.theirs),
      make("dt", {}, "Your rules"), make("dd", {}, text.ours)),
  ];
}
