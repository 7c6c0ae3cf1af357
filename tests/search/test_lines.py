"""Finding lines: the fewest units, conditions of the question, refusals, and sorties."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches
from dipsat.base import Limits
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.errors import DipsatError, QuestionError
from dipsat.rules import load_profile
from dipsat.searches import (
    HoldResult,
    LineEnemy,
    Lines,
    StalemateLine,
    confirm_fewest,
    lines_answer,
    parse_line,
    read_line,
)
from dipsat.searches.line_certificate import certificate_of
from dipsat.searches.line_finder import line_to_dict, windows
from dipsat.searches.line_placement import PlacementModel, SortieModel
from dipsat.searches.line_question import Terms, terms_of
from dipsat.solving import Budget, Fewest
from dipsat.solving.budget import ExhaustedError
from dipsat.solving.sat import has_sat_solver
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, parts_of
from tests.oracles import brute_lines
from tests.oracles.brute_sorties import as_plan, some_limits, some_line
from tools.atlas import record
from tools.atlas.recount import every_line

HOMES = ("ANK", "CON", "SMY")


def lines(**asked: Any) -> searches.LinesResult:
    return dipsat.search(searches.Lines(**asked))


@pytest.fixture(scope="module")
def turkish() -> searches.LinesResult:
    return lines(centres=HOMES, every=True)


@exhaustive
def test_lines_of_the_fewest_units_hold(turkish: searches.LinesResult) -> None:
    assert (turkish.verdict, turkish.fewest, turkish.bound) == ("found", 6, 6)
    assert len({line.units for line in turkish.lines}) == len(turkish.lines) > 1
    for held in turkish.held:
        assert held.verdict == "holds"
        assert certificate_of(held.line)["centres"] == list(HOMES)


def test_no_line_of_the_fewest_units_can_spare_a_unit(turkish: searches.LinesResult) -> None:
    text = "units: [%s]\nprotect: [%s]\nopen: [%s]\n"
    line = turkish.lines[0]
    for spare in line.units:
        units = ", ".join(str(unit) for unit in line.units if unit != spare)
        short = parse_line(text % (units, ", ".join(HOMES), units), "short.yaml")
        assert searches.hold_line(short).verdict == "breaks"


@exhaustive
@pytest.mark.parametrize("cases", parts_of([(2, 5, 2), (1, 5, 3), (0, 6, 3), (2, 7, 2)], 1))
def test_every_line_of_small_maps_is_found(cases: list[tuple[int, int, int]]) -> None:
    """Each choice of units and centres that holds with some region and some orders. Z3 counts them
    from the second statement, as for the atlas."""
    several = False
    for seed, size, most in cases:
        board = brute_lines.random_board(seed, size)
        read = brute_lines.as_map(board)
        for centres, expected in brute_lines.every_line(board, most).items():
            found = lines(centres=centres, map=read, every=True)
            listed = [
                (frozenset(map(str, line.units)), frozenset(line_to_dict(line)["centres"]))
                for line in found.lines
            ]
            assert set(listed) == expected, (seed, size, centres)
            assert len(listed) == len(expected)
            question = searches.Lines(centres=centres, map=read)
            assert set(every_line(question, found.bound)) == expected, (seed, size, centres)
            several |= len({units for units, _ in expected}) < len(expected)
    assert several, "no units close off one set of centres or another"


@exhaustive
@pytest.mark.parametrize(
    ("asked", "fewest"),
    [
        ({"given": ("A CON",)}, 7),
        ({"orders": ("F CON H",)}, 7),
        ({"enemy_units": 0, "orders": ("F ANK S F CON",)}, 2),
        ({"fleets": 4}, 7),
        ({"enemy_units": 3}, 5),
        ({"fleets_not_in": ("AEG", "BLA", "EAS")}, 2),
        ({"units": 5}, None),
        ({"self_sufficient": True}, None),
        ({"outside": ("BLA", "ARM")}, None),
    ],
)
def test_lines_meet_all_conditions_of_a_question(asked: dict[str, Any], fewest: int | None) -> None:
    """The line without fleets is that of docs/examples/line-turkey.yaml; its two armies hold."""
    found = lines(centres=HOMES, **asked)
    assert found.fewest == fewest
    for line in found.lines:
        texts = [*map(str, line.units), *line.order_texts(line.supports)]
        assert {*asked.get("given", ()), *asked.get("orders", ())} <= set(texts)
        assert sum(text.startswith("F") for text in map(str, line.units)) <= asked.get("fleets", 99)


LAKE_TEXT = """
name: lake
powers:
  OWN: {}
  ENEMY: {home: [DDD]}
