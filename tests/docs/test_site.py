"""The docs as a site (tools/site): complete, without broken links, with the lab in it."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

import dipsat
from dipsat import studies
from dipsat.app.site import MEMORY
from dipsat.rules import load_profile
from tests.app.lab_site import HAS_PYODIDE, PYODIDE, made_site, serving
from tests.browser import barriers, complaints, in_browser, started
from tests.exhaustive import exhaustive, few_of
from tests.made_once import made_once
from tests.pages import blocks
from tools.site.build import SETUP, SiteError, build
from tools.site.check import problems
from tools.site.lab_commands import state_of_command
from tools.site.lab_links import LabState, rules_beside, state_of, unpacked
from tools.site.pages import DOCS, LAB, orders_linked, pages
from tools.site.tables import TABLES, with_tables

PAGES = {path.relative_to(DOCS).as_posix(): path for path in pages()}
MADE = "api.md"
"""A page that the site makes."""
LINKED = {orders for page in sorted(DOCS.glob("*.md")) for orders in orders_linked(page)}
ORDERS = sorted(LINKED)
RECIPES = [path for path in ORDERS if path.parent.name == "cookbook"]
ELEMENTS = {"li", "ul", "ol", "table", "tr", "td", "th", "code", "pre", "h1", "h2", "h3", "h4"}
_LAB_LINK = re.compile(rf'href="(?:\.\./)*{LAB}#([\w-]+)"')


def navigation() -> list[str]:
    """The pages that the navigation of the site lists."""
    setup = yaml.safe_load((SETUP / "mkdocs.yml").read_text(encoding="utf-8"))

    def listed(part: Any) -> list[str]:
        if isinstance(part, str):
            return [part]
        return [page for entry in part for one in entry.values() for page in listed(one)]

    return listed(setup["nav"])


def test_every_page_is_in_the_navigation_and_in_the_index() -> None:
    assert sorted(navigation()) == sorted([*PAGES, LAB, MADE])
    text = (DOCS / "index.md").read_text(encoding="utf-8").partition("## All pages")[2]
    linked = re.findall(r"\]\(([\w/-]+\.md)\)", text)
    atlas = (DOCS / "atlas" / "README.md").read_text(encoding="utf-8")
    of_maps = [f"atlas/{name}" for name in re.findall(r"\]\((\w+\.md)", atlas)]
    assert {*linked, *of_maps} == {*PAGES, MADE} - {"index.md"}


def test_the_site_lists_every_shipped_map() -> None:
    for name in dipsat.map_names():
        sources = ", ".join(dipsat.load_map(name).sources)
        (row,) = re.findall(rf"^\| `{name}` \| .*$", TABLES["maps"](), re.MULTILINE)
        assert row.endswith(f" | {sources} |")


def judged(state: Mapping[str, Any], compared: bool = False) -> dict[str, Any]:
    """The engine's answer to the page for a state (lab/src/lab.mjs)."""
    rules = {"text": state["rules"], "name": "rules.yaml"}
    request = {"request": "adjudicate", "orders": state["orders"], "lenient": True, "rules": rules}
    if compared:
        request |= {"request": "compare", "rules": [rules, *state["compare"]]}
    if board := state.get("map"):
        request["map"] = {"text": board} if "\n" in board else board
    if position := state.get("position"):
        request["position"] = position
    return dipsat.answer(request)


@pytest.mark.parametrize("orders", few_of(ORDERS, 5), ids=lambda path: path.stem)
def test_the_lab_judges_as_the_files_do(orders: Path) -> None:
    rules = rules_beside(orders)
    state = unpacked(state_of(orders, rules).fragment)
    assert {"rules", "orders", "compare"} <= state.keys()
    profile = load_profile(rules or "datc")
    phase = dipsat.load_phase(orders, rules=profile)
    expected = dipsat.adjudicate(phase.position, phase.orders, profile).to_dict()
    answer = judged(state)["answer"]
    assert answer["faults"] == []
    assert answer["orders"] == expected["orders"]
    assert answer["next"]["units"] == expected["next"]["units"]
    assert str(DOCS.parent) not in str(state)


def test_every_recipe_has_orders_that_the_lab_opens() -> None:
    page = (DOCS / "cookbook.md").read_text(encoding="utf-8")
    assert len(RECIPES) == page.count("\n### ") > 40
    assert all(rules_beside(orders) for orders in RECIPES)


def test_a_fragment_has_only_letters_that_an_address_may_have() -> None:
    state = LabState("extends: datc\n", "München: ~~~ ??? \U0001f600\n" * 50)
    assert re.fullmatch(r"[\w-]+", state.fragment, re.ASCII)
    assert unpacked(state.fragment)["orders"] == state.orders
    assert len(state.fragment) < 200


# --- the check ------------------------------------------------------------------------------------

