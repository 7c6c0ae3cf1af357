"""The rule lab in a real browser after a fault: what the page says and shows once it is mended."""

from __future__ import annotations

import pytest

from tests.app.lab_page import ATTACK, HELD, Lab
from tests.browser import in_browser

FAULTY = HELD.replace("some(p.units)", "some(p.unts)")


@pytest.fixture
def lab(opened: Lab) -> Lab:
    """The page with its first orders and all its lists."""
    opened.open()
    opened.has_choices("search-other")
    return opened


def break_rules(lab: Lab) -> None:
    lab.write("rules-text", FAULTY)
    lab.appears("#fault p", "my-rules.yaml, line 3")
    lab.settle()


def mend_rules(lab: Lab) -> None:
    lab.write("rules-text", "extends: datc\n")
    lab.vanishes("#fault p")
    lab.settle()


def undo_in(lab: Lab, editor: str) -> str:
    """The text of an editor after Ctrl+Z in it."""
    from selenium.webdriver import ActionChains, Keys

    place = lab.show(f"#{editor} .cm-content")
    lab.run("arguments[0].focus()", place)
    ActionChains(lab.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    return str(place.text)


@in_browser
def test_an_editor_undoes_nothing_before_the_text_that_the_page_opens_with(lab: Lab) -> None:
    assert undo_in(lab, "rules-text").startswith("extends: datc")
    assert "F London Supports F Wales" in undo_in(lab, "orders-text")
    assert undo_in(lab, "goal-text") == "dislodged(ENG)"
    lab.choose("search-question", "hold")
    assert "units" in undo_in(lab, "line-text")
    lab.open(lab.link(orders=ATTACK, rules=HELD))
    assert "A Ven - Tri" in undo_in(lab, "orders-text")
    assert "departures" in undo_in(lab, "rules-text")


@in_browser
def test_the_rules_used_when_none_are_given_are_named(lab: Lab) -> None:
    named = "document.querySelector('#no-rules').checkVisibility()"
    assert not lab.run(f"return {named}")
    lab.write("rules-text", "\n")
    lab.wait(named)
    lab.settle()
    assert "datc" in lab.text("#no-rules")
    assert lab.text("#fault") == ""
    assert lab.verdicts()["F ENG"] == "disrupted, dislodged"
    lab.write("rules-text", "# none\n")
    lab.appears("#fault p", "my-rules.yaml")
    assert not lab.run(f"return {named}")


@in_browser
def test_the_header_says_that_a_search_failed(lab: Lab) -> None:
    lab.write("goal-text", "dislodgd(TRI)")
    lab.click("search-run")
    lab.appears("#found .bad")
    lab.wait("!document.querySelector('#search-run').disabled")
    assert lab.text("#status") == "The search failed."
    assert lab.text("#searching") == ""


@in_browser
def test_a_game_under_faulty_rules_is_judged_and_drawn_once_they_are_mended(lab: Lab) -> None:
    break_rules(lab)
    lab.click("game-sample")
    lab.appears("#game-fault .bad")
    assert lab.count("#phases li") == 0
    mend_rules(lab)
    lab.lists("#phases li", 7)
    lab.appears("#phase-said", "as the record does")
    assert lab.text("#game-fault") == ""
    break_rules(lab)
    lab.click("game-again")
    lab.appears("#game-fault .bad")
    assert lab.is_old("game")
    mend_rules(lab)
    lab.vanishes("#game.old")
    assert lab.text("#game-fault") == ""


@in_browser
def test_the_line_of_a_screen_reader_follows_a_fault_that_is_mended(lab: Lab) -> None:
    lab.write("rules-text", "extends: datc\n")
    lab.settle()
    break_rules(lab)
    lab.appears("#said", "There is a fault.")
    mend_rules(lab)
    lab.wait("document.querySelector('#said').textContent === 'The fault is mended.'")
    break_rules(lab)
    lab.appears("#said", "There is a fault.")
    lab.write("orders-text", ATTACK)
    lab.write("rules-text", HELD)
    said = "/^The fault is mended.*A VEN - TRI: f/.test(document.querySelector('#said').innerText)"
    lab.wait(said)
    broken = "window.ask = fetch; window.fetch = (to, ...more) => String(to).endsWith('compare')"
    lab.run(f"{broken} ? Promise.reject(new Error('gone')) : ask(to, ...more)")
    lab.click("again")
    lab.appears("#said", "gone")
    lab.run("window.fetch = ask")
    lab.click("again")
    lab.appears("#compared table")
    lab.wait("document.querySelector('#said').textContent === ''")


@in_browser
def test_loading_a_case_clears_the_fault_of_one_that_does_not_exist(lab: Lab) -> None:
    lab.fill("case", "6.Z.99")
    lab.click("load-case")
    lab.appears("#case-said .bad")
    lab.fill("case", "6.A.1")
    lab.click("load-case")
    lab.vanishes("#case-said .bad")


@in_browser
def test_cases_judged_before_the_rules_changed_are_marked(lab: Lab) -> None:
    break_rules(lab)
    lab.click("run-cases")
    lab.appears("#cases .bad")
    assert not lab.is_old("cases")
    mend_rules(lab)
    assert lab.is_old("cases")
    lab.click("run-cases")
    lab.appears("#cases", "Results change in 0")
    assert not lab.is_old("cases")


@in_browser
@pytest.mark.parametrize("away", ["*/engine.json*", "*/api/*"])
def test_lists_are_filled_once_a_server_that_was_away_is_back(opened: Lab, away: str) -> None:
    opened.command("Network.enable")
    opened.command("Network.setBlockedURLs", urls=[away])
    opened.browser.get("about:blank")
    opened.browser.get(opened.address)
    opened.wait("/cannot be (found|reached)/.test(document.body.textContent)")
    opened.rest()
    opened.command("Network.setBlockedURLs", urls=[])
    opened.click("again")
    opened.wait_for("F ENG", "disrupted, dislodged")
    for name in ("shipped", "map", "others", "base", "search-other"):
        opened.has_choices(name)
    opened.appears("#goal-help tbody tr")
    opened.complaints()


@in_browser
def test_an_unreadable_link_is_still_reported_beside_the_first_verdict(opened: Lab) -> None:
    opened.open(f"{opened.address}#nonsense")
    opened.has_choices("search-other")
    assert opened.text("#status").startswith("The link cannot be read")