provinces:
  AAA: {name: Alpha, type: coast, supply: true, army: [CCC], fleet: [SEA]}
  SEA: {name: Lake, type: sea, fleet: [AAA]}
  CCC: {name: Gamma, type: land, army: [AAA, DDD]}
  DDD: {name: Delta, type: land, supply: true, army: [CCC]}
"""
LAKE = parse_map(LAKE_TEXT, "lake.yaml")


def test_fleets_come_only_from_coasts_where_the_enemy_builds() -> None:
    """An army alone cannot hold Alpha against an army and a fleet, but no fleet can reach the lake;
    the line says that it assumes so. With fleets, another army must keep the land side."""
    asked: dict[str, Any] = {"centres": ("AAA",), "outside": ("SEA",), "map": LAKE, "power": "OWN"}
    assert lines(**asked).fewest == 2
    found = lines(**asked, fleets_arrive=True)
    assert found.fewest == 1
    assert found.lines[0].enemy.fleets_not_in == {"SEA"}


@exhaustive
def test_the_smallest_self_sufficient_line_is_von_metzkes() -> None:
    """Ten units for fifteen centres, published in 1966."""
    found = lines(self_sufficient=True, units=10)
    assert (found.fewest, found.bound) == (10, 10)
    assert len(found.to_dict()["centres"]) == 15


@exhaustive
def test_a_line_need_not_hold_the_home_centres_of_its_power() -> None:
    """No line holds the three French centres alone (docs/atlas/standard.md), but six fleets hold
    Turkey, whoever owns them."""
    france: dict[str, Any] = {"centres": 3, "power": "FRANCE"}
    none = lines(**france)
    assert (none.verdict, none.lines, none.fewest) == ("impossible", (), None)
    found = lines(**france, home=False)
    assert (found.fewest, found.bound) == (6, 6)
    assert {unit.power for unit in found.lines[0].units} == {"FRANCE"}


def test_fleets_come_from_every_centre_where_the_rules_let_the_enemy_build() -> None:
    """Beta is nobody's home; the enemy builds there only if it may build anywhere."""
    beta = "BBB: {name: Beta, type: coast, supply: true, army: [DDD], fleet: [SEA]}"
    text = LAKE_TEXT.replace("fleet: [AAA]}", f"fleet: [AAA, BBB]}}\n  {beta}")
    board = parse_map(text.replace("army: [CCC]}", "army: [BBB, CCC]}"), "lakes.yaml")
    asked = searches.Lines(("AAA",), outside=("SEA",), map=board, power="OWN", fleets_arrive=True)
    assert dipsat.search(asked).fewest == 1
    assert dipsat.search(asked, rules="build_anywhere").fewest == 2


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({}, "say how many centres"),
        ({"centres": 35}, "on the map standard it holds from 1 to 34"),
        ({"centres": 0}, "a line cannot hold 0 centres"),
        ({"centres": True}, "a whole number, a tuple or None, not True"),
        ({"centres": ("BLA",)}, "BLA is not a supply centre"),
        ({"centres": 2, "protect": HOMES}, "holds from 3 to 34"),
        ({"centres": 3, "units": -1}, "at least 0, not -1"),
        ({"centres": 3, "protect": ("CON",), "outside": ("CON",)}, "CON would be held and outside"),
        ({"centres": 3, "given": ("A CON",), "outside": ("CON",)}, "CON would be held and outside"),
        ({"centres": 3, "given": ("A CON", "F CON")}, "two units are given in CON"),
        ({"centres": 3, "given": ("A CON",), "orders": ("F BLA S F CON",)}, "given in CON"),
        ({"centres": 3, "enemy_units": -1}, "enemy_units should be a whole number of at least 0"),
        ({"centres": 3, "armies": -1}, "armies should be a whole number of at least 0"),
        ({"centres": 3, "protect": ["ANK"]}, "should be a tuple, not"),
        ({"centres": 3, "given": ("A BLA",)}, "cannot stand at sea"),
        ({"centres": 3, "orders": ("A CON - BUL",)}, "not a standing order"),
        ({"centres": 3, "orders": ("A CON S A SEV",)}, "cannot go to SEV"),
        ({"centres": 3, "orders": ("A CON H", "A CON S A BUL")}, "two orders"),
        ({"centres": 3, "power": "Turkey", "enemies": ("Turkey",)}, "TURKEY is the power"),
        ({"centres": 3, "home": False}, "which power's home centres"),
        ({"centres": 3, "power": "Atlantis"}, "'Atlantis'; known: AUSTRIA, ENGLAND"),
        ({"centres": 3, "protect": ("CNO",)}, "did you mean"),
        ({"centres": 3, "map": "nowhere"}, "'nowhere'; `dipsat maps list` lists them"),
    ],
)
def test_questions_that_contradict_themselves_are_refused(
    asked: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DipsatError, match=problem):
        lines(**asked)


