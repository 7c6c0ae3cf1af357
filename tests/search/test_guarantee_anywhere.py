"""Guarantees for units that may stand anywhere, against every position, order and answer."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

import dipsat
from dipsat import Achieve, Guarantee, Position, searches
from dipsat.errors import ArgumentError, QuestionError
from dipsat.game import legal_order_texts, standings
from dipsat.searches import AnyUnits, OpenPosition
from tests.exhaustive import exhaustive

BOARD = dipsat.load_map("standard")
RULES = dipsat.load_profile("datc")
REGIONS = (
    ("A LON", "A WAL", "A PIC", "A BRE", "A BEL", "F LON", "F BRE", "F WAL", "F ENG", "F NTH"),
    ("A SPA", "A POR", "A GAS", "F SPA/SC", "F SPA/NC", "F POR", "F MAO", "F WES", "F LYO"),
    ("A CON", "A SMY", "A BUL", "A ANK", "F ANK", "F CON", "F BUL/EC", "F BLA", "F AEG"),
)
GOALS = (
    "stands({0}, FRANCE)", "stands({0}, ITALY)", "enters({0})", "not enters({0})", "stays({0})",
    "not occupied({0})", "dislodged({0})", "goes({0}, {1})", "moves({0}) and not dislodged({1})",
    "not any(dislodge(u) for u in units)",
)  # fmt: skip
"""About the province of the other side and another one."""


def question_at_random(
    random: Random, own: int, others: int, third: str
) -> tuple[dict[str, list[str | AnyUnits]], str]:
    """Units of France with a few places each, known ones of Italy among them, and a goal.

    `third` is the power that the last known unit belongs to.
    """
    region = list(random.choice(REGIONS))
    random.shuffle(region)
    known: list[str] = []
    while len(known) < others:
        unit = region.pop()
        if unit[2:5] not in [one[2:5] for one in known]:
            known.append(unit)
    codes = [one[2:5] for one in known]
    places = [one for one in region if one[2:5] not in codes]
    units: dict[str, list[str | AnyUnits]] = {"FRANCE": [], "ITALY": [*known[:-1]]}
    units.setdefault(third, []).append(known[-1])
    for _ in range(own):
        kind = random.choice("AF")
        among = {one[2:5] for one in places if one[0] == kind}
        chosen = random.sample(sorted(among), min(len(among), random.choice((1, 2))))
        units["FRANCE"].append(AnyUnits(1, kind, tuple(chosen)))
    goal = random.choice(GOALS)
    return units, goal.format(random.choice(codes), random.choice(places)[2:5])


def positions(units: Mapping[str, list[str | AnyUnits]]) -> list[Position]:
    """Every position of the units."""
    own = [one for one in units["FRANCE"] if isinstance(one, AnyUnits)]
    known = {power: [one for one in units[power] if isinstance(one, str)] for power in units}
    found = []
    for standing in product(*(tuple(standings(one, BOARD)) for one in own)):
        placed = [f"{kind} {place}" for kind, place in standing]
        codes = [unit[2:5] for unit in (*placed, *(one for each in known.values() for one in each))]
        if len(set(codes)) == len(codes):
            found.append(Position.from_units({**known, "FRANCE": [*placed, *known["FRANCE"]]}))
    return found


def agrees(seed: int, own: int, others: int, third: str = "ITALY") -> str:
    """Ask about all positions at once and about each; the verdict, if it is the same."""
    random = Random(seed)
    units, goal = question_at_random(random, own, others, third)
    each = positions(units)
    if not each:
        return "refused"
    orders: dict[str, list[str]] = {}
    if others > 1 and random.random() < 0.5:  # one of them keeps its order
        unit = [one for one in units[third] if isinstance(one, str)][-1]
        texts = legal_order_texts(random.choice(each), RULES.settings)[unit]
        orders = {third: [random.choice([one for one in texts if "/" not in one[6:]])]}
    question = Guarantee(goal, "FRANCE")
    found = dipsat.search(OpenPosition.from_units(units), question, orders)
    verdicts = {dipsat.search(one, question, orders).verdict for one in each}
    verdict = "found" if "found" in verdicts else "impossible"
    assert found.verdict == verdict, (seed, units, orders, goal)
    if verdict == "found":
        there = Position.from_units(found.units)
        assert there in each
        given = {**orders, "FRANCE": list(found.orders["FRANCE"])}
        against = dipsat.search(there, Achieve(f"not ({goal})"), given)
        assert against.verdict == "impossible", (seed, found)
    return verdict


@pytest.mark.parametrize(
    ("seed", "own", "others", "third"),
    [(0, 1, 1, "ITALY"), (3, 2, 2, "ITALY"), (5, 2, 2, "AUSTRIA"), (5, 1, 3, "FRANCE")],
)
def test_a_guarantee_for_units_anywhere_agrees_with_one_for_each_position(
    seed: int, own: int, others: int, third: str
) -> None:
    agrees(seed, own, others, third)


@exhaustive
def test_many_guarantees_for_units_anywhere_agree_with_those_for_each_position() -> None:
    sizes = [(1, 2), (2, 1), (2, 2), (2, 3), (3, 1)]
    verdicts = [agrees(seed, *sizes[seed % 5]) for seed in range(300, 315)]
    assert verdicts.count("found") >= 2
    assert verdicts.count("impossible") >= 8


@exhaustive
@pytest.mark.parametrize("third", ["AUSTRIA", "FRANCE"])
def test_many_guarantees_with_units_of_a_third_power_or_known_ones_of_its_own_agree(
    third: str,
) -> None:
    """Units that support or cut each other belong to two powers, or France's own is known."""
    sizes = [(1, 3), (2, 2), (2, 3), (1, 2)]
    verdicts = [agrees(seed, *sizes[seed % 4], third) for seed in range(400, 416)]
    assert verdicts.count("found") >= 2
    assert verdicts.count("impossible") >= 8


