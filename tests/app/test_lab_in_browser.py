"""The rule lab in a real browser: rules, verdicts, markers, cases and links, with both engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.lab_board import Board
from tests.app.lab_page import ATTACK, HELD, Lab, served
from tests.app.lab_server import serving
from tests.app.lab_site import needs_pyodide, site as site
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
"""For tests of what the page itself does with answers, whichever engine gives them. The engine in
the page takes longer for each."""
SHIFT, ALT = "\ue008", "\ue00a"


@pytest.fixture(scope="module", params=ENGINES)
def opened(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    if request.param == "server":
        with served(folder / "log") as address, started(folder) as browser:
            yield Lab(browser, address, patience=60)
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


@in_browser
def test_page_opens_with_a_paradox_and_its_cycle(lab: Lab) -> None:
    assert lab.verdicts() == {
        "F LON": "given", "F WAL": "succeeds", "A BRE": "fails", "F ENG": "disrupted, dislodged",
    }  # fmt: skip
    assert "Szykman" in lab.text("#proof")
    assert lab.run("return document.querySelectorAll('#cycle svg text').length") > 10
    assert lab.run("return document.querySelectorAll('#picture .unit').length") == 4
    lab.wait("document.querySelector('#map').options.length > 20")


@in_browser
def test_a_rule_typed_changes_a_verdict(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")
    lab.write("rules-text", HELD)
    lab.wait_for("A VEN", "fails")
    lab.wait("document.querySelector('#compared tr.differs')")
    assert "2 of 3" in lab.text("#compared")
    assert lab.text("#difference summary") == "Differs from datc in one entry"
    assert "not some(p.departures)" in lab.text("#difference ins")
    lab.write("rules-text", "extends: datc\n")
    lab.wait("document.querySelector('#difference summary').textContent.startsWith('Says')")


@in_browser
def test_broken_yaml_is_marked_where_it_breaks(lab: Lab) -> None:
    lab.write("rules-text", HELD.replace("some(p.units)", "some(p.unts)"))
    lab.wait("document.querySelector('#rules-text .cm-lint-marker-error')")
    lab.wait("document.querySelector('#rules-text .cm-lintRange-error')")
    assert lab.text("#rules-text .cm-lintRange-error") == "p.unts"
    lab.wait("document.querySelector('#fault p')?.textContent.includes('rules.yaml, line 3')")
    assert lab.verdicts()["A BRE"] == "fails"  # the results before the fault stay
    lab.write("rules-text", HELD)
    lab.wait("!document.querySelector('#rules-text .cm-lint-marker-error')")


@in_browser
def test_board_and_verdicts_are_of_the_same_orders_when_a_fault_follows_at_once(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")
    lab.write("orders-text", ATTACK.replace("A Ven - Tri\n", "A Ven - Apu\n", 1))
    lab.write("rules-text", HELD.replace("some(p.units)", "some(p.unts)"))
    lab.settle()
    lab.wait("document.querySelector('#fault p')")
    stands = lab.verdicts()["A VEN"] == "succeeds" and "A VEN - APU" not in lab.text("#verdicts")
    drawn = f"A VEN - {'TRI' if stands else 'APU'}"
    lab.wait("document.querySelector('#picture').innerHTML.includes(arguments[0])", drawn)


@on_the_server
@in_browser
def test_a_case_is_loaded_with_its_cycle(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")
    assert not lab.run("return document.querySelector('#cycle')")
    lab.click("load-case")
    lab.wait_for("F ENG", "disrupted, dislodged")
    lab.wait("document.querySelector('#cycle svg')")
    assert "F London Supports F Wales" in lab.text("#orders-text .cm-content")


@on_the_server
@in_browser
def test_a_case_of_a_variant_brings_its_rules(lab: Lab) -> None:
    box = lab.browser.find_element("id", "case")
    box.clear()
    box.send_keys("9.C-portage")
    lab.click("load-case")
    lab.wait("!document.querySelector('#variant').hidden")
    lab.settle()
    assert "illegal" not in lab.verdicts().values()
    lab.run("document.querySelector('#variant button').click()")
    lab.wait("document.querySelector('#variant').hidden")
    lab.settle()
    assert "illegal" in lab.verdicts().values()  # armies carry no fleets otherwise


@in_browser
def test_a_link_holds_the_whole_state(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.write("rules-text", HELD)
    lab.wait_for("A VEN", "fails")
    before = lab.browser.current_url
    lab.click("share")
    lab.wait("document.querySelector('#status').textContent.includes('link is')")
    link = lab.browser.current_url
    assert "#" in link
    assert link.startswith(lab.address)
    assert before
    lab.open(link)
    assert lab.verdicts() == {"A VEN": "fails", "A TYR": "given", "F TRI": "stands"}
    assert "departures" in lab.text("#rules-text .cm-content")


@on_the_server
@in_browser
def test_a_link_that_is_nested_too_deeply_is_refused(lab: Lab) -> None:
    """Browsers read deeper JSON than they write: each request would end in an error of theirs."""
    units: list[Any] = []
    for _ in range(300):
        units = [units]
    link = lab.link(position={"units": units})
    lab.run("location.hash = arguments[0]", link.partition("#")[2])
    lab.wait("document.querySelector('#status').textContent.includes('it holds no state')")
    assert lab.verdicts()["F ENG"] == "disrupted, dislodged"


@on_the_server
@in_browser
def test_an_order_is_chosen_and_dragged_on_the_board(lab: Lab) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.support.ui import Select

    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")
    lab.run("document.querySelector('#verdicts tr[data-unit=\"A TYR\"] .small').click()")
    lab.wait("document.querySelector('#legal option')")
    Select(lab.browser.find_element("id", "legal")).select_by_visible_text("A TYR - MUN")
    lab.wait_for("A VEN", "fails")
    assert "A TYR - MUN" in lab.text("#orders-text .cm-content")
    unit = lab.browser.find_element("css selector", '#picture .unit[data-unit="A VEN"]')
    target = lab.browser.find_element("css selector", '#picture [data-center="ROM"]')
    ActionChains(lab.browser).drag_and_drop(unit, target).perform()
    lab.wait_for("A VEN", "succeeds")
    assert "A VEN - ROM" in lab.text("#orders-text .cm-content")
    for button, order in (("undo", "A Ven - Tri"), ("redo", "A VEN - ROM")):
        lab.click(button)
        lab.settle()
        assert order in lab.text("#orders-text .cm-content")
    ActionChains(lab.browser).key_down("\ue009").send_keys("zz").key_up("\ue009").perform()
    lab.settle()
    assert "A Tyr S A Ven" in lab.text("#orders-text .cm-content")
    assert lab.verdicts()["A VEN"] == "succeeds"


@in_browser
def test_cases_that_change_are_listed(lab: Lab) -> None:
    lab.write("rules-text", HELD)
    lab.settle()
    lab.click("run-cases")
    lab.wait("document.querySelector('#cases tbody tr')")
    assert "differs" in lab.text("#cases")
    lab.run("document.querySelector('#cases tbody button').click()")
    lab.settle()
    assert not lab.run("return document.querySelector('#position').hidden")


@in_browser
def test_stop_ends_what_is_asked_and_the_next_change_begins_anew(lab: Lab) -> None:
    lab.wait("document.querySelector('#base').options.length > 20")
    lab.run("for (const id of ['run-cases', 'stop']) document.getElementById(id).click()")
    lab.wait("document.querySelector('#status').textContent.startsWith('Stopped')")
    assert lab.text("#cases") == ""
    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")


@on_the_server
@in_browser
def test_of_a_picture_only_shapes_are_shown(lab: Lab) -> None:
    lab.run(
        "window.plain = DOMParser.prototype.parseFromString;"
        "const strange = arguments[0];"
        "DOMParser.prototype.parseFromString = function (text, type) {"
        " return plain.call(this, text.replace('</svg>', `${strange}</svg>`), type); };",
        STRANGE,
    )
    lab.click("dark")  # so that it is drawn anew
    lab.wait("document.querySelector('#picture .strange')")
    lab.run("DOMParser.prototype.parseFromString = plain")
    found = "return document.querySelectorAll('#picture .strange, #picture .strange *').length"
    assert lab.run(found) == 1
    assert not lab.run("return document.querySelector('#picture .strange').hasAttribute('href')")
    lab.click("dark")


@on_the_server
@in_browser
def test_powers_may_be_called_like_members_of_objects(lab: Lab) -> None:
    board = page("rules/maps/standard.yaml")
    orders = "constructor:\n A Par - Bur\n"
    own, position = board.replace("FRANCE", "constructor"), {"units": {"constructor": ["A PAR"]}}
    link = lab.link(map=own, orders=orders, position=position)
    lab.run("location.hash = arguments[0]", link.partition("#")[2])
    lab.wait_for("A PAR", "succeeds")
    lab.click("free")
    lab.wait("document.querySelector('#orders-text').textContent.includes('A PAR - BUR')")


@on_the_server
@in_browser
def test_page_fits_small_screens(lab: Lab) -> None:
    size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    lab.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert lab.run("return document.documentElement.scrollWidth") <= 400
    finally:
        lab.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


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
    board.drag("F TRI", "ADR", ALT)  # no convoy is possible: it is asked what is meant
    lab.wait("document.querySelector('#menu').hasChildNodes()")
    assert "F TRI - ADR" in board.offers()
    lab.write("orders-text", "Italy:\n A Ven - Alb\n F Adr H\n")
    lab.wait_for("A VEN", "invalid")
    board.drag("F ADR", "VEN", ALT)
    board.wait_for_order("F ADR C A VEN - ALB")
    lab.wait_for("A VEN", "succeeds")
    assert lab.complaints() == []


@on_the_server
@in_browser
def test_units_are_added_replaced_and_removed_on_the_board(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")
    board = Board(lab)
    board.click("ROM")
    board.press("Fleet")
    board.wait_for_order("F ROM H")
    board.click("F ROM")
    board.press("Army")
    board.wait_for_order("A ROM H")
    assert "F ROM" not in lab.verdicts()
    board.click("A VEN")
    board.press("Remove")
    lab.wait("!document.querySelector('#verdicts [data-unit=\"A VEN\"]')")
    lab.click("undo")
    lab.wait_for("A VEN", "succeeds")
    for name in ("F TRI", "A ROM", "A TYR", "A VEN"):
        board.click(name)
        board.press("Remove")
        lab.wait("!document.querySelector(`#verdicts [data-unit='${arguments[0]}']`)", name)
        lab.wait("document.body.dataset.state === 'done'")
    assert lab.text("#fault") == ""  # an empty board is one, too
    assert "There are no orders" in lab.text("#verdicts")


@in_browser
def test_retreats_and_builds_are_ordered_on_the_board(lab: Lab) -> None:
    from selenium.webdriver.support.ui import Select

    owned = {"ITALY": ["VEN", "ROM", "NAP"], "AUSTRIA": ["TRI", "VIE", "BUD"]}
    units = {"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["F TRI"]}
    position = {"phase": "F1901M", "units": units, "centers": owned}
    lab.open(lab.link(orders=ATTACK, position=position))
    lab.click("next")
    lab.wait_for("F TRI", "succeeds, disbanded")
    board = Board(lab)
    board.drag("F TRI", "ALB")
    board.wait_for_order("F TRI R ALB")
    lab.click("next")
    lab.wait("document.querySelector('#status').textContent.includes('W1901A')")
    board.click("VIE")
    board.choose("A VIE B")
    board.wait_for_order("A VIE B")
    board.click("A VIE")  # the unit that is being built is an order of its province
    board.press("No order")
    lab.wait("!document.querySelector('#orders-text').textContent.includes('A VIE B')")
    lab.wait("document.body.dataset.state === 'done'")
    assert "nothing to prove" in lab.text("#proof")
    board.click("BUD")
    Select(lab.browser.find_element("id", "owner")).select_by_visible_text("Italy")
    lab.wait("document.querySelector('#picture [data-province=BUD][data-owner=ITALY]')")
    lab.wait("document.body.dataset.state === 'done'")
    board.click("A TYR")
    board.press("Remove")  # from the position, as no order names it
    lab.wait("!document.querySelector('#picture [data-unit=\"A TYR\"]')")


@on_the_server
@in_browser
@pytest.mark.parametrize(
    ("phase", "before", "others"),
    [("S1901M", "Austria", ["PAR", "MOS", "VIE"]), ("F1902M", "unknown", [])],
)
def test_an_owner_is_changed_among_those_of_the_map_or_unknown_ones(
    lab: Lab, phase: str, before: str, others: list[str]
) -> None:
    """To state one owner must not say that nobody owns the other centres."""
    lab.open(lab.link(orders="", position={"phase": phase, "units": {"ITALY": ["A BUD"]}}))
    lab.wait("document.body.dataset.state === 'done'")
    from selenium.webdriver.support.ui import Select

    Board(lab).click("A BUD")
    choice = Select(lab.browser.find_element("id", "owner"))
    assert choice.first_selected_option.text == before
    choice.select_by_visible_text("Italy")
    lab.wait("document.querySelector('#picture [data-province=BUD][data-owner=ITALY]')")
    owned = lab.browser.find_elements("css selector", "#picture [data-owner]")
    assert {one.get_attribute("data-province") for one in owned} >= {"BUD"} | set(others)
    lab.wait("document.body.dataset.state === 'done'")
    if not others:  # the winter needs the owners that are still unknown
        lab.click("next")
        lab.wait(
            "document.body.textContent.includes('ANK') && "
            "document.body.textContent.includes('are unknown; state')"
        )


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
    assert "It may be ordered nothing in this phase" in lab.text("#menu")
    board.drag("A TRI", "VEN", power="AUSTRIA")
    lab.wait("document.querySelector('#menu strong').textContent.startsWith('No order')")
    assert "It may be ordered nothing in this phase" in lab.text("#menu")
    assert "A TRI" not in lab.text("#orders-text .cm-content")
    board.click("A TRI", "ITALY")
    board.choose("A TRI R VEN")
    board.wait_for_order("A TRI R VEN")
    assert lab.verdicts() == {"A TRI": "succeeds"}
    assert "Italy: A TRI R VEN" in " ".join(lab.text("#orders-text .cm-content").split())
    # The table lists the retreats: what it changes is the unit that retreats.
    lab.run("document.querySelector('#verdicts tr[data-unit=\"A TRI\"] .small').click()")
    board.press("Remove")
    lab.wait("document.querySelectorAll('#picture [data-unit=\"A TRI\"].unit').length === 1")
    assert lab.run("return document.querySelector('#picture .unit').dataset.power") == "AUSTRIA"


@on_the_server
@in_browser
def test_reasons_and_resolutions_are_shown_on_the_board(lab: Lab) -> None:
    strengths = "return document.querySelectorAll('#picture .layer-badges > *').length"
    assert lab.run(strengths) == 0
    lab.run("document.querySelector('#verdicts [data-unit=\"F WAL\"] .order').click()")
    lab.wait("document.querySelector('#view').textContent.includes('F WAL - ENG')")
    assert lab.run(strengths) > 0
    assert "attack strength" in lab.text("#tree")
    ways = {}
    for number in "12":
        lab.run("document.querySelector(`[data-resolution='${arguments[0]}']`).click()", number)
        shown = f"Resolution {number}"
        lab.wait("document.querySelector('#view').textContent.includes(arguments[0])", shown)
        ways[number] = lab.run(
            "return document.querySelector('#picture [data-order=\"F WAL - ENG\"]').classList[2]"
        )
    assert ways == {"1": "fails", "2": "succeeds"}
    assert lab.text("#tree") == ""
    lab.click("back")
    lab.wait("!document.querySelector('#view').hasChildNodes()")
    lab.write("orders-text", ATTACK)  # a change shows its outcome
    lab.wait_for("A VEN", "succeeds")
    assert lab.run("return document.querySelectorAll('#picture .unit').length") == 3


@on_the_server
@in_browser
def test_a_cycle_that_no_rule_settles_is_shown(lab: Lab) -> None:
    lab.write("rules-text", "extends: datc\ncycles: []\n")
    lab.wait("document.querySelector('#fault p')?.textContent.includes('has no rule')")
    lab.wait("document.querySelector('#proof').textContent.includes('no rule settles it')")
    lab.settle()
    assert lab.run("return document.querySelectorAll('#cycle svg .depends').length") > 0
    assert not lab.run("return document.querySelector('#picture .disrupted')")  # orders as given
    lab.run("document.querySelector('[data-resolution=\"2\"]').click()")
    lab.wait("document.querySelector('#picture .disrupted')")


@in_browser
def test_a_game_is_set_up_and_compared_on_another_map(lab: Lab) -> None:
    from selenium.webdriver.support.ui import Select

    lab.wait("document.querySelector('#map').options.length > 20")
    Select(lab.browser.find_element("id", "map")).select_by_value("pure")
    lab.click("set-up")
    lab.wait("document.querySelectorAll('#picture .unit').length === 7")
    lab.wait("document.querySelector('#others').options.length > 20")
    Select(lab.browser.find_element("id", "others")).select_by_value("rulebooks/1971")
    lab.wait("document.querySelector('#compared').textContent.includes('1971')")
    lab.settle()
    chosen = lab.text("#chosen")
    assert chosen.startswith("datc")
    assert "rulebooks/1971" in chosen
    board = Board(lab)
    board.drag("A BER", "LON")
    board.wait_for_order("A BER - LON")
    lab.click("clear")
    lab.wait("!document.querySelector('#picture .unit')")
    assert lab.text("#fault") == ""


@on_the_server
@in_browser
def test_a_finger_drags_units_and_does_not_scroll_the_page(lab: Lab) -> None:
    lab.write("orders-text", ATTACK)
    lab.wait_for("A VEN", "succeeds")
    board = Board(lab)
    before = lab.run("return window.scrollY")
    board.touch("A VEN", "ROM")
    board.wait_for_order("A VEN - ROM")
    assert lab.run("return window.scrollY") == before
    board.touch("ROM", "ROM")  # a tap
    lab.wait("document.querySelector('[data-adds=\"A ROM\"]')")
