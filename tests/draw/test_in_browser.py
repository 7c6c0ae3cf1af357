"""Pages and pictures in a real browser: what is seen, what the keys do, and what overlaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import studies
from dipsat.draw import game_page, results_page
from tests.browser import barriers, complaints, in_browser, started
from tests.checkout import ROOT
from tests.draw.test_game_page import HOSTILE, hostile_game, played
from tests.studies.test_impacts import cases_file

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""

BOXES = """
return Array.from(document.querySelectorAll(arguments[0])).map((one) => {
  const box = one.getBoundingClientRect();
  return [one.dataset.unit || one.textContent.trim() || one.dataset.province,
          [box.left, box.top, box.right, box.bottom]];
});
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with started(tmp_path_factory.mktemp("browser")) as driver:
        yield driver


@in_browser
@pytest.mark.parametrize("width", [390, 800])
def test_results_fit_a_telephone_and_a_screen(browser: Any, tmp_path: Path, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 800}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    for game in (GAME.copy(), hostile_game(tmp_path)):
        game.players = {"FRANCE": f"{HOSTILE} <anna@example.org>"}
        opened(browser, tmp_path / "x.html", results_page(game.results()))
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert browser.execute_script("return document.images[0].naturalWidth") > 0
        assert complaints(browser) == []
        assert barriers(browser) == []
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Any:
    """The browser, with a game of six phases in it."""
    return opened(browser, tmp_path / "game.html", game_page(GAME))


GAME = played(6, seed=4)


def opened(browser: Any, file: Path, text: str) -> Any:
    file.write_text(text, encoding="utf-8")
    browser.get(file.as_uri())
    return browser


def boxes(browser: Any, selector: str) -> list[tuple[str, Box]]:
    """Elements, as the name of each and its box."""
    return [(name, (box[0], box[1], box[2], box[3])) for name, box in
            browser.execute_script(BOXES, selector)]  # fmt: skip


