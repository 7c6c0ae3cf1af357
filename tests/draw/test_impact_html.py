"""The page of how often rules matter: what is in it, what it shares, and what cannot get in."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import studies
from dipsat.cli import main
from dipsat.errors import ArgumentError
from dipsat.studies.impact_report import RulesImpact
from tests.draw.test_game_page import HOSTILE, Tags
from tests.exhaustive import exhaustive
from tests.studies.test_impacts import CASES, cases_file, file_of, line_of

RULES = ("4.A.3-b", "4.B.4-e", "4.A.7-b")
FOUND = {"4.A.3-b": "6.G.8", "4.B.4-e": "6.B.9"}
"""Rules -> the case whose result they change according to a document."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> studies.ImpactReport:
    """DATC cases as games of one phase, under two choices that change one each, and one that
    changes none."""
    path = cases_file(tmp_path_factory.mktemp("cases"), ["6.B.9", "6.G.8"])
    return studies.impact(RULES, path)


@pytest.fixture(scope="module")
def page(report: studies.ImpactReport) -> str:
    return dipsat.draw.impact_page(report)


def page_of(report: studies.ImpactReport, *rules: RulesImpact) -> str:
    """The page of a report on other rule sets."""
    return dipsat.draw.impact_page(replace(report, rules=rules))


def text_of(markup: str) -> str:
    """The text of it that a reader sees."""
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split())


def rows_of(page: str) -> list[list[str]]:
    """The table of all rule sets."""
    (table,) = re.findall(r'<table id="rules">.*?</table>', page)
    rows = re.findall(r"<tr>(.*?)</tr>", table)
    return [list(map(text_of, re.findall(r"<t[hd].*?</t[hd]>", row))) for row in rows[1:]]


@exhaustive
def test_the_table_has_the_numbers_of_the_report(report: studies.ImpactReport, page: str) -> None:
    rows = rows_of(page)
    assert [row[0].split()[0] for row in rows] == list(RULES)
    for row, one in zip(rows, report.rules, strict=True):
        numbers = [row[1], *row[5:8]]
        assert numbers == (["1", "1", "1", str(one.orders)] if one.differ else ["0", "", "", ""])
        assert (row[2], row[4]) == (("50.0 %", "2") if one.differ else ("", ""))


def test_each_difference_is_shown_in_words_and_on_two_boards(page: str) -> None:
    parts = re.findall(r'<details class="rules".*?</article></div></details>', page, re.DOTALL)
    for part, (rules, case) in zip(parts, FOUND.items(), strict=True):
        told = text_of(part)
        assert "1 of 2 phases differs: 50.0 %, or one phase in 2. It is in 1 of 2 games;" in told
        assert "The board differs after 1 of them (50.0 % of all), in 1 of 2 games." in told
        first = part[: part.index("Smallest boards")]
        assert f"{case}, {len(CASES[case].position.units)} units" in told
        assert re.findall("<figcaption>(.*?)</figcaption>", first) == ["datc", rules]
        labels = [said for tag, given in Tags(first).found if (said := given.get("aria-label"))]
        assert [label.rpartition(", ")[2] for label in labels] == ["datc", rules]
    assert re.search(r"A BEL - HOL VIA</th><td><b[^>]*>invalid<.*?<b>succeeds<", parts[0])


def test_what_boards_have_in_common_is_there_once(page: str) -> None:
    tags = [given for _, given in Tags(page).found]
    names = Counter(given["id"] for given in tags if "id" in given)
    assert set(names.values()) == {1}
    used = {given["href"] for given in tags if "xlink:href" not in given and "href" in given}
    assert {name.removeprefix("#") for name in used if name} <= names.keys()
    assert page.count("<title>Clyde</title>") == 1
    units = re.findall(r'class="unit[^"]*" data-unit="F NTH"', page[: page.index("4.B.4-e</h2>")])
    assert len(units) <= 2  # in the first example and, without idle units, in the smallest


