// The page for a dispute: the board, the orders, and why one of them has its result. It is the lab
// without the parts that an argument does not need.
import { part } from "../dom.mjs";
import { copyPng, savePng } from "../posting.mjs";
import { raise, showPanel } from "../tabs.mjs";

export function openDispute(lab) {
  const { state } = lab;
  const follow = ({ page }) => {
    const next = page === "dispute" ? "dispute" : "lab";
    if (next === document.body.dataset.page) return;
    document.body.dataset.page = next;
    if (next === "lab") {
      part("why").before(part("sheet"));
      return;
    }
    part("panel-orders").append(part("sheet")); // the answer comes first
    showPanel("orders");
    raise();
  };
  follow(state.now);
  state.subscribe(follow);
  const ruling = () => {
    const unit = state.now.about;
    return lab.outcome?.orders.some((one) => one.unit === unit) ? { what: "explanation", unit } : {};
  };
  const isDispute = () => state.now.page === "dispute";

  // A browser that keeps its clipboard from the page lets readers paste into a field.
  const field = part("paste-here");
  const offerField = (isOffered) => {
    if (document.activeElement === field) part("paste-now").focus();
    field.value = "";
    field.hidden = !isOffered;
    part("paste-how").hidden = isOffered;
    if (isOffered) field.focus();
  };
  field.addEventListener("input", () => lab.pressed(take)(field.value));

  // Several pasted lines replace all orders; a game is opened.
  const take = async (text) => {
    offerField(false);
    await lab.takeText(text, "pasted text");
    part("panels").scrollTop = 0;
  };
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!isDispute() || event.target === field || !text.trim().includes("\n")) return;
    event.preventDefault();
    event.stopPropagation();
    lab.pressed(take)(text);
  }, true);

  const actions = {
    "to-dispute": () => {
      state.look({ page: "dispute" });
      part("panels").scrollTop = 0;
      return lab.explain();
    },
    "to-lab": () => state.look({ page: "lab" }),
    "paste-now": async () => {
      const text = await navigator.clipboard?.readText().catch(() => {});
      if (text) await take(text);
      else offerField(true);
    },
    "post-link": () => lab.share({ page: "dispute" }),
    "post-png": () => savePng(lab, "ruling.png", ruling()),
    "post-picture": () => copyPng(lab, "ruling.png", ruling()),
  };
  for (const [id, action] of Object.entries(actions)) {
    part(id).addEventListener("click", lab.pressed(action));
  }
}
