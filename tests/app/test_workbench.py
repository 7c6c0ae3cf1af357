"""The rule lab as a workbench: nothing moves while one types, recipes and cases are shown, an
argument is settled, and a phone shows the board."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.lab_board import Board
from tests.app.lab_page import ATTACK, HELD, Lab
from tests.app.test_lab_games import DROP
from tests.browser import in_browser
from tests.checkout import ROOT
from tests.pages import page
from tools.recipes import GALLERY, text

PHONE = (390, 844)
SHIFTS = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.moved += value;
}).observe({ type: "layout-shift" });
"""
PASTE = """
const [text, where = "#orders-text .cm-content"] = arguments;
const clipboardData = new DataTransfer();
clipboardData.setData("text", text);
document.querySelector(where).dispatchEvent(
  new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
"""
SMALLEST_UNIT = """
return Math.min(...Array.from(document.querySelectorAll("#picture .unit[data-unit]"), (one) => {
  const { width, height } = one.getBoundingClientRect();
  return Math.max(width, height);
}));
"""


COPIED = """
const [done] = arguments;
(async () => {
  const [item] = await navigator.clipboard.read();
  const { width, height } = await createImageBitmap(await item.getType("image/png"));
  done([width, height]);
})();
"""


def allow(lab: Lab, folder: Path) -> None:
    """Let the page use the clipboard, and save files in a folder."""
    lab.command(
        "Browser.grantPermissions", origin=lab.address.rstrip("/"),
        permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
    )  # fmt: skip
    lab.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))


def size_of(png: bytes) -> tuple[int, int]:
    """How wide and high a PNG is."""
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


@pytest.fixture
def lab(opened: Lab) -> Iterator[Lab]:
    opened.size(1400, 900)
    opened.open()
    opened.has_choices("base")
    yield opened
    assert opened.complaints() == []


def test_the_gallery_is_what_the_cookbook_says() -> None:
    """`python -m tools.recipes` writes the gallery again."""
    assert GALLERY.read_text(encoding="utf-8") == text()
    recipes = json.loads(text())["recipes"]
    files = {path.name.partition(".")[0] for path in (ROOT / "docs/examples/cookbook").iterdir()}
    assert {one["name"] for one in recipes} == {one for one in files if not one.endswith("-map")}


@in_browser
def test_nothing_moves_while_one_types(lab: Lab) -> None:
    from selenium.webdriver import Keys

    for editor, words in (
        ("orders-text", "Germany:\n A Ruhr Supports A Belgium - Holland\n A Belgium - Holland"),
        ("rules-text", "define:\n  cuts(a, s): base and supports_given(a) > 0"),
    ):
        place = lab.show(f"#{editor} .cm-content")
        place.send_keys(Keys.CONTROL, Keys.END)
        lab.rest()
        lab.run(SHIFTS)
        for letter in words:
            place.send_keys(letter)
            lab.rest()
        assert lab.run("return window.moved") < 0.05
    assert lab.text("#fault") == ""


@in_browser
def test_a_fault_waits_for_a_pause_and_leads_to_its_line(lab: Lab) -> None:
    place = lab.show("#rules-text .cm-content")
    lab.write("rules-text", "extends: datc\n")
    lab.settle()
    place.send_keys("define: x")
    assert lab.text("#fault") == ""
    lab.appears("#fault p", "my-rules.yaml")
    lab.click("tab-games")
    lab.click_on("#fault button")
    assert lab.run("return document.activeElement.closest('#rules-text') !== null")


@in_browser
def test_a_recipe_is_drawn_before_and_after_and_loaded_by_a_click(lab: Lab) -> None:
    lab.click("tab-recipes")
    lab.appears("#recipe-count", "of 45")
    lab.wait("document.querySelector('.card .pair')?.children.length === 2")
    lab.fill("recipe-find", "among friends")
    lab.lists("#gallery .card", 1)
    lab.click_on("#gallery .card .main")
    lab.wait_for("A BUR", "stands, dislodged")
    assert "friendly-refuge" in lab.text("#rules-text .cm-content")
    lab.click("tab-recipes")
    lab.fill("recipe-find", "steady")
    lab.click_on("#gallery .card summary")
    lab.click_on("#gallery .card .word")  # a word of the language leads to what it means
    lab.appears("#word-list dt", "cuts")


