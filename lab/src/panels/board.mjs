// The panel of the board: the picture that the engine draws, on which readers order, add and remove
// units.
import { make, part, picture, show } from "../dom.mjs";
import { meant, provinceOf } from "../legal.mjs";
import { isAwaited, showError } from "../report.mjs";
import { withOrder, withoutOrder } from "../sheet.mjs";
import { asksAnew } from "../state.mjs";
import { ownersIn, without, withOwner, withUnit } from "../units.mjs";
import { makeBoardMenu } from "./board_menu.mjs";
import { followPointer } from "./board_pointer.mjs";
import { nameUnits, openKeys } from "./keys.mjs";

const placeOf = (unit) => unit.split(" ").at(-1);

export function openBoard(lab) {
  const place = part("picture");
  const menu = makeBoardMenu(part("menu"), part("stage"));
  let shown = "";
  let drawn = null; // the request whose board is shown
  let isUndecided = false; // whether the rules leave a decision cycle open: there is no outcome
  let view = null; // shown instead of the outcome: its title and the request for `svg`

  // --- what stands and what is ordered ---

  const ordered = () => lab.outcome?.orders ?? [];
  const orderOf = ({ unit, power }) =>
    ordered().find((one) => one.unit === unit && one.power === power);

  // The order in the text that a new order for `unit` replaces. A build replaces any other in its
  // province.
  function oldOf(unit, power, province) {
    const own = ordered().filter((one) => one.power === power && one.submitted);
    const isBuild = province !== null;
    const same = (one) => (isBuild ? provinceOf(placeOf(one.unit)) === province : one.unit === unit);
    return own.find(same)?.submitted ?? null;
  }

  function unitIn(province) {
    const found = Array.from(place.querySelectorAll(".unit[data-unit]:not(.built)"), unitOf);
    const there = found.filter(({ unit }) => provinceOf(placeOf(unit)) === province);
    return there.find(({ isLost }) => isLost === lab.isRetreat()) ?? there[0] ?? null;
  }

  function unitOf(element) {
    const { unit, power } = element.dataset;
    return { unit, power, isLost: element.classList.contains("lost") };
  }

  // The legal orders of a unit, or the builds in a province. The engine is asked by name: the
  // winner of a battle may have the same name as the loser, but only the loser retreats.
  async function legal(unit, isLost = false) {
    if (lab.isRetreat() && !isLost) return [];
    const found = await lab.ask(lab.onBoard("legal-orders", { unit }));
    return found.answer?.units[unit] ?? [];
  }

  // --- what the reader does ---

  async function write(power, order, old) {
    const { powers } = await lab.map();
    const named = powers?.[power] ?? { name: power };
    lab.state.change({ orders: withOrder(lab.state.now.orders, named, old, order) });
  }

  const withdraw = (old) => lab.state.change({ orders: withoutOrder(lab.state.now.orders, old) });

  // Who owns a supply centre, which only a position says, and how to change that.
  function owning(province, map) {
    const { position } = lab.state.now;
    if (!position || !province?.supply) return null;
    return {
      powers: Object.values(map.powers), now: ownerOf(province.code, map),
      change: (owner) => lab.state.change(withOwner(lab.state.now, province.code, owner, map)),
    };
  }

  // The power that owns a supply centre, "" if nobody does, null if the owner is unknown.
  function ownerOf(code, map) {
    const { centers, unknown } = ownersIn(lab.state.now.position, map);
    if (unknown.includes(code)) return null;
    return Object.entries(centers).find(([, own]) => own.includes(code))?.[0] ?? "";
  }

  async function offer({ unit, power, isLost = lab.isRetreat() }) { // a row of verdicts is a retreat
    const orders = await legal(unit, isLost);
    const old = oldOf(unit, power, null);
    const map = await lab.map();
    const province = map.provinces?.[provinceOf(placeOf(unit))];
    const isMovement = lab.outcome?.phase.endsWith("M");
    menu.unit({
      unit, power: lab.titleOf(power), orders, province,
      why: orderOf({ unit, power }) && !isAwaited(orderOf({ unit, power })) ? () => lab.showWhy({ unit }) : null,
      current: orderOf({ unit, power })?.order,
      owning: owning(province, map),
      at: elementOf({ unit, power }),
      choose: (order) => write(power, order, old),
      withdraw: old && (lab.state.now.position || !isMovement) ? () => withdraw(old) : null,
      remove: () => lab.state.change(without(lab.state.now, { unit, power, isLost }, old)),
      replace: isLost ? null : async (other) => {
        const { powers } = await lab.map();
        const left = { ...lab.state.now, ...without(lab.state.now, { unit, power, isLost }, old) };
        lab.state.change({ ...left, ...withUnit(left, other, powers[power]) });
      },
    });
  }

  // Offers builds or units to add in a province without a unit that can be ordered.
  async function offerProvince(code, point) {
    const map = await lab.map();
    const province = map.provinces?.[code];
    if (!province) return;
    const builds = lab.outcome?.phase.endsWith("A") ? await legal(code) : [];
    if (builds.length) {
      const owner = ownerOf(code, map);
      const old = oldOf(null, owner, code);
      menu.builds({
        province, orders: builds, point, owning: owning(province, map), current: old && ordered().find((one) => one.submitted === old).order,
        choose: (order) => write(owner, order, old),
        withdraw: old ? () => withdraw(old) : null,
      });
      return;
    }
    menu.add({
      province, point, powers: Object.values(map.powers), owning: owning(province, map),
      add: (unit, name) => lab.state.change(withUnit(lab.state.now, unit, map.powers[name])),
    });
  }

  // After a drag, the order that it most likely means is given at once, and its other possible
  // meanings are offered.
  async function drop(element, code, wish, point) {
    const held = unitOf(element);
    const orders = await legal(held.unit, held.isLost);
    const there = unitIn(code);
    const coming = ordered().filter(({ order, unit }) => order.startsWith(`${unit} - ${code}`));
    const isOwn = ({ power }) => power === held.power;
    const situation = {
      there: there && { ...there, order: orderOf(there)?.order },
      coming: [...coming.filter(isOwn), ...coming.filter((one) => !isOwn(one))]
        .map(({ unit }) => unit).filter((unit) => unit !== held.unit),
      wish,
    };
    const { order, others } = meant(orders, held, code, situation);
    const old = oldOf(held.unit, held.power, null);
    if (order) await write(held.power, order, old);
    else pointer.forget();
    if (order && others.length === 1) return;
    const now = order ?? old; // the order that the next choice replaces
    menu.dropped({
      ...held, province: (await lab.map()).provinces?.[code]?.name ?? code, point,
      orders: others.length ? others : orders, isAbout: others.length > 0, current: order,
      choose: (other) => write(held.power, other, now),
    });
  }

  // What a click on a province does, also if it was chosen by name.
  const visit = (code, point) => (unitIn(code) ? offer(unitIn(code)) : offerProvince(code, point));

  // A unit to be built is an order of its province.
  async function pick(element, at) {
    const { unit } = element.dataset;
    if (element.classList.contains("built")) await offerProvince(provinceOf(placeOf(unit)), at);
    else await offer(unitOf(element));
  }

  const pointer = followPointer(place, {
    click: lab.pressed(async (element, code, point) => {
      if (element) await pick(element, point);
      else if (code === null) menu.close();
      else await visit(code, point);
    }),
    drop: lab.pressed(drop),
    press: () => menu.close(),
  });

  // --- the picture ---

  const elementOf = ({ unit, power }) =>
    Array.from(place.querySelectorAll(".unit")).find((one) =>
      one.dataset.unit === unit && one.dataset.power === power) ?? place;

  openKeys(place, lab.pressed((element) => pick(element, element)));
  part("to-province").addEventListener("click", lab.pressed(async ({ target }) => {
    const { provinces = {} } = await lab.map();
    menu.province({ provinces: Object.values(provinces), at: target,
      choose: lab.pressed((code) => visit(code, target)) });
  }));

  // Draws the outcome, or the view in its place. An answer that is no longer wanted is not shown.
  async function draw(isOld) {
    const [wanted, board] = [view, lab.judged];
    const asked = wanted?.asked ?? { what: isUndecided || isOpen() ? "position" : "outcome" };
    const found = await lab.ask({ ...board, request: "svg", ...asked, dark: lab.isDark() });
    if (isOld() || view !== wanted) return;
    nameView();
    drawn = board;
    if (found.error) {
      shown = "";
      showError("picture", found.error);
    } else if (found.answer.svg !== shown) {
      shown = found.answer.svg;
      const drawn = picture(shown);
      nameUnits(drawn, lab.outcome, lab.titleOf);
      show(place, drawn);
    } else pointer.forget();
  }

  // Whether there are no orders yet in a phase in which units without an order are disbanded.
  const isOpen = () => ordered().length > 0 && ordered().every(isAwaited);

  function nameView() {
    const back = make("button", { type: "button", id: "back", onclick: lab.pressed(() => look(null)) },
      "Back to the outcome");
    show(part("view"), ...(view ? [make("p", {}, view.title), back] : []));
    part("board").classList.toggle("looking", view !== null);
    for (const told of watchers) told(view);
  }

  // Shows a view instead of the outcome until the state changes; null shows the outcome again.
  async function look(wanted) {
    menu.close();
    view = wanted;
    await draw(() => false);
  }

  const watchers = [];
  lab.state.subscribe((now, before) => {
    if (!asksAnew(now, before)) return;
    menu.close();
    view = null;
  });

  return {
    offer,
    look,
    // Calls a function with each view shown, or null for the outcome.
    watch: (told) => watchers.push(told),
    async step({ error }, isOld) {
      const isFault = error && error.kind !== "UnresolvedError";
      if (isFault && drawn === lab.judged) return;
      if (!isFault) isUndecided = Boolean(error);
      await draw(isOld); // after a fault, the board stays like the verdicts
    },
  };
}
