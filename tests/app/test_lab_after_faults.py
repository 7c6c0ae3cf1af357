"""The rule lab in a real browser after a fault: what the page says and shows once it is mended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.lab_page import ATTACK, HELD, Lab, served
from tests.browser import in_browser, started

FAULTY = HELD.replace("some(p.units)", "some(p.unts)")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: Any) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    with served(folder / "log") as address, started(folder) as browser:
        yield Lab(browser, address, patience=60)


@pytest.fixture
def lab(opened: Lab) -> Lab:
    """The page with its first orders and all its lists."""
    opened.open()
    opened.wait("document.querySelector('#search-other').options.length > 20")
    return opened


def break_rules(lab: Lab) -> None:
    lab.write("rules-text", FAULTY)
    lab.wait("document.querySelector('#fault p')?.textContent.includes('my-rules.yaml, line 3')")
    lab.settle()


def mend_rules(lab: Lab) -> None:
    lab.write("rules-text", "extends: datc\n")
    lab.wait("!document.querySelector('#fault p')")
    lab.settle()


def undo_in(lab: Lab, editor: str) -> str:
    """The text of an editor after Ctrl+Z in it."""
    from selenium.webdriver import ActionChains, Keys

    place = lab.browser.find_element("css selector", f"#{editor} .cm-content")
    lab.run("arguments[0].focus()", place)
    keys = ActionChains(lab.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL)
    keys.perform()
    return str(place.text)


@in_browser
def test_an_editor_undoes_nothing_before_the_text_that_the_page_opens_with(lab: Lab) -> None:
    assert undo_in(lab, "rules-text").startswith("extends: datc")
    assert "F London Supports F Wales" in undo_in(lab, "orders-text")
    assert undo_in(lab, "goal-text") == "dislodged(ENG)"
    lab.run(
        "const list = document.getElementById('search-question'); list.value = 'hold';"
        "list.dispatchEvent(new Event('change'))"
    )
    assert "units" in undo_in(lab, "line-text")
    lab.open(lab.link(orders=ATTACK, rules=HELD))
    assert "A Ven - Tri" in undo_in(lab, "orders-text")
    assert "departures" in undo_in(lab, "rules-text")


@in_browser
def test_rules_that_stand_in_for_none_are_named(lab: Lab) -> None:
    assert not lab.run("return document.querySelector('#no-rules').checkVisibility()")
    lab.write("rules-text", "\n")
    lab.wait("document.querySelector('#no-rules').checkVisibility()")
    lab.settle()
    assert "datc" in lab.text("#no-rules")
    assert lab.text("#fault") == ""
    assert lab.verdicts()["F ENG"] == "disrupted, dislodged"
    lab.write("rules-text", "# none\n")
    lab.wait("document.querySelector('#fault p')?.textContent.includes('my-rules.yaml')")
    assert not lab.run("return document.querySelector('#no-rules').checkVisibility()")


@in_browser
def test_the_header_says_that_a_search_ended_with_a_fault(lab: Lab) -> None:
    lab.write("goal-text", "dislodgd(TRI)")
    lab.click("search-run")
    lab.wait("document.querySelector('#found .bad')")
    lab.wait("!document.querySelector('#search-run').disabled")
    assert lab.text("#status") == "The search ended with a fault."
    assert lab.text("#searching") == ""


@in_browser
def test_a_game_opened_under_faulty_rules_is_judged_once_they_are_mended(lab: Lab) -> None:
    break_rules(lab)
    lab.click("game-sample")
    lab.wait("document.querySelector('#game-fault .bad')")
    assert not lab.run("return document.querySelector('#phases li')")
    mend_rules(lab)
    lab.wait("document.querySelectorAll('#phases li').length === 7")
    lab.wait("document.querySelector('#phase-picture svg')")
    assert lab.text("#game-fault") == ""


@in_browser
def test_a_game_that_faulty_rules_cannot_judge_stays_marked_as_old(lab: Lab) -> None:
    lab.click("game-sample")
    lab.wait("document.querySelectorAll('#phases li').length === 7")
    lab.wait("document.querySelector('#phase-picture svg')")
    break_rules(lab)
    lab.click("game-again")
    lab.wait("document.querySelector('#game-fault .bad')")
    assert lab.run("return document.querySelector('#game').classList.contains('old')")
    lab.click("game-on")  # its picture takes the rules, too
    lab.wait("document.querySelector('#phase-picture .bad')")
    mend_rules(lab)
    lab.wait("!document.querySelector('#game').classList.contains('old')")
    lab.wait("document.querySelector('#phase-picture svg')")
    assert lab.text("#game-fault") == ""


@in_browser
def test_a_picture_of_a_phase_is_drawn_once_the_rules_are_mended(lab: Lab) -> None:
    lab.click("game-sample")
    lab.wait("document.querySelectorAll('#phases li').length === 7")
    break_rules(lab)
    lab.click("game-on")
    lab.wait("document.querySelector('#phase-picture .bad')")
    mend_rules(lab)
    lab.wait("document.querySelector('#phase-picture svg')")


@in_browser
def test_the_line_of_a_screen_reader_follows_a_fault_that_is_mended(lab: Lab) -> None:
    lab.write("rules-text", "extends: datc\n")
    lab.settle()
    break_rules(lab)
    lab.wait("document.querySelector('#said').textContent.startsWith('There is a fault.')")
    mend_rules(lab)
    lab.wait("document.querySelector('#said').textContent === 'The fault is mended.'")
    break_rules(lab)
    lab.wait("document.querySelector('#said').textContent.startsWith('There is a fault.')")
    lab.write("orders-text", ATTACK)
    lab.write("rules-text", HELD)
    lab.wait(
        "/^The fault is mended.*A VEN - TRI: f/.test(document.querySelector('#said').innerText)"
    )


@in_browser
def test_the_line_of_a_screen_reader_drops_the_fault_of_a_panel(lab: Lab) -> None:
    broken = "window.ask = fetch; window.fetch = (to, ...more) => String(to).endsWith('compare')"
    lab.run(f"{broken} ? Promise.reject(new Error('gone')) : ask(to, ...more)")
    lab.click("again")
    lab.wait("document.querySelector('#said').textContent.includes('gone')")
    lab.run("window.fetch = ask")
    lab.click("again")
    lab.wait("document.querySelector('#compared table')")
    lab.wait("document.querySelector('#said').textContent === ''")


@in_browser
def test_a_case_that_is_loaded_takes_away_the_fault_of_one_that_does_not_exist(lab: Lab) -> None:
    def load(name: str) -> None:
        box = lab.browser.find_element("id", "case")
        box.clear()
        box.send_keys(name)
        lab.click("load-case")

    load("6.Z.99")
    lab.wait("document.querySelector('#cases .bad')")
    load("6.A.1")
    lab.wait("!document.querySelector('#cases .bad')")


@in_browser
def test_cases_judged_before_the_rules_changed_are_marked(lab: Lab) -> None:
    break_rules(lab)
    lab.click("run-cases")
    lab.wait("document.querySelector('#cases .bad')")
    assert not lab.run("return document.querySelector('#cases').classList.contains('old')")
    mend_rules(lab)
    assert lab.run("return document.querySelector('#cases').classList.contains('old')")
    lab.click("run-cases")
    lab.wait("document.querySelector('#cases')?.textContent.includes('Results change in 0')")
    assert not lab.run("return document.querySelector('#cases').classList.contains('old')")


@in_browser
def test_lists_are_filled_once_a_server_that_was_away_is_back(opened: Lab) -> None:
    for away in ("*/engine.json*", "*/api/*"):
        opened.command("Network.enable")
        opened.command("Network.setBlockedURLs", urls=[away])
        opened.browser.get("about:blank")
        opened.browser.get(opened.address)
        opened.wait("/cannot be (found|reached)/.test(document.body.textContent)")
        opened.wait("document.body.dataset.state === 'done'")
        opened.command("Network.setBlockedURLs", urls=[])
        opened.click("again")
        opened.wait_for("F ENG", "disrupted, dislodged")
        for name in ("shipped", "map", "others", "base", "search-other"):
            opened.wait(f"document.querySelector('#{name}').options.length > 20")
        opened.wait("document.querySelector('#goal-help tbody tr')")
    opened.complaints()


@in_browser
def test_a_link_that_cannot_be_read_is_still_said_beside_the_first_verdict(opened: Lab) -> None:
    opened.open(f"{opened.address}#nonsense")
    opened.wait("document.querySelector('#search-other').options.length > 20")
    assert opened.text("#status").startswith("The link cannot be read")