def overlap(one: Box, other: Box) -> float:
    """The part of the smaller of two boxes that lies in the other."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    least = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return across * down / max(least, 1e-9)


def overlapping(
    pairs: Iterable[tuple[tuple[str, Box], tuple[str, Box]]], most: float = 0.12
) -> list[tuple[str, str]]:
    """The pairs of elements that overlap more than a little."""
    return [(one[0], other[0]) for one, other in pairs if overlap(one[1], other[1]) > most]


def keys(name: str) -> str:
    """What a key sends, such as ARROW_RIGHT or p."""
    from selenium.webdriver.common.keys import Keys

    return str(getattr(Keys, name, name))


def actions(browser: Any) -> Any:
    from selenium.webdriver import ActionChains

    return ActionChains(browser)


def press(browser: Any, *names: str) -> None:
    for name in names:
        actions(browser).send_keys(keys(name)).perform()


def shown(browser: Any) -> str:
    """The heading of the phase."""
    return str(browser.find_element("id", "phase").text)


TITLES = [turn.position.phase.title() for turn in GAME.history] + [GAME.phase.title()]


# --- The page of a game ---------------------------------------------------------------------


@in_browser
def test_keys_and_buttons_go_through_the_phases(page: Any) -> None:
    assert shown(page) == TITLES[0]
    for title in TITLES[1:]:
        press(page, "ARROW_RIGHT")
        assert shown(page) == title
    # there is no later one
    for key, at in (("ARROW_RIGHT", -1), ("ARROW_LEFT", -2), ("HOME", 0), ("END", -1)):
        press(page, key)
        assert shown(page) == TITLES[at]
    for button, title in (("first", TITLES[0]), ("next", TITLES[1]), ("previous", TITLES[0])):
        page.find_element("id", button).click()
        assert shown(page) == title
    assert not page.find_element("id", "first").is_enabled()
    assert complaints(page) == []


@in_browser
def test_the_slider_moves_and_follows(page: Any) -> None:
    slider = page.find_element("id", "slider")
    slider.send_keys(keys("ARROW_RIGHT") * 2)
    assert shown(page) == TITLES[2]
    assert slider.get_attribute("value") == "2"
    assert slider.get_attribute("aria-valuetext") == TITLES[2]
    page.find_element("id", "next").click()
    assert slider.get_attribute("value") == "3"
    assert page.current_url.endswith(f"#{GAME.history[3].position.phase}")


@in_browser
def test_every_phase_shows_its_units_owners_and_orders(page: Any) -> None:
    """A land without a centre has the colour of the power whose unit was there last."""
    board, held = GAME.position.map, dict[str, str]()
    powers = list(board.powers)
    for turn in GAME.history:
        units = {name for name, _ in units_on(page)}
        lost = {str(one.unit) for one in turn.position.dislodged}
        assert units >= {*map(str, turn.position.units)} | lost
        owners = page.execute_script(
            "return Array.from(document.querySelectorAll('[data-province]')).map((one) => "
            "[one.dataset.province, (/ o(\\d+)/.exec(one.getAttribute('class')) || [])[1]]);"
        )
        found = {code: powers[int(at)] for code, at in owners if at}
        owned = {code: name for name, own in turn.position.centers.items() for code in own}
        held |= {unit.province: unit.power for unit in turn.position.units}
        land = {code: power for code, power in held.items() if board.provinces[code].kind != "sea"}
        assert found == {code: land[code] for code in land.keys() - board.centers} | owned
        rows = page.find_elements("css selector", "tr.result")
        assert len(rows) == len(turn.outcome.orders)
        press(page, "ARROW_RIGHT")
    assert complaints(page) == []


def units_on(page: Any) -> list[tuple[str, Box]]:
    return boxes(page, ".layer-units > [data-unit]")


@in_browser
def test_a_phase_is_opened_by_its_name(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    opened(browser, file, game_page(GAME)).get("about:blank")
    browser.get(f"{file.as_uri()}#{GAME.history[3].position.phase}")
    assert shown(browser) == TITLES[3]


@in_browser
def test_a_row_shows_its_order_alone(page: Any) -> None:
    row = next(
        row for row in page.find_elements("css selector", "tr.result")
        if " - " in row.get_attribute("data-order")
    )  # fmt: skip
    actions(page).move_to_element(row).perform()
    alone = page.find_elements("css selector", ".order.shown")
    assert [one.get_attribute("data-order") for one in alone] == [row.get_attribute("data-order")]
    faint = page.find_element("css selector", ".order:not(.shown)")
    assert float(faint.value_of_css_property("opacity")) < 0.2
    actions(page).move_to_element(page.find_element("css selector", "h1")).perform()
    assert page.find_elements("css selector", ".dimmed") == []


@in_browser
def test_it_plays_by_itself(page: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    press(page, "p")
    play = page.find_element("id", "play")
    assert play.text == "Pause"
    WebDriverWait(page, 10).until(lambda one: shown(one) == TITLES[1])
    play.click()
    assert play.text == "Play"
    assert play.get_attribute("aria-pressed") == "false"


@in_browser
@pytest.mark.parametrize(("width", "height"), [(1400, 900), (1000, 700), (700, 900), (500, 800)])
def test_nothing_overlaps_or_runs_out_of_the_window(page: Any, width: int, height: int) -> None:
    page.set_window_size(width, height)
    try:
        wide = page.execute_script("return document.documentElement.scrollWidth")
        assert wide <= page.execute_script("return window.innerWidth")
        parts = boxes(page, "header, #zoom, #sheet > svg, #report, footer")
        assert len(parts) == 5
        controls = boxes(page, "h1, #controls > *, #zoom > *")
        assert overlapping((*combinations(parts, 2), *combinations(controls, 2)), most=0) == []
        assert all(one[2] > one[0] for _, one in controls)
    finally:
        page.set_window_size(1400, 1000)


@in_browser
def test_the_board_is_zoomed_by_buttons_keys_and_the_wheel(page: Any) -> None:
    def width() -> float:
        ((_, box),) = boxes(page, "#sheet > svg")
        return box[2] - box[0]

    def button(name: str) -> Any:
        return page.find_element("id", name)

    usual = width()
    assert not button("smaller").is_enabled()
    button("larger").click()
    press(page, "+")
    assert width() == pytest.approx(1.25**2 * usual, rel=0.01)
    assert button("zoomed").text == "156 %"
    wide = "return document.documentElement.scrollWidth <= window.innerWidth"
    assert page.execute_script(wide)
    sheet = button("sheet")
    sheet.send_keys(keys("ARROW_RIGHT"))  # scrolls; the phase stays
    assert shown(page) == TITLES[0]
    press(page, "-")
    assert width() == pytest.approx(1.25 * usual, rel=0.01)
    press(page, "0")
    assert width() == usual
    assert sheet.get_attribute("tabindex") is None
    press(page, *["+"] * 12)
    assert button("zoomed").text == "800 %"
    assert not button("larger").is_enabled()
    button("whole").click()
    assert width() == usual
    assert complaints(page) == []


@in_browser
def test_the_wheel_with_ctrl_zooms_where_it_points(page: Any) -> None:
    point = """
    const unit = document.querySelector('[data-unit="A MUN"] .body') ||
      document.querySelector(".unit .body");
    const box = unit.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
    """
    turn = """
    return document.getElementById("sheet").dispatchEvent(new WheelEvent("wheel",
      {deltaY: -100, ctrlKey: arguments[2], clientX: arguments[0], clientY: arguments[1],
       cancelable: true}));
    """
    before = page.execute_script(point)
    assert page.execute_script(turn, *before, False)  # is left to the browser, which scrolls
    assert page.find_element("id", "zoomed").text == "100 %"
    for _ in range(4):
        assert not page.execute_script(turn, *before, True)
    assert page.find_element("id", "zoomed").text == "244 %"
    assert page.execute_script(point) == pytest.approx(before, abs=2)


@in_browser
def test_light_and_dark_as_the_reader_prefers(page: Any) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        page.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        seen[scheme] = [
            brightness(page.find_element("css selector", selector), of)
            for selector, of in (("body", "background-color"), (".open-sea", "fill"))
        ] + [255 - brightness(page.find_element("css selector", "h1"), "color")]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert all(value > 190 for value in seen["light"])
    assert all(value < 90 for value in seen["dark"])


def brightness(element: Any, of: str) -> float:
    """The mean of red, green and blue."""
    text = element.value_of_css_property(of)
    parts = [float(part) for part in text.partition("(")[2].strip(")").split(",")[:3]]
    return sum(parts) / 3


@in_browser
def test_hostile_names_do_nothing(browser: Any, tmp_path: Path) -> None:
    game = hostile_game(tmp_path)
    browser.execute_script("window.stop()")
    opened(browser, tmp_path / "game.html", game_page(game))
    assert HOSTILE in browser.find_element("css selector", "h1").text
    assert browser.find_elements("css selector", "img") == []
    assert complaints(browser) == []  # an alert, or what the page's own policy stopped


# --- Boards ---------------------------------------------------------------------------------


def bodies_on(browser: Any) -> list[tuple[str, Box]]:
    """The units, without the rings around them and the bursts behind them."""
    found = []
    for at, (unit, _) in enumerate(units_on(browser), 1):
        parts = boxes(browser, f".layer-units > [data-unit]:nth-child({at}) .body")
        lefts, tops, rights, bottoms = zip(*(box for _, box in parts), strict=True)
        found.append((unit, (min(lefts), min(tops), max(rights), max(bottoms))))
    return found


@in_browser
@pytest.mark.parametrize("dark", [False, True])
def test_a_full_board_with_all_orders(browser: Any, tmp_path: Path, dark: bool) -> None:
    """Units and signs leave names, each other and the window's edge free."""
    phase = dipsat.load_phase(ROOT / "docs/examples/fall-1902.yaml")
    outcome = dipsat.adjudicate(phase.position, phase.orders)
    opened(browser, tmp_path / "board.svg", dipsat.draw.board(outcome, dark=dark))
    names, bodies = boxes(browser, "text.name"), bodies_on(browser)
    signs = boxes(browser, ".layer-signs > *")
    assert len(bodies) == len(phase.position.units)
    assert len(signs) >= sum(one.verdict in ("fails", "cut") for one in outcome.orders)
    assert overlapping((*combinations(bodies, 2), *combinations(signs, 2)), most=0) == []
    assert overlapping(product(names, bodies)) == []
    (_, edge), *_ = boxes(browser, ".open-sea")
    for _, box in (*names, *bodies, *signs):
        assert overlap(box, edge) > 0.99