def test_only_the_pages_own_script_may_run_and_nothing_is_loaded(page: str) -> None:
    for tag, given in Tags(page).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "image")
        assert not {"src", "xlink:href", "srcset"} & given.keys()
        assert (given.get("href") or "#").startswith("#")
        assert not any(name.startswith("on") for name in given)
        if given.get("http-equiv") == "Content-Security-Policy":
            assert (given["content"] or "").startswith("default-src 'none'; style-src")
    assert not re.search(r"https?:|@import|url\(", page)


def hostile_report(folder: Path) -> studies.ImpactReport:
    """A report on a game with such a name, on a map with such names."""
    evil = json.dumps(HOSTILE)
    board = folder / "hostile.yaml"
    board.write_text(
        f"extends: standard\nname: hostile\ntitle: {evil}\n"
        f"provinces: {{CLY: {{name: {evil}}}}}\n",
        encoding="utf-8",
    )  # fmt: skip
    case = CASES["6.G.8"]
    path = file_of(folder, [line_of(case.position, case.orders, HOSTILE)])
    found = studies.impact("4.A.3-b", path, map=str(board))
    (own,) = found.rules
    evil_power = replace(own.first[0].changed[0], power=HOSTILE, order=HOSTILE)
    named = replace(
        own, rules=HOSTILE, title=HOSTILE, by_map={HOSTILE: own.by_map["hostile"]},
        first=tuple(replace(one, changed=(evil_power,), cause=(HOSTILE,)) for one in own.first),
    )  # fmt: skip
    return replace(
        found, against=HOSTILE, skipped={HOSTILE: 1}, failures=(f"{HOSTILE}\x1b",), rules=(named,)
    )


@exhaustive
def test_hostile_names_stay_text(tmp_path: Path) -> None:
    page = dipsat.draw.impact_page(hostile_report(tmp_path), title=HOSTILE)
    tags = Tags(page)
    assert len(tags.scripts) == 1
    assert not any(tag == "img" for tag, _ in tags.found)
    assert page.count("onerror=alert(1)&gt;") > 8
    assert "\x1b" not in page


def test_what_is_missing_is_reported(report: studies.ImpactReport) -> None:
    gap = studies.NotJudged("no <rule> for it", 3, ("game 1 S1901M", "game 2 F1902M"))
    same = replace(report.rules[2], not_judged=(gap,))
    rest = replace(
        report, rules=(same, same), is_interrupted=True, skipped={"no owners": 1200},
        failures=tuple(f"line {at}: no game" for at in range(70)),
    )  # fmt: skip
    told = text_of(dipsat.draw.impact_page(rest))
    for text in (
        "Interrupted; this is what was found until then.", "No phase differs under any of them.",
        "1,200 not compared no owners: 1,200", "What could not be read line 0: no game",
        "line 69: no game",
        "3 phases cannot be judged under these rules 3, such as game 1 S1901M, game 2 F1902M: no "
        "&lt;rule&gt; for it", "No difference from datc in 2 phases.",
    ):  # fmt: skip
        assert text in told
    alone = replace(report, rules=(report.rules[2],))
    assert "No difference from datc in 2 phases." in text_of(dipsat.draw.impact_page(alone))
    empty = replace(report.rules[2], compared=0)
    assert "No phase could be compared." in page_of(report, empty)


@pytest.mark.parametrize(
    ("differ", "shown"),
    [(1, "0.05 %, or one phase in 2,000."), (600, "30.0 %, or one phase in 3.3."),
     (2000, "100.0 %, or one phase in 1.")],
)  # fmt: skip
def test_frequencies_are_shown_as_a_share_and_as_one_in_a_number(
    report: studies.ImpactReport, differ: int, shown: str
) -> None:
    own = replace(report.rules[0], compared=2000, differ=differ, games=3, first=(), smallest=())
    page = dipsat.draw.impact_page(replace(report, rules=(own,), boards=5))
    assert shown in page
    assert "in 3 of 7 games and random boards; " in page