@in_browser
def test_a_case_is_shown_with_its_stated_and_its_actual_results(lab: Lab) -> None:
    lab.fill("case", "6.A.11")
    lab.click("load-case")
    lab.appears("#case-said h3", "6.A.11: ")
    lab.appears("#case-said .ok", "as the DATC states")
    lab.lists("#case-said tbody .ok", 2)
    lab.click("case-after")
    lab.appears("#case-said h3", "6.A.12: ")
    lab.click("case-before")
    lab.appears("#case-said h3", "6.A.11: ")
    lab.write("rules-text", "extends: datc\ndecisions: {dislodge(u): false}\n")
    lab.vanishes("#case-said *")


@in_browser
def test_an_argument_is_settled_by_pasted_orders_and_a_link(lab: Lab, tmp_path: Path) -> None:
    lab.click("to-dispute")
    lab.run(PASTE, f"{ATTACK}\n")
    lab.appears("#sentence", "F TRI is dislodged: A VEN - TRI succeeds: nothing stops it")
    lab.appears("#rule", "DATC 3.0 5.B.")
    assert not lab.run("return document.querySelector('#places').checkVisibility()")
    lab.click_on("#verdicts tr[data-unit='A VEN'] .order")
    lab.appears("#sentence", "A VEN - TRI succeeds")
    lab.click("post-link")
    lab.wait("location.hash.length > 2")
    link = lab.browser.current_url
    lab.open(link)
    lab.appears("#sentence", "A VEN - TRI succeeds")
    lab.click("to-lab")
    assert lab.run("return document.querySelector('#places').checkVisibility()")


MISSPELT = "Austria:\n A Viena - Galicia\n F Trieste - Albania\nRussia: A Warsaw - Galicia\n"
SLOW = """
window.ask = fetch;
window.held = [];
window.go = () => held.splice(0).forEach((one) => one());
window.fetch = (...given) => new Promise((one) => { held.push(one); }).then(() => ask(...given));
"""


@in_browser
def test_a_dispute_is_always_about_the_orders_on_the_board(lab: Lab, tmp_path: Path) -> None:
    lab.browser.set_script_timeout(20)
    allow(lab, tmp_path)
    lab.click("to-dispute")
    lab.appears("#sentence", "A BRE - LON fails")
    lab.run(PASTE, MISSPELT)
    lab.appears("#sentence", "did you mean Vienna?")
    assert lab.text("#h-why") == "Why: A Viena - Galicia"
    lab.click("post-picture")
    lab.appears("#status", "The picture is copied.")
    lab.click("post-link")
    lab.appears("#status", "The link is copied.")
    lab.open(lab.browser.current_url)
    lab.appears("#sentence", "did you mean Vienna?")
    lab.click_on("#verdicts tr[data-unit='A WAR'] .order")
    lab.appears("#sentence", "A WAR - GAL succeeds")
    lab.click_on("#verdicts tr[data-unit=''] .order")
    lab.appears("#sentence", "did you mean Vienna?")
    lab.run(PASTE, "Germany:\n A Foo - Bar\n A Munich - London\n")
    lab.appears("#sentence", "MUN does not border LON")
    lab.click("clear")
    lab.wait("document.querySelector('#why').hidden")


@in_browser
@pytest.mark.parametrize("refused", ["Winter 1901 Adjustment\nFrance:\n Build A Bre\n", "no\n" * 9])
def test_an_answer_from_before_a_refused_sheet_is_marked_and_not_passed_on(
    lab: Lab, refused: str
) -> None:
    lab.click("to-dispute")
    lab.appears("#sentence", "A BRE - LON fails")
    lab.run(PASTE, refused)
    lab.appears("#fault p")
    lab.rest()
    assert lab.is_old("why")
    assert lab.count("#why button:disabled") == 3
    lab.run(PASTE, ATTACK)
    lab.appears("#sentence", "F TRI is dislodged")
    assert not lab.is_old("why")
    assert lab.count("#why button:disabled") == 0


