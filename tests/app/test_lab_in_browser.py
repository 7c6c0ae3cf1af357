"""The rule lab in a real browser: rules, verdicts, markers, cases and links, with both engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.lab_board import Board
from tests.app.lab_page import ATTACK, HELD, Lab, opened_lab
from tests.app.lab_site import needs_pyodide, serving, site as site
from tests.browser import in_browser, started
from tests.pages import page

ENGINES = ["server", pytest.param("page", marks=needs_pyodide)]
STRANGE = """\
<g class="strange" href="javascript:x()"><a href="javascript:x()"><text>x</text></a>
<use href="https://example.org/#x"/><image href="https://example.org/x.png"/>
<animate attributeName="href" to="x"/><foreignObject/><script>x()</script>
<frame:iframe xmlns:frame="http://www.w3.org/1999/xhtml" src="https://example.org/"/></g>
"""
on_the_server = pytest.mark.parametrize("opened", ["server"], indirect=True, scope="module")
"""For tests of what the page itself does with answers, whichever engine gives them. Each takes
longer with the engine in the page."""
SHIFT, ALT = "\ue008", "\ue00a"


@pytest.fixture(scope="module", params=ENGINES)
def opened(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    if request.param == "server":
        with opened_lab(folder) as found:
            yield found
        return
    site = request.getfixturevalue("site")
    files = {file.name: file.read_bytes() for file in site.iterdir()}
    with serving(files) as (address, paths), started(folder) as browser:
        yield Lab(browser, address)
        assert not [path for path in paths if "/api/" in path]  # nothing leaves the computer


@pytest.fixture
def lab(opened: Lab) -> Iterator[Lab]:
    """The page as it opens. It obeys the content policy of its server, and has no errors."""
    opened.begin_anew()
    yield opened
    assert opened.complaints() == []


def attack(lab: Lab) -> None:
    """Write orders of two armies that dislodge a fleet."""
    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")


@in_browser
def test_page_opens_with_a_paradox_and_its_cycle(lab: Lab) -> None:
    assert lab.verdicts() == {
        "F LON": "given", "F WAL": "succeeds", "A BRE": "fails", "F ENG": "disrupted, dislodged",
    }  # fmt: skip
    assert "Szykman" in lab.text("#proof")
    assert lab.count("#cycle svg text") > 10
    assert lab.count("#picture .unit") == 4
    lab.has_choices("map")


@in_browser
def test_a_rule_typed_changes_a_verdict(lab: Lab) -> None:
    attack(lab)
    lab.write("rules-text", HELD)
    lab.wait_for("A VEN", "fails")
    lab.appears("#compared tr.differs")
    assert "2 of 3" in lab.text("#compared")
    assert lab.text("#difference summary") == "Differs from datc in one entry"
    assert "not some(p.departures)" in lab.text("#difference ins")
    lab.write("rules-text", "extends: datc\n")
    lab.wait("document.querySelector('#difference').hidden")


FAULTY = HELD.replace("some(p.units)", "some(p.unts)")


@in_browser
def test_broken_rules_are_marked_where_they_break(lab: Lab) -> None:
    lab.write("rules-text", FAULTY)
    lab.appears("#rules-text .cm-lint-marker-error")
    lab.appears("#rules-text .cm-lintRange-error")
    assert lab.text("#rules-text .cm-lintRange-error") == "p.unts"
    lab.appears("#fault p", "rules.yaml, line 3")
    assert lab.verdicts()["A BRE"] == "fails"  # the results before the fault stay
    lab.write("rules-text", HELD)
    lab.vanishes("#rules-text .cm-lint-marker-error")


@in_browser
def test_board_and_verdicts_are_of_the_same_orders_when_a_fault_follows_at_once(lab: Lab) -> None:
    attack(lab)
    lab.write("orders-text", ATTACK.replace("A Ven - Tri\n", "A Ven - Apu\n", 1))
    lab.write("rules-text", FAULTY)
    lab.settle()
    lab.appears("#fault p")
    stands = lab.verdicts()["A VEN"] == "succeeds" and "A VEN - APU" not in lab.text("#verdicts")
    drawn = f"A VEN - {'TRI' if stands else 'APU'}"
    lab.wait("document.querySelector('#picture').innerHTML.includes(arguments[0])", drawn)


@on_the_server
@in_browser
def test_a_case_is_loaded_with_its_cycle(lab: Lab) -> None:
    attack(lab)
    assert lab.count("#cycle") == 0
    lab.click("load-case")
    lab.wait_for("F ENG", "disrupted, dislodged")
    lab.appears("#cycle svg")
    assert "F London Supports F Wales" in lab.text("#orders-text .cm-content")


@on_the_server
@in_browser
def test_a_case_of_a_variant_brings_its_rules(lab: Lab) -> None:
    lab.fill("case", "9.C-portage")
    lab.click("load-case")
    lab.wait("!document.querySelector('#variant').hidden")
    lab.settle()
    assert "illegal" not in lab.verdicts().values()
    lab.click_on("#variant button")
    lab.wait("document.querySelector('#variant').hidden")
    lab.settle()
    assert "illegal" in lab.verdicts().values()  # otherwise armies carry no fleets


@in_browser
def test_a_link_holds_the_whole_state(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.write("rules-text", HELD)
    lab.wait_for("A VEN", "fails")
    lab.click("share")
    lab.appears("#status", "link is")
    link = lab.browser.current_url
    assert link.startswith(f"{lab.address}#")
    lab.open(link)
    assert lab.verdicts() == {"A VEN": "fails", "A TYR": "given", "F TRI": "stands"}
    assert "departures" in lab.text("#rules-text .cm-content")


def follow(lab: Lab, **state: Any) -> None:
    """Follow a link to a state from the page itself."""
    lab.run("location.hash = arguments[0]", lab.link(**state).partition("#")[2])


@on_the_server
@in_browser
def test_a_link_that_is_nested_too_deeply_is_refused(lab: Lab) -> None:
    """Browsers read deeper JSON than they write: each request would end in an error of theirs."""
    units: list[Any] = []
    for _ in range(300):
        units = [units]
    follow(lab, position={"units": units})
    lab.appears("#status", "it holds no state")
    assert lab.verdicts()["F ENG"] == "disrupted, dislodged"


@on_the_server
@in_browser
def test_an_order_is_chosen_and_dragged_on_the_board_and_undone(lab: Lab) -> None:
    from selenium.webdriver import ActionChains, Keys

    attack(lab)
    board = Board(lab)
    lab.click_on('#verdicts tr[data-unit="A TYR"] .small')
    lab.appears("#legal option")
    board.choose("A TYR - MUN")
    lab.wait_for("A VEN", "fails")
    assert "A TYR - MUN" in lab.text("#orders-text .cm-content")
    board.drag("A VEN", "ROM")
    board.wait_for_order("A VEN - ROM")
    assert lab.verdicts()["A VEN"] == "succeeds"
    for button, order in (("undo", "A Ven - Tri"), ("redo", "A VEN - ROM")):
        lab.click(button)
        lab.settle()
        assert order in lab.text("#orders-text .cm-content")
    ActionChains(lab.browser).key_down(Keys.CONTROL).send_keys("zz").key_up(Keys.CONTROL).perform()
    lab.settle()
    assert "A Tyr S A Ven" in lab.text("#orders-text .cm-content")
    assert lab.verdicts()["A VEN"] == "succeeds"


@in_browser
def test_cases_that_change_are_listed(lab: Lab) -> None:
    lab.write("rules-text", HELD)
    lab.settle()
    lab.click("run-cases")
    lab.appears("#cases tbody tr")
    assert "differs" in lab.text("#cases")
    lab.click_on("#cases tbody button")
    lab.settle()
    assert not lab.run("return document.querySelector('#position').hidden")


@in_browser
def test_stop_ends_all_requests_and_the_next_change_begins_anew(lab: Lab) -> None:
    lab.has_choices("base")
    lab.run("for (const id of ['run-cases', 'stop']) document.getElementById(id).click()")
    lab.appears("#status", "Stopped")
    assert lab.text("#cases") == ""
    attack(lab)


@on_the_server
@in_browser
def test_only_the_shapes_of_a_picture_are_shown(lab: Lab) -> None:
    lab.run(
        "window.plain = DOMParser.prototype.parseFromString;"
        "const strange = arguments[0];"
        "DOMParser.prototype.parseFromString = function (text, type) {"
        " return plain.call(this, text.replace('</svg>', `${strange}</svg>`), type); };",
        STRANGE,
    )
    lab.click("dark")  # so that it is drawn again
    lab.appears("#picture .strange")
    lab.run("DOMParser.prototype.parseFromString = plain")
    assert lab.count("#picture .strange, #picture .strange *") == 1
    assert lab.count("#picture .strange[href]") == 0
    lab.click("dark")


@on_the_server
@in_browser
def test_powers_may_be_called_like_members_of_objects(lab: Lab) -> None:
    own = page("rules/maps/standard.yaml").replace("FRANCE", "constructor")
    position = {"units": {"constructor": ["A PAR"]}}
    follow(lab, map=own, orders="constructor:\n A Par - Bur\n", position=position)
    lab.wait_for("A PAR", "succeeds")
    lab.click("free")
    lab.appears("#orders-text", "A PAR - BUR")


@on_the_server
@in_browser
def test_units_are_dragged_to_where_they_go_and_whom_they_help(lab: Lab) -> None:
    lab.write("orders-text", "Italy:\n A Ven - Tri\n A Tyr H\n F Adr H\nAustria:\n F Tri H\n")
    lab.wait_for("A VEN", "fails")
    board = Board(lab)
    board.drag("A TYR", "TRI", SHIFT)
    board.wait_for_order("A TYR S A VEN - TRI")
    assert lab.verdicts()["A VEN"] == "succeeds"
    board.drag("A TYR", "TRI")  # a unit of another power is attacked, the rest is offered
    board.wait_for_order("A TYR - TRI")
    assert {"A TYR S A VEN - TRI", "A TYR S F TRI"} <= set(board.offers())
    board.press("A TYR S A VEN - TRI")
    board.wait_for_order("A TYR S A VEN - TRI")
    board.drag("F TRI", "ADR", ALT)  # no convoy is possible: the page asks what is meant
    lab.appears("#menu *")
    assert "F TRI - ADR" in board.offers()
    lab.write("orders-text", "Italy:\n A Ven - Alb\n F Adr H\n")
    lab.wait_for("A VEN", "invalid")
    board.drag("F ADR", "VEN", ALT)
    board.wait_for_order("F ADR C A VEN - ALB")
    lab.wait_for("A VEN", "succeeds")


@on_the_server
@in_browser
def test_units_are_added_replaced_and_removed_on_the_board(lab: Lab) -> None:
    attack(lab)
    board = Board(lab)
    board.tap("NAP")
    lab.appears("[data-adds='A NAP']")
    for place, kind, order in (("ROM", "Fleet", "F ROM H"), ("F ROM", "Army", "A ROM H")):
        board.click(place)
        board.press(kind)
        board.wait_for_order(order)
    assert "F ROM" not in lab.verdicts()
    board.remove("A VEN")
    lab.click("undo")
    lab.wait_for("A VEN", "succeeds")
    for name in ("F TRI", "A ROM", "A TYR", "A VEN"):
        board.remove(name)
    assert lab.text("#fault") == ""  # an empty board is one, too
    assert "There are no orders" in lab.text("#verdicts")


@in_browser
def test_retreats_and_builds_are_ordered_on_the_board(lab: Lab) -> None:
    owned = {"ITALY": ["VEN", "ROM", "NAP"], "AUSTRIA": ["TRI", "VIE", "BUD"]}
    units = {"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["F TRI"]}
    position = {"phase": "F1901M", "units": units, "centers": owned}
    lab.open(lab.link(orders=ATTACK, position=position))
    lab.click("next")
    lab.wait_for("F TRI", "no order yet")
    assert lab.count("#picture .disbanded") == 0  # nobody has ordered yet
    assert "F TRI may retreat to" in lab.text("#due")
    board = Board(lab)
    board.drag("F TRI", "ALB")
    board.wait_for_order("F TRI R ALB")
    lab.click("next")
    lab.appears("#status", "W1901A")
    assert "Austria may build 1 unit" in lab.text("#due")
    board.click("VIE")
    board.choose("A VIE B")
    board.wait_for_order("A VIE B")
    board.click("A VIE")  # the unit that is being built is an order of its province
    board.press("No order")
    lab.wait("!document.querySelector('#orders-text').textContent.includes('A VIE B')")
    lab.rest()
    assert "nothing to prove" in lab.text("#proof")
    board.click("BUD")
    board.choose("Italy", "owner")
    lab.appears("#picture [data-province=BUD][data-owner=ITALY]")
    lab.rest()
    board.click("A TYR")
    board.press("Remove")  # from the position, as no order names it
    lab.vanishes("#picture [data-unit='A TYR']")


@on_the_server
@in_browser
@pytest.mark.parametrize(
    ("phase", "before", "others"),
    [("S1901M", "Austria", ["PAR", "MOS", "VIE"]), ("F1902M", "unknown", [])],
)
def test_one_owner_is_changed_and_the_others_stay_known_or_unknown(
    lab: Lab, phase: str, before: str, others: list[str]
) -> None:
    """Stating one owner must not say that nobody owns the other centres."""
    lab.open(lab.link(orders="", position={"phase": phase, "units": {"ITALY": ["A BUD"]}}))
    lab.rest()
    board = Board(lab)
    board.click("A BUD")
    chosen = "return document.getElementById('owner').selectedOptions[0].textContent"
    assert lab.run(chosen) == before
    board.choose("Italy", "owner")
    lab.appears("#picture [data-province=BUD][data-owner=ITALY]")
    for place in others:
        assert lab.count(f"#picture [data-province={place}][data-owner]") > 0
    lab.rest()
    if not others:  # the winter needs the owners that are still unknown
        lab.click("next")
        lab.appears("body", "are unknown; state")
        assert "ANK" in lab.text("body")


@on_the_server
@in_browser
def test_only_the_loser_of_a_battle_is_offered_its_retreats(lab: Lab) -> None:
    battle = {
        "phase": "F1901R",
        "units": {"AUSTRIA": ["A TRI"]},
        "dislodged": {"ITALY": ["A TRI"]},
        "retreats": {"ITALY": {"A TRI": ["VEN", "TYR"]}},
        "centers": {"AUSTRIA": ["TRI"], "ITALY": ["VEN"]},
    }
    lab.open(lab.link(position=battle))
    board = Board(lab)
    board.click("A TRI", "AUSTRIA")
    assert lab.text("#menu strong") == "A TRI, Austria"
    assert "It takes no orders in this phase" in lab.text("#menu")
    board.drag("A TRI", "VEN", power="AUSTRIA")
    lab.appears("#menu strong", "No order")
    assert "It takes no orders in this phase" in lab.text("#menu")
    assert "A TRI" not in lab.text("#orders-text .cm-content")
    board.click("A TRI", "ITALY")
    board.choose("A TRI R VEN")
    board.wait_for_order("A TRI R VEN")
    assert lab.verdicts() == {"A TRI": "succeeds"}
    assert "Italy: A TRI R VEN" in " ".join(lab.text("#orders-text .cm-content").split())
    # The table lists the retreats: what it changes is the unit that retreats.
    lab.click_on('#verdicts tr[data-unit="A TRI"] .small')
    board.press("Remove")
    lab.lists('#picture [data-unit="A TRI"].unit', 1)
    assert lab.run("return document.querySelector('#picture .unit').dataset.power") == "AUSTRIA"


@on_the_server
@in_browser
def test_reasons_and_resolutions_are_shown_on_the_board(lab: Lab) -> None:
    assert lab.count("#picture .layer-badges > *") == 0
    lab.click_on('#verdicts [data-unit="F WAL"] .order')
    lab.appears("#view", "F WAL - ENG")
    assert lab.count("#picture .layer-badges > *") > 0  # its strengths
    assert "attack strength" in lab.text("#tree")
    for number, verdict in (("1", "fails"), ("2", "succeeds")):
        lab.click_on(f'[data-resolution="{number}"]')
        lab.appears("#view", f"Resolution {number}")
        assert lab.count(f'#picture [data-order="F WAL - ENG"].{verdict}') > 0
    assert lab.text("#tree") == ""
    lab.click("back")
    lab.vanishes("#view *")
    attack(lab)  # a change shows its outcome
    assert lab.count("#picture .unit") == 3


@on_the_server
@in_browser
def test_a_cycle_that_no_rule_settles_is_shown(lab: Lab) -> None:
    lab.write("rules-text", "extends: datc\ncycles: []\n")
    lab.appears("#fault p", "has no rule")
    lab.appears("#proof", "no rule settles it")
    lab.settle()
    assert lab.count("#cycle svg .depends") > 0
    assert lab.count("#picture .disrupted") == 0  # orders as given
    lab.click_on('[data-resolution="2"]')
    lab.appears("#picture .disrupted")


@in_browser
def test_a_game_is_set_up_and_compared_on_another_map(lab: Lab) -> None:
    lab.has_choices("map")
    lab.choose("map", "pure")
    lab.click("set-up")
    lab.lists("#picture .unit", 7)
    lab.has_choices("others")
    lab.choose("others", "rulebooks/1971")
    lab.appears("#compared", "1971")
    lab.settle()
    chosen = lab.text("#chosen")
    assert chosen.startswith("datc")
    assert "rulebooks/1971" in chosen
    board = Board(lab)
    board.drag("A BER", "LON")
    board.wait_for_order("A BER - LON")
    lab.click("clear")
    lab.vanishes("#picture .unit")
    assert lab.text("#fault") == ""
