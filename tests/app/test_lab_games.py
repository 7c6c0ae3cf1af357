"""The rule lab in a real browser: searches, saved games and files, with both engines.

The tests share a page, which is opened once.
"""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.app.lab_page import HELD, Lab
from tests.app.lab_site import site as site
from tests.app.test_lab_in_browser import on_the_server, opened as opened
from tests.browser import in_browser

HOLDING = "Italy:\n A Ven H\n A Tyr H\nAustria:\n F Tri H\n"
ORDERED = {"GERMANY": ["A BER - KIE VIA"]}
VIA: dict[str, Any] = {
    "id": "via",
    "map": "standard",
    "phases": [
        {"name": name, "state": {"units": {"GERMANY": [unit]}, "centers": {}}, "orders": orders}
        for name, unit, orders in (("S1901M", "A BER", ORDERED), ("F1901M", "A KIE", {}))
    ],
}
DROP = """
const [place, name, text] = arguments;
const dataTransfer = new DataTransfer();
dataTransfer.items.add(new File([text], name));
const target = document.querySelector(place);
for (const kind of ["dragover", "drop"]) {
  target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
}
"""
SAVED = """
const [id, done] = arguments;
const { createObjectURL } = URL;
URL.createObjectURL = (blob) => {
  URL.createObjectURL = createObjectURL;
  blob.text().then(done);
  return createObjectURL.call(URL, blob);
};
document.getElementById(id).click();
"""


@pytest.fixture(scope="module")
def page(opened: Lab) -> Lab:
    opened.open()
    opened.has_choices("search-other")
    return opened


def press(page: Lab, *names: str) -> None:
    """Press buttons one after another, in one step."""
    page.run("for (const id of arguments) document.getElementById(id).click()", *names)


def search(page: Lab) -> str:
    """Search, and read the verdict or the error."""
    press(page, "search-run")
    page.wait("!document.querySelector('#search-run').disabled")
    return page.text("#found p")


def marks(page: Lab) -> dict[str, str]:
    """Phase -> how the list of phases marks it."""
    rows = page.run(
        "return Array.from(document.querySelectorAll('#phases button')).map((one) => "
        "[one.firstChild.textContent, one.querySelector('.mark')?.textContent.trim() ?? ''])"
    )
    return dict(rows)


def hold_all(page: Lab) -> None:
    """Let all three units hold, whatever another test has left."""
    page.write("orders-text", HOLDING)
    page.wait_for("A VEN", "stands")


@in_browser
def test_orders_that_a_search_finds_are_loaded(page: Lab) -> None:
    hold_all(page)
    page.choose("search-question", "achieve")
    page.write("goal-text", "dislodgd(TRI)")
    assert "dislodged" in search(page)
    assert page.text("#goal-text .cm-lintRange-error") == "dislodgd"
    # Only both armies of Italy together can dislodge the fleet.
    page.write("goal-text", "dislodged(TRI)")
    page.click("open-some")
    page.click_on('#open-list [value="A VEN"]')
    assert search(page).startswith("Impossible")
    page.click_on("#open-list [value=ITALY]")
    assert search(page).startswith("Found")
    assert page.count("#found svg .unit") == 3
    press(page, "load-found")
    page.wait_for("F TRI", "stands, dislodged")
    assert "A VEN" in page.text("#orders-text .cm-content")


@in_browser
def test_other_questions_are_answered(page: Lab) -> None:
    hold_all(page)
    page.choose("search-question", "guarantee")
    page.click("open-all")
    page.write("goal-text", "dislodged(TRI)")
    page.choose("search-power", "ITALY")
    assert search(page).startswith("Impossible")  # the fleet can leave
    page.write("goal-text", "not dislodged(VEN)")
    assert search(page).startswith("Found")  # a fleet alone dislodges nobody
    page.choose("search-question", "differ")
    page.choose("search-other", "datc")
    assert search(page).startswith("Impossible")
    page.choose("search-question", "paradox")
    assert search(page).startswith("Found")  # three neighbours can go round in a circle
    page.choose("search-kind", "Szykman")
    assert search(page).startswith("Impossible")  # there is no convoy
    page.choose("search-question", "hold")
    assert search(page).startswith("Holds")
    page.write("line-text", "units: [A CON]\nprotect: [ANK]\nenemies: {}\n")
    assert "enemies" in search(page)
    page.appears("#line-text .cm-lint-marker-error")


@in_browser
def test_lines_are_found_and_loaded_to_be_changed(page: Lab) -> None:
    page.choose("search-question", "lines")
    page.fill("search-centres", "ANK, CON, SMY\t")
    page.choose("search-shown", "all")
    assert search(page).startswith("Found")
    assert "2 lines of 6 units hold" in page.text("#found")
    assert "F ANK S F BLA" in page.text("#found tbody tr:first-child")
    assert "F SMY S F AEG" in page.text("#found tbody tr:last-child")
    assert page.count("#found tbody tr") == 2
    assert page.count("#found svg .unit") == 6
    press(page, "load-found")
    page.wait_for("F ANK", "given")
    assert search(page).startswith("Holds")  # loading it asks that