@exhaustive
def test_without_time_the_best_line_and_the_bound_are_kept() -> None:
    seen = list[str]()

    def stop(text: str) -> None:
        seen.append(text)
        if "can hold that" in text:
            raise KeyboardInterrupt

    found = dipsat.search(searches.Lines(centres=HOMES), progress=stop)
    assert (found.verdict, found.reason) == ("unknown", "the search was interrupted")
    assert found.fewest is not None
    assert found.bound < found.fewest
    assert found.held[0].verdict == "holds"
    nothing = dipsat.search(searches.Lines(centres=15), limits=Limits(work=1))
    assert (nothing.verdict, nothing.lines, nothing.bound) == ("unknown", (), 0)


@exhaustive
def test_only_proven_lines_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt may come while a line is confirmed; the line is then not proven to hold."""
    judged = list[str]()

    def hold(line: StalemateLine, **given: Any) -> HoldResult:
        judged.append(str(line))
        result = searches.hold_line(line, **given)
        reason = "the search was interrupted"
        return result if len(judged) < 3 else replace(result, verdict="unknown", reason=reason)

    monkeypatch.setattr("dipsat.searches.line_finder.hold_line", hold)
    question = searches.Lines(centres=HOMES, fleets_not_in=("AEG", "BLA", "EAS"), every=True)
    found = dipsat.search(question)
    assert [one.verdict for one in found.held] == ["holds", "holds"]
    assert (found.verdict, len(judged)) == ("unknown", 3)
    assert "The 2 lines below have 2 units each; there may be more such lines." in " ".join(
        str(found).split()
    )


@exhaustive
def test_lists_may_be_given_in_parts() -> None:
    def told(*args: str) -> str:
        return CliRunner().invoke(main, ["search", "lines", *args]).output

    limits = ["--no-fleets-in", "AEG", "--no-fleets-in", "BLA,EAS"]
    found = told("--centres", "ANK", "--centres", "CON,SMY", *limits)
    assert "1 line of 2 units holds" in found
    assert "no fleets in AEG, BLA, EAS" in found
    assert "one number, or a list" in told("--centres", "3", "--centres", "ANK")
    assert "from 1 to 34" in told("--centres", "-3")
    assert "'many' is not a valid whole number" in told("--centres", "3", "--units", "many")
    for option in (("--centres",), ("--centres", "ANK", "--enemy-units")):
        assert "999..." in told(*option, "9" * 5_000)


@exhaustive
@pytest.mark.parametrize(
    ("last", "says"),
    [("1 line so far", "The line below has 2 units."),
     ("3 lines so far", "The 2 lines below have 2 units each; there may be more such lines.")],
)  # fmt: skip
def test_an_interrupt_keeps_the_lines_found_so_far(last: str, says: str) -> None:
    def stop(text: str) -> None:
        if text == last:
            raise KeyboardInterrupt

    asked = searches.Lines(centres=HOMES, fleets_not_in=("AEG", "BLA", "EAS"), every=True)
    found = dipsat.search(asked, progress=stop)
    assert (found.verdict, found.bound) == ("unknown", 2)
    assert len(found.lines) == max(1, int(last[0]) - 1)
    assert {one.verdict for one in found.held} == {"holds"}
    ((_, text),) = lines_answer(found)
    assert text.endswith(f"It is proven that no line has fewer than 2 units. {says}")


@exhaustive
def test_smaller_lines_are_not_ruled_out_under_rules_that_were_not_checked() -> None:
    """Where only a supported attack cuts a support, smaller lines may hold."""
    rules = ROOT / "docs/examples/cookbook/cut-with-support.yaml"
    none = dipsat.search(searches.Lines(centres=1), rules=rules)
    assert (none.verdict, none.lines, none.bound) == ("unknown", (), 0)
    assert "decisions: support" in none.reason
    some = dipsat.search(searches.Lines(centres=("AAA",), map=LAKE, power="OWN"), rules=rules)
    assert (some.verdict, len(some.lines), some.bound) == ("unknown", 1, 0)
    confirmed = searches.confirm_fewest(searches.Lines(centres=1), None, rules=rules)
    assert (confirmed.verdict, confirmed.reason) == ("unknown", none.reason)


@exhaustive
def test_the_command_prints_lines_json_pictures_and_certificates(tmp_path: Path) -> None:
    run = CliRunner().invoke
    command = ["search", "lines", "--centres", "ank,con,smy", "--no-fleets-in", "aeg,bla,eas"]
    done = run(main, [*command, "--json", "--output", str(tmp_path / "line.svg")])
    plain = json.loads(done.stdout)
    assert done.exit_code == 0
    assert list(plain)[:4] == ["verdict", "units", "orders", "region"]
    assert {"centres", "fewest", "bound"} <= plain.keys()
    assert plain["fewest"] == plain["bound"] == len(plain["units"]) == 2
    assert "<svg" in (tmp_path / "line.svg").read_text(encoding="utf-8")
    file = tmp_path / "lines.json"
    done = run(main, [*command, "--all", "--certificate", str(file)])
    assert done.stdout.startswith("FOUND")
    assert len(json.loads(file.read_text(encoding="utf-8"))) > 1
    none = run(main, ["search", "lines", "--centres", "1", "--output", str(tmp_path / "none.svg")])
    assert (none.exit_code, none.stdout.split()[0]) == (1, "IMPOSSIBLE")
    assert none.stderr == "no picture: no line was found\n"
    bad = run(main, ["search", "lines"])
    assert (bad.exit_code, bad.stderr.count("\n")) == (2, 1)


@cache
def model(name: str, centres: int) -> PlacementModel:
    return PlacementModel(terms_of(Lines(centres=centres, map=name), load_profile("datc")))


@exhaustive
def test_each_window_removes_a_part_and_together_they_cover_the_map() -> None:
    large = model("colonial", 9)
    gone = [frozenset(one) for one in windows(large)]
    assert len(gone) > 10
    assert {len(one) for one in gone} == {len(large.provinces) - 40}
    assert not frozenset.intersection(*gone)
    assert frozenset.union(*gone) <= {*large.outside.values()}
    assert not list(windows(model("standard", 9)))


@exhaustive
@pytest.mark.skipif(not has_sat_solver(), reason="steps are those of the SAT solver")
def test_few_steps_are_enough_for_a_smallest_line_in_a_window() -> None:
    large = model("colonial", 9)
    search = Fewest(large.problem, budget=Budget(2_000_000))
    with pytest.raises(ExhaustedError):
        search.search(guides=windows(large))
    (known,) = (one for one in record.read("colonial")["sizes"] if one["asked"] == {"centres": 9})
    assert (search.count, search.bound) == (known["fewest"], 0)


EXAMPLES = ROOT / "docs" / "examples"
FILES = sorted(EXAMPLES.glob("line-*.yaml"))
UNWRITTEN = ("open", "derived", "rules")
"""Open units hold, a stated region does not say how it was found, and rules may have another
path."""


def assert_same(one: searches.StalemateLine, other: searches.StalemateLine) -> None:
    for field in fields(one):
        if field.name not in UNWRITTEN:
            assert getattr(one, field.name) == getattr(other, field.name), field.name
    assert Path(one.rules.path).resolve() == Path(other.rules.path).resolve()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_lines_of_the_docs_are_read_back(file: Path) -> None:
    line = read_line(file)
    assert_same(parse_line(searches.write_line(line, EXAMPLES), str(file)), line)


def test_limits_of_the_enemy_and_rules_are_read_back(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("name: own\nextends: 4.A.2-1982\n", encoding="utf-8")
    text = """\