def test_three_units_take_venice_whatever_its_two_defenders_do() -> None:
    """Every order of Italy is adjudicated."""
    units = {"AUSTRIA": "any 3", "ITALY": ["A VEN", "A TUS"]}
    question = Guarantee("stands(VEN, AUSTRIA)", "AUSTRIA")
    found = dipsat.search(OpenPosition.from_units(units), question)
    assert list(found.orders) == ["AUSTRIA"]
    there = Position.from_units(found.units)
    legal = legal_order_texts(there, RULES.settings)
    for answer in product(legal["A VEN"], legal["A TUS"]):
        after = dipsat.adjudicate(there, {**found.orders, "ITALY": answer}).next
        assert any(unit.province == "VEN" and unit.power == "AUSTRIA" for unit in after.units)


def test_one_unit_stops_a_lone_army_that_two_provinces_are_open_to() -> None:
    """Italy keeps Austria out of one province by moving there, but not out of two."""
    units = {"ITALY": "any 1 army in TYR", "AUSTRIA": ["A VIE"]}
    position = OpenPosition.from_units(units)
    both = Guarantee("not stands(BOH, AUSTRIA) and not stands(GAL, AUSTRIA)", "ITALY")
    assert dipsat.search(position, both).verdict == "impossible"
    one = dipsat.search(position, Guarantee("not stands(BOH, AUSTRIA)", "ITALY"))
    assert one.orders == {"ITALY": ("A TYR - BOH",)}


def test_only_units_of_the_power_of_a_guarantee_may_stand_anywhere() -> None:
    question = Guarantee("enters(VEN)", "ITALY")
    for units, whose in (
        ({"ITALY": "any 1", "AUSTRIA": "any 1"}, "units of Austria"),
        ({"ITALY": "any 1", "any": "any 1"}, "units of any power"),
        ({"AUSTRIA": "any 1"}, "units of Austria"),
    ):
        with pytest.raises(QuestionError, match=f"{whose} may stand anywhere.*search hold"):
            dipsat.search(OpenPosition.from_units(units), question)
    with pytest.raises(QuestionError, match=r"4\.B\.4"):
        dipsat.search(OpenPosition.from_units({"ITALY": "any 1"}), question, rules="4.B.4-a")
    with pytest.raises(ArgumentError, match="ITALY, for which the guarantee is"):
        searches.search_smallest(question, power="Austria")


def test_a_guarantee_that_takes_too_long_says_what_was_tried() -> None:
    units = {"ENGLAND": "any 3", "FRANCE": ["A BRE", "A PAR"]}
    question = Guarantee("stands(BRE, ENGLAND)", "ENGLAND")
    limits = dipsat.Limits(work=3_000)
    found = dipsat.search(OpenPosition.from_units(units), question, limits=limits)
    assert found.verdict == "unknown"
    assert "of 5 units" in found.reason


def test_progress_says_whose_units_are_counted() -> None:
    said = list[str]()
    beside = Position.from_units({"ITALY": ["A ROM"]})
    question = dipsat.Achieve("stands(VEN, ITALY)")
    searches.search_smallest(question, beside=beside, power="ITALY", most=2, progress=said.append)
    assert said[0].startswith("1 unit of Italy: trying")
    said.clear()
    question = dipsat.Achieve("dislodged(ROM)")
    searches.search_smallest(question, beside=beside, most=2, progress=said.append)
    assert any(one.startswith("2 units: trying") for one in said)