LOADED = "https://example.org/x"
FAULTS = {
    '<a href="b.html">': "the link b.html leads nowhere",
    '<a href="../a.html">': "the link ../a.html leads nowhere",
    '<a href="#there">': "a.html has no anchor there",
    '<a href="a.html#there">': "a.html has no anchor there",
    '<img src="b.svg">': "loads b.svg, which is not there",
    f'<script src="{LOADED}">': f"loads {LOADED}",
    '<link rel="preconnect" href="//example.org">': "loads //example.org",
    f'<p style="background: url({LOADED})">': f"loads {LOADED}",
}


@pytest.mark.parametrize(("code", "problem"), FAULTS.items())
def test_a_fault_of_a_page_is_found(code: str, problem: str, tmp_path: Path) -> None:
    fine = '<h1 id="here"><a href="#here"></a><a href="https://example.org/"></a><img src="data:,">'
    (tmp_path / "a.html").write_text(fine + code, encoding="utf-8")
    (tmp_path / "a.css").write_text("@import 'b.css'", encoding="utf-8")
    assert problems(tmp_path) == [f"a.html: {problem}"]
    (tmp_path / "b.css").write_text(f"@import '{LOADED}';", encoding="utf-8")
    assert f"b.css: loads {LOADED}" in problems(tmp_path)


@pytest.mark.extra
def test_files_of_others_are_not_replaced(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="the extra site is not installed")
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SiteError, match="not a dipsat site"):
        build(tmp_path, force=True)
    assert (tmp_path / "mine.txt").exists()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. Broken links end the build, and so does anything that it would load from
    elsewhere."""
    pytest.importorskip("zensical", reason="the extra site is not installed")
    if not HAS_PYODIDE:
        pyodide = Path(PYODIDE) if PYODIDE else None
        return made_once(tmp_path_factory, "docs-site", lambda folder: build(folder, pyodide))
    lab = made_site(tmp_path_factory)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tools.site.build.keep_memory", partial(_keep_the_same, lab))
        return made_once(tmp_path_factory, "docs-site", lambda folder: build(folder, Path(PYODIDE)))


def _keep_the_same(lab: Path, folder: Path) -> str:
    """In place of `keep_memory`: the memory of the other tests' lab, whose engine is the same."""
    own, other = (json.loads((one / "engine.json").read_text("utf-8")) for one in (folder, lab))
    assert own == {**other, "memory": None}
    for name in (MEMORY, "engine.json"):
        shutil.copy(lab / name, folder)
    return ""