@in_browser
def test_a_page_that_is_busy_for_long_says_so_and_marks_what_it_shows(lab: Lab) -> None:
    lab.click("to-dispute")
    lab.appears("#sentence", "A BRE - LON fails")
    lab.rest()
    lab.run(SLOW)
    lab.run(PASTE, ATTACK)
    for told in ("Reading the text …", "Judging …"):
        lab.appears("#status", told)
        for name in ("board", "panels", "why"):
            assert lab.is_old(name)
        lab.run("go()")
    lab.run("fetch = ask; go()")
    lab.appears("#status", "S1901M")
    lab.wait("!document.querySelector('#board.old, #panels.old, #why.old')")


@in_browser
def test_what_a_button_has_done_is_told_beside_a_fault_until_another_panel_is_shown(
    lab: Lab, tmp_path: Path
) -> None:
    allow(lab, tmp_path)
    lab.write("rules-text", "extends: dact\n")
    lab.appears("#fault p", "dact")
    lab.rest()
    told = lab.text("#status")
    hidden = "getComputedStyle(document.querySelector('#fault')).visibility === 'hidden'"
    lab.click("share")
    lab.appears("#status", "The link is copied.")
    assert lab.run(f"return {hidden}")
    lab.wait(f"!({hidden})")
    lab.click("tab-games")
    assert lab.text("#status") == told


@in_browser
def test_pictures_of_a_ruling_and_of_the_board_are_copied_and_saved(
    lab: Lab, tmp_path: Path
) -> None:
    lab.browser.set_script_timeout(20)
    allow(lab, tmp_path)
    lab.click("to-dispute")
    lab.appears("#sentence", "A BRE - LON fails")
    for copy, save, name in (
        ("post-picture", "post-png", "ruling.png"), ("copy-picture", "save-picture", "board.png"),
    ):  # fmt: skip
        lab.click(copy)
        lab.appears("#status", "The picture is copied.")
        wide, high = lab.browser.execute_async_script(COPIED)
        assert min(wide, high) > 600
        lab.click(save)
        lab.appears("#status", f"{name} is saved.")
        end = time.monotonic() + 20
        while not (tmp_path / name).exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        assert size_of((tmp_path / name).read_bytes()) == (wide, high)


@in_browser
def test_orders_are_pasted_by_a_button_or_wherever_the_focus_is(lab: Lab, tmp_path: Path) -> None:
    allow(lab, tmp_path)
    lab.browser.execute_async_script(
        "navigator.clipboard.writeText(arguments[0]).then(arguments[1])", ATTACK
    )
    lab.size(*PHONE, mobile=True)
    lab.click("to-dispute")
    lab.click("paste-now")
    lab.appears("#sentence", "F TRI is dislodged")
    assert lab.run("return document.querySelector('#panels').scrollTop") == 0
    lab.run(PASTE, ATTACK.replace("A Tyr S A Ven - Tri", "A Tyr H"), "#stage")
    lab.wait_for("F TRI", "stands")


@in_browser
def test_a_field_takes_what_a_browser_keeps_from_the_button(lab: Lab) -> None:
    lab.command(
        "Browser.setPermission", origin=lab.address.rstrip("/"),
        permission={"name": "clipboard-read"}, setting="denied",
    )  # fmt: skip
    lab.size(*PHONE, mobile=True)
    lab.click("to-dispute")
    lab.appears("#sentence", "A BRE - LON fails")
    lab.click("paste-now")
    lab.wait("document.activeElement.placeholder === 'Paste here'")
    lab.run("document.execCommand('insertText', false, arguments[0])", "Italy: A Ven - Tri")
    lab.wait_for("A VEN", "succeeds")
    assert lab.run("return document.activeElement.id") == "paste-now"
    assert not lab.run("return document.querySelector('#paste-here').checkVisibility()")


@in_browser
def test_the_rules_that_judge_are_named_beside_the_verdicts(lab: Lab) -> None:
    lab.click("to-dispute")
    assert lab.text("#judged-by") == "Rules: datc"
    lab.open(lab.link(orders=ATTACK, rules="extends: datc\nname: hearth\n"))
    assert lab.text("#judged-by") == "House rules: hearth"
    lab.open(lab.link(orders=ATTACK, rules="extends: datc\ntitle: My rules\n"))
    assert lab.text("#judged-by") == "Rules: datc"