def test_an_example_that_cannot_be_judged_again_is_in_words(report: studies.ImpactReport) -> None:
    own = report.rules[0]
    lost = replace(own.first[0], _rules=("datc", "no-such-rules"))
    page = page_of(report, replace(own, first=(lost,)))
    assert "The boards cannot be drawn: " in page
    assert re.search('<p class="given">France: A Belgium - Holland via convoy</p>', page)


def test_a_board_that_stays_the_same_is_told_from_one_that_differs(
    report: studies.ImpactReport,
) -> None:
    own = report.rules[0]
    example = replace(own.first[0], board_differs=False)
    same = replace(own, board_differs=0, board_games=0, first=(example,), smallest=())
    page = page_of(report, same, own)
    told = text_of(page)
    assert told.count("The board stays the same in every phase.") == 1
    assert told.count(f"{own.first[0].units} units; the board stays the same") == 1
    assert rows_of(page)[0][5] == "0"


def test_differences_in_the_next_positions_alone_are_shown(report: studies.ImpactReport) -> None:
    own = report.rules[0]
    after = {"centers": {"FRANCE": ["PAR"]}}, {"centers": {"FRANCE": ["PAR", "MAR"]}}
    example = replace(own.first[0], changed=(), next=after)
    page = page_of(report, replace(own, first=(example,)))
    told = text_of(page[: page.index("Smallest boards")])
    assert "All orders have the same results; what comes next differs." in told
    assert "Order datc 4.A.3-b Next centers France: PAR centers France: PAR, MAR" in told


def test_colours_and_brightness_are_as_elsewhere(report: studies.ImpactReport) -> None:
    one = replace(report, rules=report.rules[:1])
    assert "prefers-color-scheme" in dipsat.draw.impact_page(one)
    for dark, scheme in ((True, "dark"), (False, "light")):
        page = dipsat.draw.impact_page(one, dark=dark, colors={"FRANCE": "#123456"})
        assert "prefers-color-scheme" not in page
        assert f'<meta name="color-scheme" content="{scheme}">' in page
    assert "#123456" in page
    with pytest.raises(ArgumentError):
        dipsat.draw.impact_page(one, colors={"FRANCE": "blue"})


def test_the_command_writes_the_page(tmp_path: Path, report: studies.ImpactReport) -> None:
    path, page = cases_file(tmp_path, ["6.G.8"]), tmp_path / "impact.html"
    asked = ["rules", "impact", "4.A.3-b", "--games", path, "--html"]
    run = CliRunner().invoke(main, [*asked, str(page)])
    assert run.exit_code == 1, run.output
    expected = dipsat.draw.impact_page(studies.impact("4.A.3-b", path))
    assert page.read_text(encoding="utf-8") == expected
    (tmp_path / "folder.html").mkdir()
    lost = CliRunner().invoke(main, [*asked, str(tmp_path / "folder.html")])
    assert lost.exit_code == 2
    shown = "Against datc, on 1 phase of 1 game:"
    assert shown in lost.output  # the result is printed all the same
    nowhere = CliRunner().invoke(main, [*asked, str(tmp_path / "no" / "impact.html")])
    assert nowhere.exit_code == 2
    assert "there is no folder" in nowhere.output
    assert shown not in nowhere.output  # before the long work
    refused = CliRunner().invoke(main, [*asked, path])
    assert refused.exit_code == 2
    assert "is not a file for a page; its name should end in .html" in " ".join(
        refused.output.split()
    )


@exhaustive
def test_many_rule_sets_share_their_boards(report: studies.ImpactReport) -> None:
    """Boards that are the same under many rules are there once."""
    own = report.rules[0]
    many = tuple(replace(own, rules=f"{own.rules} {at}") for at in range(30))
    one, all_of_them = (
        len(dipsat.draw.impact_page(replace(report, rules=rules))) for rules in (many[:1], many)
    )
    assert all_of_them - one < 29 * 12_000