class _Elements(HTMLParser):
    """How many elements of each kind a text in HTML has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ELEMENTS:
            self.counts[tag] += 1


@exhaustive
def test_pages_have_the_lists_tables_and_code_of_their_texts_and_tables(site: Path) -> None:
    reader = MarkdownIt("commonmark").enable("table")
    for name, page in PAGES.items():
        plain = _Elements(reader.render(with_tables(page.read_text(encoding="utf-8"))))
        made = (site / made_from(name)).read_text(encoding="utf-8")
        (article,) = re.findall(r"<article.*?</article>", made, re.DOTALL)
        assert _Elements(article).counts == plain.counts, name


def made_from(page: str) -> str:
    """The file of the site that is made from a page of docs/."""
    return page.replace("README.md", "index.md").replace(".md", ".html")


def states_of(site: Path, page: str) -> list[Mapping[str, Any]]:
    """The states in the links of a page to the lab."""
    return [unpacked(fragment) for fragment in _LAB_LINK.findall((site / page).read_text("utf-8"))]


@exhaustive
def test_every_link_to_orders_is_followed_by_one_to_the_lab(site: Path) -> None:
    for name, page in PAGES.items():
        linked = {state_of(path, rules_beside(path)).orders for path in orders_linked(page)}
        assert linked <= {state["orders"] for state in states_of(site, made_from(name))}
    assert len(states_of(site, "cookbook.html")) >= len(RECIPES)


@exhaustive
def test_whatever_pages_open_in_the_lab_is_judged(site: Path) -> None:
    for name in PAGES:
        if not name.startswith("datc-"):  # the cases have enough tests
            for state in states_of(site, made_from(name)):
                assert judged(state)["answer"]["faults"] == [], (name, state)


@exhaustive
@pytest.mark.parametrize("page", ["judges.html", "decision-cycles.html", "house-rules.html"])
def test_what_a_page_compares_does_differ_in_the_lab(site: Path, page: str) -> None:
    states = states_of(site, page)
    assert len(states) > 1
    for state in states:
        assert judged(state, compared=True)["answer"]["differs"], state


LEFT_OUT = re.compile("--kind fallback|--smallest|search lines|italy-alone")
"""Searches that take long, for which the lab has no form, or which leave out where units stand."""
SEARCHES = [
    (block.splitlines()[0], verdict)
    for page in ("search.md", "holding-lines.md")
    for block in blocks((DOCS / page).read_text(encoding="utf-8"), "console")
    for verdict in re.findall(r"^(FOUND|IMPOSSIBLE|HOLDS|BREAKS) ", block, re.MULTILINE)
    if not LEFT_OUT.search(block)
]
FORM = ("question", "goal", "power", "kind", "other", "open", "line")


@pytest.mark.parametrize(
    "command",
    [
        'achieve docs/examples/italy-alone.yaml "enters(VEN)"',  # which is about units anywhere
        "lines --centres 3 --sorties",
        "lines --centres 3 --no-fleets-in AEG",
        "lines --centres 3 --all --units 5",
    ],
)
def test_a_search_for_which_the_form_lacks_fields_does_not_open_in_the_lab(command: str) -> None:
    assert state_of_command(f"$ dipsat search {command}") is None


def test_a_search_for_lines_opens_in_the_lab() -> None:
    state = state_of_command("$ dipsat search lines --centres ANK,CON,SMY --all")
    assert state is not None
    assert state.search == {"question": "lines", "centres": "ANK,CON,SMY", "shown": "all"}
    assert judged(asdict(state))["answer"]["faults"] == []


@exhaustive
@pytest.mark.parametrize(("command", "verdict"), SEARCHES)
def test_the_search_that_a_command_opens_in_the_lab_ends_as_the_page_shows(
    command: str, verdict: str
) -> None:
    state = state_of_command(command)
    assert state is not None
    assert state.search is not None
    assert state.search.keys() <= set(FORM)
    stated = {"map": state.map, "position": state.position}
    request = {
        "request": "search", "orders": state.orders, **state.search,
        "rules": {"text": state.rules, "name": "rules.yaml"},
        **{name: value for name, value in stated.items() if value},
    }  # fmt: skip
    assert dipsat.answer(request)["answer"]["verdict"] == verdict.lower()


@exhaustive
@pytest.mark.parametrize("page", ["datc-rulebooks.html", "datc-engines.html"])
def test_every_case_of_the_tables_opens_in_the_lab(site: Path, page: str) -> None:
    text = (site / page).read_text(encoding="utf-8")
    rows = re.findall(rf'<td><a href="{LAB}#([\w-]+)">([\w.]+)</a></td>', text)
    listed = re.findall(r"<td>(?:<a[^>]*>)?\d\.[A-Z]\.\d+(?:</a>)?</td>", text)
    assert len(rows) == len(listed) > 150
    cases = {case.name: case for case in studies.load_cases()}
    for fragment, name in rows:
        state, case = unpacked(fragment), cases[name]
        given = {power: len(orders) for power, orders in case.orders.items()}
        sheet = state["orders"].splitlines()
        assert [line.upper() for line in sheet if line.endswith(":")] == [f"{p}:" for p in given]
        assert len([line for line in sheet if line.startswith(" ")]) == sum(given.values())
        assert state["position"]["units"] == case.position.to_dict()["units"]


_ALL_TEXT = """
const inside = Array.from(document.querySelectorAll("*"), (one) => one.shadowRoot).filter(Boolean);
return [document.body, ...inside].map((one) => one.textContent).join();
"""


@in_browser
def test_the_site_in_a_browser(site: Path, tmp_path: Path) -> None:
    """Searching, a recipe that is opened in the lab, and no request to other hosts."""
    paths = [path for path in site.rglob("*") if path.is_file()]
    files = {path.relative_to(site).as_posix(): path.read_bytes() for path in paths}
    with serving(files) as (address, paths_asked), started(tmp_path) as browser:
        from selenium.webdriver import ActionChains, Keys
        from selenium.webdriver.support.ui import WebDriverWait

        wait, find = WebDriverWait(browser, 60), browser.find_element
        browser.get(f"{address}index.html")
        wait.until(lambda it: it.execute_script("return document.readyState") == "complete")
        keys = ActionChains(browser).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL)
        keys.send_keys("beleaguered").perform()
        wait.until(lambda it: "A beleaguered garrison falls" in it.execute_script(_ALL_TEXT))
        assert complaints(browser) == []

        browser.get(f"{address}index.html")
        asked = len(paths_asked)
        find("css selector", ".live a").click()
        if PYODIDE:  # the board of the first page becomes the lab, which loads nothing before
            assert not any("pyodide" in path for path in paths_asked[:asked])
            browser.switch_to.frame(find("css selector", ".live iframe"))
            wait.until(lambda it: len(it.find_elements("css selector", "#picture .unit")) > 30)
            browser.switch_to.default_content()
            assert barriers(browser) == []

        browser.get(f"{address}cookbook.html")
        assert barriers(browser) == []
        browser.get(find("css selector", f"a[href^='{LAB}#']").get_attribute("href"))
        if not PYODIDE:
            assert "without an engine" in find("tag name", "body").text
            return
        row = "#verdicts tr[data-unit='A BUR']"
        wait.until(lambda it: it.find_elements("css selector", row))
        assert "dislodged" in find("css selector", row).text
        find("id", "tab-rules").click()
        assert "home-support" in find("id", "rules-text").text
        find("css selector", "header a.maker").click()
        wait.until(lambda it: "Who are you?" in it.find_element("tag name", "body").text)