@in_browser
def test_a_dispute_in_a_retreat_or_a_winter_is_explained(lab: Lab) -> None:
    lost = {"RUSSIA": ["A VIE"], "GERMANY": ["A BUD"]}
    retreat = {
        "phase": "F1901R", "units": {"AUSTRIA": ["A WAR", "A SER"]}, "dislodged": lost,
        "retreats": {"RUSSIA": {"A VIE": ["GAL", "BOH"]}, "GERMANY": {"A BUD": ["RUM", "GAL"]}},
    }  # fmt: skip
    orders = "Russia: A VIE - GAL\nGermany: A BUD - GAL\n"
    lab.open(lab.link(position=retreat, orders=orders, page="dispute", about="A VIE"))
    lab.appears("#sentence", "fails: A BUD retreats there too, so both are disbanded")
    lab.appears("#rule", "retreat_succeeds (rules/datc.yaml)")
    lab.appears("#owed", "Russia: A VIE may retreat to BOH, GAL, or disband.")
    winter = {
        "phase": "W1901A", "units": {"ITALY": ["A VEN", "A TYR", "F ADR"], "AUSTRIA": ["F TRI"]},
        "centers": {"ITALY": ["VEN", "ROM"], "AUSTRIA": ["TRI", "SER"]},
    }  # fmt: skip
    orders = "Austria: A SER B\n"
    lab.open(lab.link(position=winter, orders=orders, page="dispute"))
    lab.appears("#sentence", "cannot build in Serbia: ")
    lab.appears("#rule", "build_where")
    lab.click_on("#verdicts tr[data-power=ITALY] .order")
    lab.appears("#sentence", "not enough disbands ordered")
    lab.appears("#rule", "Removing a unit in civil disorder (DATC 3.0 4.D.8)")
    lab.appears("#owed", "(2 centres, 3 units).")


@in_browser
def test_the_line_above_the_panels_says_what_a_change_has_changed_and_what_is_wrong(
    lab: Lab,
) -> None:
    lab.write("orders-text", ATTACK)
    lab.wait_for("F TRI", "stands, dislodged")
    lab.write("orders-text", ATTACK.replace("A Tyr S A Ven - Tri", "A Tyr H"))
    lab.appears("#status", "F TRI H: stands.")
    lab.size(*PHONE, mobile=True)
    lab.write("rules-text", "extends: dact\n")
    lab.appears("#fault p", "dact")
    heights = lab.run(
        "return ['#line', '#fault p'].map((one) => document.querySelector(one)"
        ".getBoundingClientRect().bottom)"
    )
    assert heights[1] <= heights[0]  # beside the button, not below it


@in_browser
def test_a_game_that_is_dropped_on_the_page_is_stepped_through_beside_its_orders(lab: Lab) -> None:
    lab.click("to-dispute")
    lab.run(DROP, "#picture", "two-years.txt", page("docs/examples/two-years.txt"))
    lab.wait("document.querySelector('#game-phase').options.length === 7")
    lab.wait_for("A BUD", "succeeds")
    lab.click("game-on")
    lab.appears("#status", "F1901M")


@in_browser
def test_an_open_game_follows_the_board_to_the_next_phase(lab: Lab) -> None:
    lab.click("game-sample")
    lab.lists("#phases li", 7)
    lab.settle()
    shown = "document.querySelector('#game-phase').selectedOptions[0]?.textContent"
    current = "document.querySelector('#phases [aria-current]')?.textContent"
    lab.wait(f"{current} === 'S1901M'")
    for phase, title in (("F1901M", "Fall 1901"), ("W1901A", "Winter 1901")):
        lab.click("next")
        lab.appears("#status", phase)
        lab.wait(f"{shown}.startsWith(arguments[0]) && {current} === arguments[1]", title, phase)
    lab.choose("map", "pure")
    lab.click("set-up")  # no phase of the game
    lab.wait(f"{current} === undefined && {shown} === undefined")
    for _ in range(2):
        lab.click("undo")
    lab.wait(f"{current} === 'W1901A'")


FILLED = """(({ width, height }, { clientWidth, clientHeight }) =>
clientWidth === innerWidth && Math.abs(width / height - clientWidth / clientHeight) < 0.01)(
document.querySelector("#picture > svg").viewBox.baseVal, document.querySelector("#picture"))"""
VIEW = "return document.querySelector('#picture > svg').viewBox.baseVal.width"