map: 1900
rules: own.yaml
power: FRANCE
units: [A GAS, A PAR]
orders: [A GAS S A PAR]
protect: [PAR]
enemy: {powers: [ITALY], units: 3, fleets_not_in: [MAO], armies_not_in: [BUR, PIC]}
"""
    folder = tmp_path / "lines"
    folder.mkdir()
    line = parse_line(text, str(tmp_path / "line.yaml"))
    written = searches.write_line(line, folder)
    assert "../own.yaml" in written
    assert_same(parse_line(written, str(folder / "line.yaml")), line)
    anybody = replace(line.enemy, powers=("ITALY", *line.enemy.powers[1:]))
    assert "powers: [ITALY]" in searches.write_line(replace(line, enemy=anybody), folder)


def test_names_that_yaml_would_misread_are_quoted(tmp_path: Path) -> None:
    board = parse_map(
        """\
name: odd
provinces:
  NO: {name: Nowhere, type: land, army: [YES]}
  YES: {name: Yesterday, type: land, army: [NO]}
powers:
  OWN: {home: []}
  FOE: {home: []}
""",
        str(tmp_path / "odd.yaml"),
    )
    line = read_line(EXAMPLES / "line-turkey.yaml")
    odd = replace(line, map=board, power="OWN", units=(), supports={}, region=frozenset({"NO"}))
    assert "'NO'" in searches.write_line(odd, tmp_path)


@exhaustive
def test_a_line_that_the_command_finds_can_be_changed_and_judged(tmp_path: Path) -> None:
    run, file = CliRunner().invoke, tmp_path / "line.yaml"
    asked = ["search", "lines", "--centres", "ank,con,smy", "--no-fleets-in", "aeg,bla,eas"]
    assert run(main, [*asked, "--line", str(file)]).exit_code == 0
    assert run(main, ["search", "hold", str(file)]).stdout.startswith("Line     F ARM H, F CON H")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[F ARM, F CON]", "[F CON]"), encoding="utf-8")
    assert run(main, ["search", "hold", str(file)]).exit_code == 1
    before = file.read_text(encoding="utf-8")
    none = run(main, ["search", "lines", "--centres", "1", "--line", str(file)])
    assert none.exit_code == 1
    assert "is not written: no line was found" in none.stderr
    assert file.read_text(encoding="utf-8") == before


MAP = ROOT / "docs/examples/sorties-map.yaml"
GATES = ("KEE", "LOW", "UPP")
ASKED: dict[str, Any] = {"map": MAP, "power": "OWN", "protect": GATES, "outside": ("NOR", "SOU")}


@exhaustive
def test_keep_can_be_held_only_by_sorties() -> None:
    """docs/examples/line-sorties.yaml, found again."""
    assert dipsat.search(searches.Lines(**ASKED)).verdict == "impossible"
    found = dipsat.search(searches.Lines(**ASKED, sorties=True))
    assert (found.verdict, found.fewest, found.bound) == ("found", 3, 3)
    (line,) = found.lines
    assert found.held[0].verdict == "holds"
    assert set(line.plan) == set(read_line(MAP.parent / "line-sorties.yaml").plan)
    plain = found.to_dict()
    assert plain["orders"] == ["A KEE H", "A LOW - SOU", "A UPP - NOR"]
    assert len(plain["states"]) == 4
    assert plain["outposts"] == plain["lines"][0]["outposts"] == ["NOR", "SOU"]
    assert {
        "units": ["A KEE", "A LOW", "A NOR"],
        "orders": ["A KEE H", "A LOW - SOU", "A NOR - UPP"],
        "retreats": [],
    } in (plain["states"])


def test_a_unit_with_a_given_order_makes_no_sortie() -> None:
    asked = {**ASKED, "orders": ("A LOW H",)}
    assert dipsat.search(searches.Lines(**asked, sorties=True)).verdict == "impossible"


def test_sorties_that_no_unit_needs_are_left_out() -> None:
    found = dipsat.search(searches.Lines(map=MAP, protect=("LOW",), power="OWN", sorties=True))
    assert (found.fewest, found.lines[0].plan) == (1, ())


def test_nothing_is_proven_under_rules_that_were_checked_only_for_lines_that_stay() -> None:
    asked = {**ASKED, "protect": ("KEE",), "units": 1}
    assert dipsat.search(searches.Lines(**asked), rules="1971").verdict == "impossible"
    found = dipsat.search(searches.Lines(**asked, sorties=True), rules="1971")
    assert (found.verdict, found.bound) == ("unknown", 0)
    assert "not checked" in found.reason


def test_the_command_says_where_sorties_go() -> None:
    command = ["search", "lines", "--map", str(MAP), "--power", "own", "--protect", "kee,low,upp"]
    done = CliRunner().invoke(main, [*command, "--outside", "nor,sou", "--sorties"])
    assert done.exit_code == 0
    assert "Sorties     to NOR, SOU; a unit that gets in comes back" in done.stdout
    refused = CliRunner().invoke(main, [*command, "--sorties", "--proof", "proof"])
    assert refused.exit_code == 2
    assert "--proof is about lines whose units stay" in refused.stderr
    two = ["--centres", "1", "--split", "2", "--sorties"]
    refused = CliRunner().invoke(main, [*command, *two])
    assert refused.exit_code == 2
    assert "`sorties` is about one line; leave it out with `split`" in refused.stderr


def test_only_lines_that_stay_are_confirmed_by_another_statement() -> None:
    with pytest.raises(QuestionError, match="leave out the sorties"):
        confirm_fewest(searches.Lines(**ASKED, sorties=True), 3)


class _AnyLine(SortieModel):
    """Lines that hold, whatever their centres and however wasteful."""

    def _demand(self) -> None:
        pass

    def _waste_nothing(self) -> None:
        pass


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(10), 3))
def test_conditions_of_random_lines_agree_with_hold(seeds: range) -> None:
    """`hold` knows nothing of what makes a line with sorties hold: it searches attacks on each
    state of the plan. Where it gives no verdict, own units go to a sea and a coast beside it."""
    verdicts = [one for seed in seeds for one in judged(seed)]
    assert {one for one in verdicts if one[1] != "unknown"} == {(True, "holds"), (False, "breaks")}
    assert sum(one[1] == "unknown" for one in verdicts) < len(verdicts) / 5


def judged(seed: int) -> Iterator[tuple[bool, str]]:
    """The verdicts of the model and of `hold` on random lines with sorties on a random map."""
    dice = random.Random(seed)
    board = brute_lines.random_board(seed, dice.choice((5, 6, 7)))
    for _ in range(20):
        limits = some_limits(dice, board, dice.choice((None, 1, 2, 3)))
        line, sorties = some_line(dice, board, limits)
        if not sorties or not any(
            brute_lines.units_in(board, one, limits) for one in board["kind"]
        ):
            continue
        banned = limits.fleets_not_in, limits.armies_not_in
        enemy = LineEnemy(("ENEMY",), *banned, limits.units)
        terms = Terms(brute_lines.as_map(board), "OWN", enemy=enemy)
        model, units = _AnyLine(terms), line.units.values()
        states = [
            *((one, str(place) in units) for place, one in model.own.items()),
            *((one, place in line.region) for place, one in model.region.items()),
            *((one, line.supports.get(at) == to) for (at, to), one in model.supports.items()),
            *((one, sorties.get(at) == to) for (at, to), one in model.sorties.items()),
        ]
        for one, is_so in states:
            model.problem.require(one if is_so else -one)
        fewest = Fewest(model.problem)
        fewest.search()
        held = searches.hold_line(as_plan(board, line, sorties))
        yield fewest.best is not None, held.verdict


ONE_WAY = """
name: one-way
powers: {OWN: {}, ENEMY: {}}
coasts: {NC: [north coast], SC: [south coast]}
one_way: {army: [[UPP, NOR]], fleet: [[LOW, SOU/NC]]}
provinces:
  KEE: {name: Keep, type: land, army: [NOR, SOU]}
  UPP: {name: Upper, type: land, army: [NOR]}
  LOW: {name: Lower, type: sea, fleet: [SOU/NC, SOU/SC]}
  NOR: {name: North, type: land, army: [KEE]}
  SOU: {name: South, type: coast, army: [KEE], fleet: {NC: [OFF], SC: [LOW]}}
  OFF: {name: Offing, type: sea, fleet: [SOU/NC]}
