"""Lines whose units go out and come back, found by the solver and judged as plans."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.errors import QuestionError
from dipsat.searches import LineEnemy, confirm_fewest, read_line
from dipsat.searches.line_placement import SortieModel
from dipsat.searches.line_question import Terms
from dipsat.solving import Fewest
from tests.checkout import ROOT
from tests.exhaustive import parts_of
from tests.oracles import brute_lines
from tests.oracles.brute_sorties import as_plan, some_limits, some_line

MAP = ROOT / "docs/examples/sorties-map.yaml"
GATES = ("KEE", "LOW", "UPP")
ASKED: dict[str, Any] = {"map": MAP, "power": "OWN", "protect": GATES, "outside": ("NOR", "SOU")}


def test_keep_is_held_by_sorties_alone() -> None:
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
    assert "Sorties     to NOR, SOU; who gets in there comes back" in done.stdout
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
    """Lines that hold, whatever they hold and however wasteful they are."""

    def _demand(self) -> None:
        pass

    def _waste_nothing(self) -> None:
        pass


@pytest.mark.parametrize("seeds", parts_of(range(10), 2))
def test_conditions_of_random_lines_agree_with_hold(seeds: range) -> None:
    """`hold` knows nothing of what makes a line with sorties hold: it searches attacks on each
    state of the plan. Where it gives no verdict, own units go both to a sea and a coast beside."""
    verdicts = [one for seed in seeds for one in judged(seed)]
    assert {one for one in verdicts if one[1] != "unknown"} == {(True, "holds"), (False, "breaks")}
    assert sum(one[1] == "unknown" for one in verdicts) < len(verdicts) / 5


def judged(seed: int) -> Iterator[tuple[bool, str]]:
    """For random lines with sorties on a random map, what the model says and what `hold` says."""
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


def test_a_setting_that_the_proof_about_moves_does_not_cover_leaves_it_unknown() -> None:
    rules = dipsat.load_profile("datc", settings={"adjacent_convoy": "always"})
    question = searches.Lines(centres=1, sorties=True)
    assert dipsat.search(question).verdict == "impossible"
    found = dipsat.search(question, rules=rules)
    assert (found.verdict, found.bound) == ("unknown", 0)
    assert "settings: adjacent_convoy" in found.reason