@in_browser
def test_stopped_search_leaves_everything_as_it_was(page: Lab) -> None:
    hold_all(page)
    page.choose("search-question", "achieve")
    page.write("goal-text", "not dislodged(VEN)")
    press(page, "search-run", "search-stop")
    page.appears("#searching", "Stopped")
    page.settle()
    assert page.text("#goal-text .cm-content") == "not dislodged(VEN)"
    assert search(page).startswith("Found")


@on_the_server
@in_browser
def test_game_is_stepped_through_and_a_phase_loaded(page: Lab) -> None:
    from selenium.webdriver import Keys

    page.click("game-sample")
    page.lists("#phases li", 7)
    page.wait_for("A BUD", "succeeds")  # the first phase is on the board
    page.wait("document.querySelector('#game-said').textContent.includes('agree in all 7')")
    assert set(marks(page).values()) == {""}
    page.click("game-on")
    page.appears("#phase-name", "Fall 1901")
    current = page.show("#phases [aria-current]")
    current.send_keys(Keys.ARROW_DOWN)
    page.wait("document.activeElement.textContent.startsWith('W1901A')")
    # Under these rules a unit that stays has the strength of two: Belgium and Sevastopol do not
    # fall to two attackers.
    page.write("rules-text", HELD)
    page.settle()
    assert page.is_old("game")
    page.click("game-again")
    page.lists("#phases .differs", 2)
    page.wait("!document.querySelector('#game-next').disabled")
    assert {name for name, mark in marks(page).items() if mark} == {"S1902M", "F1902M"}
    page.click("game-next")
    page.appears("#phase-said dd", "A BEL")
    page.appears("#phase-picture svg", "record")
    page.wait_for("A HOL", "fails")
    assert "A Holland - Belgium" in page.text("#orders-text .cm-content")


@on_the_server
@in_browser
def test_a_text_that_is_not_a_game_leaves_the_open_game(page: Lab) -> None:
    press(page, "game-sample")
    page.appears("#phases [aria-current]", "S1901M")
    page.lists("#phases li", 7)
    page.settle()
    page.run("document.getElementById('game-text').value = 'no game'")
    press(page, "game-paste")
    page.appears("#game-said .bad", "contains no game")
    assert page.count("#phases li") == 7
    press(page, "game-on")
    page.appears("#phases [aria-current]", "F1901M")


@in_browser
def test_files_are_opened_and_dropped(page: Lab, tmp_path: Path) -> None:
    from selenium.webdriver import Keys

    path = tmp_path / "via.jsonl.gz"
    other = {**VIA, "phases": VIA["phases"][1:]}
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, (VIA, other))).encode()))
    page.browser.find_element("id", "open-game-file").send_keys(str(path))
    page.lists("#phases li", 2)
    assert marks(page) == {"S1901M": "differs", "F1901M": "not compared"}
    page.appears("#phase-said button")
    page.click_on("#phase-said button")
    page.appears("#phase-said", "vain-via-over-land")
    page.show("#game-number").send_keys(Keys.ARROW_UP, Keys.TAB)
    page.lists("#phases li", 1)
    page.run(DROP, "#games", "none.txt", "no game")
    page.appears("#game-said .bad", "no game")
    press(page, "free")
    page.run(DROP, "#orders-text .cm-content", "own.txt", HOLDING)
    page.wait_for("F TRI", "stands")
    page.run(DROP, "#rules-text .cm-content", "own.yaml", "extends: nothing\n")
    page.appears("#rules-text .cm-lint-marker-error")
    page.run(DROP, "#picture", "own.txt", "Italy:\n A Ven H\n")
    page.wait_for("A VEN", "stands")


@on_the_server
@in_browser
def test_state_and_results_are_saved(page: Lab, tmp_path: Path) -> None:
    def saved(button: str) -> Any:
        return page.browser.execute_async_script(SAVED, button)

    hold_all(page)
    page.write("goal-text", "not dislodged(VEN)")
    page.write("rules-text", HELD)
    page.settle()
    state = saved("save-state")
    assert json.loads(state)["orders"] == saved("save-orders") == HOLDING
    assert saved("save-rules") == HELD
    assert len(json.loads(saved("save-result"))["orders"]) == 3
    assert saved("save-svg").startswith("<svg")
    page.write("orders-text", "France:\n A Par H\n")
    page.wait_for("A PAR", "stands")
    (tmp_path / "lab.json").write_text(state, encoding="utf-8")
    page.browser.find_element("id", "open-state-file").send_keys(str(tmp_path / "lab.json"))
    page.wait_for("F TRI", "stands")
    page.wait("location.hash.length > 2")
    time.sleep(0.4)  # the page writes the address after a pause
    page.open(page.browser.current_url)
    assert page.text("#goal-text .cm-content") == "not dislodged(VEN)"
    assert page.complaints() == []