@in_browser
def test_nothing_covers_the_units_around_which_the_board_is_fitted(lab: Lab) -> None:
    for width in (1400, 390):
        lab.size(width, 844, mobile=width < 900)
        lab.rest()
        lab.wait(FILLED if width < 900 else "true")
        lab.click_on("#verdicts tr[data-unit='F WAL'] .order")
        lab.appears("#view", "F WAL - ENG")
        lab.rest()
        lab.click_on("#zoom button:last-child")
        seen = lab.run("""
            const edge = (id) => document.getElementById(id).getBoundingClientRect();
            const boxes = Array.from(document.querySelectorAll("#picture .unit:not(.others)"),
              (one) => one.getBoundingClientRect());
            return [edge("view").bottom, ...boxes.map(({ top }) => top),
              ...boxes.map(({ bottom }) => bottom), edge("zoom").top];""")
        assert seen[0] <= min(seen[1:-1])
        assert max(seen[1:-1]) <= seen[-1]


@in_browser
def test_two_fingers_zoom_the_whole_map_wherever_they_are(lab: Lab) -> None:
    def touch(kind: str, *points: tuple[float, float]) -> None:
        named = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        lab.command("Input.dispatchTouchEvent", type=kind, touchPoints=named)

    lab.command("Emulation.setTouchEmulationEnabled", enabled=True)
    lab.size(*PHONE, mobile=True)
    try:
        lab.rest()
        lab.wait(FILLED)
        for aside in (0, -60):  # on a unit, and beside it
            board = Board(lab)
            width = lab.run(VIEW)
            box = board.unit("A BRE").rect
            x, y = box["x"] + box["width"] / 2 + aside, box["y"] + box["height"] / 2
            touch("touchStart", (x, y))
            touch("touchStart", (x, y), (x + 40, y))
            for far in (60, 80, 100):
                touch("touchMove", (x, y), (x + far, y))
            touch("touchEnd")
            assert lab.run(VIEW) < width / 2
            assert lab.count("#picture .drag, #menu *") == 0
    finally:
        lab.command("Emulation.setTouchEmulationEnabled", enabled=False)


@in_browser
def test_another_map_offers_its_start(lab: Lab) -> None:
    lab.has_choices("map")
    lab.choose("map", "pure")
    lab.appears("#offer", "You chose another map: Pure. Set up its start")
    lab.click_on("#offer .main")
    lab.lists("#picture .unit", 7)
    lab.appears("#status", "S1901M: no orders yet.")
    assert lab.run("return document.querySelector('#offer').hidden")


@in_browser
def test_on_a_phone_the_board_fills_the_screen_and_units_are_large_enough(lab: Lab) -> None:
    lab.size(*PHONE, mobile=True)
    lab.click("set-up")
    lab.lists("#picture .unit", 22)
    lab.click("grip")  # full
    lab.click("grip")  # low
    lab.wait("document.querySelector('#side').dataset.size === 'low'")
    box = lab.run("return document.querySelector('#picture > svg').getBoundingClientRect()")
    assert box["width"] == PHONE[0]
    assert box["height"] > 0.75 * PHONE[1]
    assert lab.run(SMALLEST_UNIT) >= 24
    assert not lab.run("return document.querySelector('#orders-text').checkVisibility("
                       "{ visibilityProperty: true })")  # fmt: skip
    lab.click("tab-rules")
    lab.wait("document.querySelector('#side').dataset.size === 'half'")
    Board(lab)
    assert lab.run("return document.documentElement.scrollHeight") <= PHONE[1]
    width = "return document.querySelector('#places').scrollWidth"
    assert lab.run(width) <= PHONE[0]  # every tab is seen without a swipe


@in_browser
def test_the_effect_of_rules_is_shown_where_they_are_written(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.write("rules-text", HELD)
    lab.appears("#effect", "2 of 3 results differ from datc")
    assert lab.text("#tab-compare") == "Compare"
    assert lab.run("return document.querySelector('#tab-compare').dataset.badge") == "2"
    lab.click_on("#effect button")
    lab.lists("#compared-pictures img", 2)
