// The house rules of the cookbook. Each has a board on which it changes something, drawn before and
// after the change, and a click loads it.
import { make, part, show } from "../dom.mjs";
import { boardsOf } from "../pair.mjs";
import { isShown, showPanel } from "../tabs.mjs";

export function openRecipes(lab) {
  let cards = null; // { recipe, element, pictures } of each, once the panel is open
  let queue = Promise.resolve(); // pictures are drawn one at a time, so that the board need not wait for many

  async function fill() {
    if (cards) return;
    const { recipes } = await (await fetch("recipes.json")).json();
    cards = recipes.map(cardOf);
    filter();
  }

  function cardOf(recipe) {
    const pictures = make("div", { class: "pair" });
    const take = make("button", { type: "button", class: "main", "data-recipe": recipe.name, onclick: () => load(recipe) }, "Try it");
    const rules = make("details", {}, make("summary", {}, "The rule file"), make("pre", {}, recipe.state.rules),
      ...recipe.text.map((text) => make("p", { class: "hint" }, ...linked(text))));
    const head = make("div", { class: "head" }, make("h4", {}, recipe.title), take);
    const element = make("article", { class: "card" }, head, make("p", {}, recipe.idea), pictures, rules);
    seen.observe(element);
    return { recipe, element, pictures };
  }

  // Words of the rule language are links to their meanings.
  const linked = (text) => text.split(/(`[^`]+`)/).map((word) => {
    if (!word.startsWith("`")) return word;
    const bare = word.slice(1, -1);
    const name = bare.replace(/\(.*/, "");
    const meaning = lab.words.get(name);
    return meaning ? make("button", { type: "button", class: "order word", title: meaning.text,
      onclick: () => lab.showWord(name) }, make("code", {}, bare)) : make("code", {}, bare);
  });

  function load({ title, state }) {
    lab.state.change({ map: null, position: null, variant: null, compare: [], ...state });
    showPanel("rules");
    lab.tell(`${title} is loaded: the board shows what it changes.`);
  }

  function filter() {
    const wanted = part("recipe-find").value.trim().toLowerCase();
    const found = cards.filter(({ recipe }) =>
      `${recipe.section} ${recipe.title} ${recipe.idea} ${recipe.state.rules}`.toLowerCase().includes(wanted));
    const parts = [];
    let section = null;
    for (const { recipe, element } of found) {
      if (recipe.section !== section) parts.push(make("h3", {}, section = recipe.section));
      parts.push(element);
    }
    show(part("gallery"), ...parts);
    show(part("recipe-count"), `${found.length} of ${cards.length} house rules`);
  }

  // Pictures are drawn when their cards come into view.
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const card = cards?.find(({ element }) => element === target);
      if (!isIntersecting || !card || card.pictures.hasChildNodes()) continue;
      queue = queue.then(() => (isShown("recipes") ? draw(card) : null)).catch(() => {});
    }
  }, { root: part("panels"), rootMargin: "200px" });

  async function draw({ recipe, pictures }) {
    if (pictures.hasChildNodes()) return;
    const { rules, orders, position, map, compare = [] } = recipe.state;
    const board = { request: "svg", orders, lenient: true, rules: compare[0] ?? { text: rules }, dark: lab.isDark(), seconds: 20 };
    if (position) board.position = position;
    if (map) board.map = map.includes("\n") ? { text: map, name: "map.yaml" } : map;
    const both = { ...board, what: "comparison", other: { text: rules, name: `${recipe.name}.yaml` } };
    const found = await lab.ask(compare.length ? both : { ...board, what: "outcome" });
    if (found.error) show(pictures, make("p", { class: "hint" }, found.error.message));
    else show(pictures, ...boardsOf(found.answer.svg, compare.length ? [`Before: ${compare[0]}`, "After"] : ["With this rule"]));
  }

  part("recipe-find").addEventListener("input", () => cards && filter());
  part("panel-recipes").addEventListener("shown", lab.pressed(fill));
  return {};
}
