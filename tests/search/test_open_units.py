"""Open orders under rules that declare kinds of units and convoys: the facts of every order
set, and what is found or proven impossible against the adjudication of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

import pytest

import dipsat
from dipsat.game import Position
from dipsat.rules import Profile, load_profile, parse_profile
from dipsat.searches import Differ, Paradox
from dipsat.searches.paradox_goal import cycles_in, kinds_of
from tests.exhaustive import exhaustive, few_of
from tests.search import test_open_facts
from tests.search.open_boards import Board
from tests.search.test_open_declared import (
    SOLVERS,
    ask,
    board_after,
    check_explanations,
    check_goal,
    verdict,
)

AIRLIFT = """
name: airlift
extends: [wings, portage]
convoys:
  wing: {carries: [army, fleet], aboard: any}
"""
BOARDS: list[tuple[str, dict[str, list[str]]]] = [
    ("portage", {"RUSSIA": ["F BLA", "A SEV"], "TURKEY": ["F CON"]}),
    ("portage", {"FRANCE": ["F LYO", "A MAR", "A GAS"]}),
    ("portage", {"FRANCE": ["F LYO", "A MAR"], "GERMANY": ["A GAS", "A BUR"]}),
    ("portage", {"GERMANY": ["F KIE", "A DEN"], "RUSSIA": ["F FIN", "A SWE"]}),
    ("portage", {"ENGLAND": ["F NTH", "A DEN"], "GERMANY": ["A KIE", "F BAL"]}),
    ("portage", {"TURKEY": ["F BLA", "A BUL"], "AUSTRIA": ["A GRE", "A SER"]}),
    ("wings", {"FRANCE": ["W PAR", "A BUR"], "GERMANY": ["A MUN"]}),
    ("wings", {"ENGLAND": ["W NTH", "F ENG"], "FRANCE": ["A PIC"]}),
    ("airlift", {"ENGLAND": ["A YOR", "F NTH"], "FRANCE": ["W ENG"]}),
    ("airlift", {"TURKEY": ["F BLA", "W BUL"], "RUSSIA": ["A RUM"]}),
]


@cache
def rules_of(number: int) -> Profile:
    name = BOARDS[number][0]
    return parse_profile(AIRLIFT, "airlift.yaml") if name == "airlift" else load_profile(name)


def position(number: int) -> Position:
    return Position.from_units(BOARDS[number][1], rules=rules_of(number))


def named(number: int) -> str:
    rules, units = BOARDS[number]
    return f"{rules} {test_open_facts.units_named(units)}"


def board(number: int, seed: int, most: int) -> Board:
    found = Board(position(number), rules_of(number))
    found.fix_most(Random(f"{number} {seed}"), most)
    return found


@pytest.mark.parametrize("settings", few_of(test_open_facts.SETTINGS, 1))
@pytest.mark.parametrize("number", few_of(range(len(BOARDS)), 2), ids=named)
def test_facts_of_open_orders_are_those_of_the_orders_that_are_given(
    number: int, settings: str
) -> None:
    assert test_open_facts.check(position(number), test_open_facts.SETTINGS[settings], 40) == 40


def goals(asked: Board, random: Random) -> Sequence[str]:
    """A question about the provinces where units are and where they could go."""
    units = asked.position.units
    reach = asked.position.map.reach_provinces
    one, other = random.choice(units), random.choice(units)
    near = sorted(reach(one.kind, one.location))
    return (
        f"stands({random.choice(near)}, {one.power})",
        f"goes({one.province}, {random.choice(near)}) and not stays({other.province})",
        f"not dislodged({one.province})",
        f"any(goes({one.province}, p) for p in provinces if p.kind == 'sea')",
    )


OTHERS: Mapping[str, str] = {
    "portage": "portage+4.A.2-all-hold", "wings": "wings+4.A.7-a", "airlift": "",
}  # fmt: skip


@exhaustive
@pytest.mark.parametrize(("number", "seed"), few_of([(at, at % 2) for at in range(len(BOARDS))], 1))
def test_search_finds_exactly_what_some_order_set_shows(number: int, seed: int) -> None:
    asked, random = board(number, seed, 150), Random(seed)
    kinds = {kind for outcome in asked.outcomes for kind in cycles_in(outcome)}
    for kind in kinds_of(asked.rules):
        found = ask(asked, Paradox(kind), random.choice(SOLVERS))
        assert found.verdict == verdict(kind in kinds), kind
    for text in goals(asked, random):
        check_goal(asked, text, random)
    other = OTHERS[asked.rules.name]
    if other:
        pairs = zip(asked.outcomes, asked.outcomes_under(load_profile(other)), strict=True)
        exists = any(board_after(one) != board_after(two) for one, two in pairs)
        found = ask(asked, Differ(load_profile(other)), random.choice(SOLVERS))
        assert found.verdict == verdict(exists)


SMALL: list[tuple[str, dict[str, list[str]]]] = [
    ("portage", {"RUSSIA": ["F BLA", "A SEV"]}),
    ("portage", {"FRANCE": ["F LYO"], "GERMANY": ["A MAR"]}),
    ("portage", {"FRANCE": ["F POR", "A SPA"], "ITALY": ["F WES"]}),
    ("wings", {"FRANCE": ["W PAR"], "GERMANY": ["A BUR"]}),
    ("wings", {"FRANCE": ["W BRE", "A PAR"], "ENGLAND": ["F ENG"]}),
]


@pytest.mark.parametrize("seed", few_of(range(2), 1))
@pytest.mark.parametrize("number", few_of(range(len(SMALL)), 1))
def test_responsible_orders_and_changes_are_those_of_all_order_sets(number: int, seed: int) -> None:
    rules, units = SMALL[number]
    profile = load_profile(rules)
    asked = Board(Position.from_units(units, rules=profile), profile)
    check_explanations(asked, Random(f"{number} {seed}"))


def test_a_search_finds_how_a_fleet_is_carried() -> None:
    units = {"RUSSIA": ["F BLA", "A SEV", "A MOS", "A STP"]}
    asked = Position.from_units(units, rules=load_profile("portage"))
    goal = dipsat.Achieve("any(goes(BLA, p) for p in provinces if p.code == 'BAR')")
    found = dipsat.search(asked, goal, rules="portage", open="all")
    assert sorted(found.orders["RUSSIA"]) == [
        "A MOS C F BLA - BAR", "A SEV C F BLA - BAR", "A STP C F BLA - BAR", "F BLA - BAR VIA",
    ]  # fmt: skip
    without = dipsat.search(asked, goal, {"RUSSIA": ["A MOS H"]}, rules="portage")
    assert without.verdict == "impossible"