"""


def test_no_unit_goes_where_it_cannot_come_back() -> None:
    asked: dict[str, Any] = {"protect": GATES, "outside": ("NOR", "SOU"), "sorties": True}
    asked["power"] = "OWN"
    found = dipsat.search(searches.Lines(**asked, map=parse_map(ONE_WAY, "map.yaml")))
    assert (found.verdict, found.reason) == ("impossible", "")
    both_ways = ONE_WAY.replace("army: [[UPP, NOR]], ", "").replace(
        "land, army: [KEE]}", "land, army: [KEE, UPP]}"
    )
    found = dipsat.search(searches.Lines(**asked, map=parse_map(both_ways, "map.yaml")))
    assert (found.verdict, found.fewest) == ("found", 3)
    assert found.to_dict()["orders"] == ["A KEE H", "F LOW - SOU/SC", "A UPP - NOR"]


@exhaustive
def test_a_line_is_unknown_under_a_setting_that_the_proof_about_moves_does_not_cover() -> None:
    rules = dipsat.load_profile("datc", settings={"adjacent_convoy": "always"})
    question = searches.Lines(centres=1, sorties=True)
    assert dipsat.search(question).verdict == "impossible"
    found = dipsat.search(question, rules=rules)
    assert (found.verdict, found.bound) == ("unknown", 0)
    assert "settings: adjacent_convoy" in found.reason