@in_browser
@pytest.mark.parametrize("name", dipsat.map_names())
def test_boards_as_a_browser_draws_them(browser: Any, tmp_path: Path, name: str) -> None:
    """Every province has a shape and a name of some size, and no unit covers a name, with the fonts
    of this computer."""
    board = dipsat.load_map(name)
    text = dipsat.draw.board(dipsat.Position.start(board))
    opened(browser, tmp_path / "board.svg", text)
    shapes = boxes(browser, "[data-province]")
    assert len(shapes) == len(board.provinces)
    names, units = boxes(browser, "text.name"), units_on(browser)
    assert len(units) == sum(len(power.start) for power in board.powers.values())
    for _, box in (*shapes, *names, *units):
        assert min(box[2] - box[0], box[3] - box[1]) > 1
    assert board.provinces.keys() <= {name for name, _ in names}
    assert overlapping((*product(names, units), *combinations(names, 2))) == []


# --- The page of how often rules matter -----------------------------------------------------


@in_browser
def test_the_page_of_an_impact_is_sorted_opened_and_drawn(browser: Any, tmp_path: Path) -> None:
    path = cases_file(tmp_path, ["6.B.9", "6.G.8"])
    report = studies.impact(["4.A.3-b", "4.A.7-b", "4.B.4-e"], path)
    page = opened(browser, tmp_path / "impact.html", dipsat.draw.impact_page(report))

    def rules() -> list[str]:
        heads = page.find_elements("css selector", "#rules tbody th")
        return [head.text.split()[0] for head in heads]

    phases = page.find_element("css selector", "#rules thead th:nth-child(2) button")
    phases.send_keys(keys("ENTER"))
    assert rules() == ["4.A.3-b", "4.B.4-e", "4.A.7-b"]
    phases.send_keys(keys("ENTER"))
    assert rules() == ["4.A.7-b", "4.A.3-b", "4.B.4-e"]
    page.find_element("xpath", "//button[.='Close all']").click()
    board = page.find_element("css selector", "#r2 figure:last-child svg")
    assert not board.is_displayed()
    page.find_element("link text", "4.B.4-e").send_keys(keys("ENTER"))
    assert board.is_displayed()
    drawn = page.execute_script(
        "return Array.from(arguments[0].querySelectorAll('use'), (one) => one.getBBox().width)",
        board,
    )
    assert min(drawn) > 0  # what the second board shares with the first is there
    for width in (1400, 390):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        wide = page.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert complaints(page) == []
    assert barriers(page) == []
