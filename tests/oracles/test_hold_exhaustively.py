"""Whether a line holds, against every position and every order of an enemy on a small map."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product

import pytest

import dipsat
from dipsat.board import parse_map, province_of
from dipsat.game import Position, legal_orders
from dipsat.orders import Unit, unit_of
from dipsat.rules import Profile, load_profile
from dipsat.searches import LineEnemy, StalemateLine, hold_line
from dipsat.searches.line import closure
from tests.exhaustive import exhaustive, few_of, parts_of

BOARD = parse_map(
    """
name: bay
powers:
  OWN: {}
  ONE: {}
  TWO: {}
provinces:
  AAA: {name: Alpha, type: coast, army: [BBB, LLL], fleet: [BBB, SEA]}
  BBB: {name: Beta, type: coast, army: [AAA, CCC, LLL], fleet: [AAA, CCC, SEA]}
  CCC: {name: Gamma, type: coast, army: [BBB, DDD], fleet: [BBB, SEA, OCE]}
  DDD: {name: Delta, type: coast, army: [CCC], fleet: [OCE]}
  EEE: {name: Epsilon, type: coast, fleet: [SEA, OCE]}
  LLL: {name: Lambda, type: land, army: [AAA, BBB]}
  SEA: {name: Sea, type: sea, fleet: [AAA, BBB, CCC, EEE, OCE]}
  OCE: {name: Ocean, type: sea, fleet: [CCC, DDD, EEE, SEA]}
""",
    "bay.yaml",
)


def breaks(line: StalemateLine, most: int, powers: tuple[str, ...]) -> bool:
    """Whether some position with `most` enemy units, and some orders, break a line."""
    supports = {line.power: line.order_texts(line.supports)}
    for enemies in placements(line, most, powers):
        position = Position(BOARD, tuple(sorted((*line.units, *enemies), key=lambda u: u.location)))
        candidates = legal_orders(position, line.rules.settings)
        for orders in product(*(candidates[str(unit)] for unit in enemies)):
            given: dict[str, list[object]] = {line.power: list(supports[line.power])}
            for unit, order in zip(enemies, orders, strict=True):
                given.setdefault(unit.power, []).append(order)
            outcome = dipsat.adjudicate(position, given, line.rules)  # type: ignore[arg-type]
            if any(one.power == line.power for one in outcome.dislodged):
                return True
            for power in powers:
                places = {province_of(unit.split()[1]) for unit in outcome.units.get(power, ())}
                if places & (line.region | line.by_province.keys()):
                    return True
    return False


def placements(
    line: StalemateLine, most: int, powers: tuple[str, ...]
) -> Iterator[tuple[Unit, ...]]:
    """Every way to place up to `most` enemy units; the first power has the first of them."""
    for number in range(1, most + 1):
        for units in combinations(line.enemies, number):
            if len({unit.province for unit in units}) < number:
                continue
            for owners in product(powers, repeat=number):
                if owners[0] == powers[0]:
                    yield tuple(
                        unit_of(power, unit.kind, unit.location)
                        for power, unit in zip(owners, units, strict=True)
                    )


def some_line(seed: int, rules: Profile, most: int) -> StalemateLine:
    """A line of one to three units that hold or support, with some region behind it."""
    dice = random.Random(seed)
    provinces = sorted(BOARD.provinces)
    own = dice.sample(provinces, dice.choice((2, 3, 4)))
    units = []
    for code in sorted(own):
        kind = {"land": "A", "sea": "F"}.get(BOARD.provinces[code].kind) or dice.choice("AF")
        units.append(Position.from_units({"OWN": [f"{kind} {code}"]}, BOARD).units[0])
    rest = [code for code in provinces if code not in own]
    enemy = LineEnemy(("ONE", "TWO"), units=most)
    region = frozenset(dice.sample(rest, dice.choice((0, 1, 2))))
    if dice.random() < 0.8:  # else somebody just walks in
        region = closure(BOARD, frozenset(own), enemy, region)
        region = frozenset() if len(region) == len(rest) else region
    line = StalemateLine(BOARD, rules, "OWN", tuple(units), {}, frozenset(), region, enemy)
    supports = {}
    for unit in units:
        aims = line.can_support(unit)
        if aims and dice.random() < 0.7:
            supports[unit.province] = dice.choice(aims)
    return StalemateLine(BOARD, rules, "OWN", tuple(units), supports, frozenset(), region, enemy)


def check(seeds: range, rules: str, most: int, powers: tuple[str, ...]) -> list[str]:
    """The verdicts on random lines, each compared with all positions and orders."""
    profile, verdicts = load_profile(rules), []
    for seed in seeds:
        line = some_line(seed, profile, most)
        found = hold_line(line)
        assert (found.verdict == "breaks") == breaks(line, most, powers), (seed, line)
        verdicts.append(found.verdict)
    return verdicts


@exhaustive
@pytest.mark.parametrize("rules", few_of(["datc", "rulebooks/1971", "rulebooks/dptg"], 1))
@pytest.mark.parametrize("seeds", parts_of(range(7), 3))
def test_verdicts_are_those_of_all_positions_with_two_units(seeds: range, rules: str) -> None:
    verdicts = check(seeds, rules, 2, ("ONE", "TWO"))
    assert set(verdicts) == {"holds", "breaks"}


@exhaustive
def test_verdicts_are_those_of_all_positions_with_three_units() -> None:
    verdicts = check(range(8), "datc", 3, ("ONE",))
    assert set(verdicts) == {"holds", "breaks"}
