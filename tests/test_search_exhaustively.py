"""What `dipsat.search` finds or proves impossible, against the adjudication of all order sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from random import Random

import pytest

import dipsat
from dipsat.board.load import load_map
from dipsat.datc import load_cases
from dipsat.game.legal_orders import legal_order_texts
from dipsat.game.position import Position
from dipsat.profiles.load import parse_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.movement import MovementOutcome
from dipsat.questions import Achieve, Differ, Guarantee, Paradox, Question
from dipsat.questions.differ import differences
from dipsat.questions.goal import read_goal
from dipsat.questions.paradox import cycles_in, kinds_of
from dipsat.solving.sat import has_sat_solver

ROOT = Path(__file__).resolve().parent.parent
MOST_SETS = 500
"""Order sets of a position that are all adjudicated; units whose orders would make more are given
one of theirs."""

MOST_UNITS = 6
POWERS = ("ENGLAND", "FRANCE", "TURKEY")
CROWDS = [str(seed) for seed in range(16)]
TENSE = [
    f"{case.name}/{variant}"
    for section, variants in (("6.C", 1), ("6.F", 2), ("6.G", 1))
    for case in load_cases([section])
    if len(case.position.units) <= MOST_UNITS
    for variant in range(variants)
]
CASES = [*TENSE, *CROWDS]
OTHERS = ("4.A.2-all-hold", "4.A.7-a", "rulebooks/1982", "rulebooks/2000")
Orders = Mapping[str, str]


class Case:
    """A position, its orders that are fixed, and those that are open."""

    def __init__(self, name: str) -> None:
        self.random = Random(name)
        self.position, usual = crowd(self.random) if name.isdigit() else tense(name)
        legal = legal_order_texts(self.position, dipsat.load_profile("datc").settings)
        self.choices = {unit: list(orders) for unit, orders in legal.items()}
        self.fixed: dict[str, str] = {}
        while prod(len(orders) for orders in self.choices.values()) > MOST_SETS:
            unit = self.random.choice([u for u, orders in self.choices.items() if len(orders) > 1])
            self.fixed[unit] = usual.get(unit) or self.random.choice(self.choices[unit])
            self.choices[unit] = [self.fixed[unit]]
        self.powers = {str(unit): unit.power for unit in self.position.units}

    @property
    def given(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for unit, order in self.fixed.items():
            found.setdefault(self.powers[unit], []).append(order)
        return found

    def order_sets(self) -> Iterator[Orders]:
        for orders in product(*self.choices.values()):
            yield dict(zip(self.choices, orders, strict=True))

    def outcomes(self, rules: str | Profile) -> list[MovementOutcome]:
        return _outcomes(self.position, rules, self)

    def ask(self, question: Question, rules: str | Profile = "datc") -> dipsat.SearchResult:
        return dipsat.search(
            self.position, question, self.given, rules=rules, solver=self.random.choice(SOLVERS)
        )


def crowd(random: Random) -> tuple[Position, Orders]:
    """A few units close together, and no orders that they usually get."""
    board = load_map("standard")
    centre = random.choice(["ENG", "ION", "NTH", "AEG", "BAL", "BUR", "SER", "LYO", "ROM"])
    around = sorted(sorted(board.provinces), key=lambda p: (_steps(centre)[p], random.random()))
    units: dict[str, list[str]] = {}
    for place in sorted(around[: random.randint(6, 7)])[: random.randint(3, 5)]:
        province = board.provinces[place]
        kind = {"land": "A", "sea": "F"}.get(province.kind) or random.choice("AF")
        location = random.choice(province.locations) if kind == "F" else place
        units.setdefault(random.choice(POWERS), []).append(f"{kind} {location}")
    return Position.from_units(units), {}


def tense(name: str) -> tuple[Position, Orders]:
    """The position and the orders of a DATC case (what is opened differs with the variant)."""
    (found,) = load_cases([name.partition("/")[0]])
    outcome = dipsat.adjudicate(found.position, found.orders)
    legal = (one for one in outcome.orders if one.verdict != "illegal")
    return found.position, {one.unit: one.order for one in legal}


SOLVERS = ("z3", "sat") if has_sat_solver() else ("z3",)


@cache
def _steps(centre: str) -> Mapping[str, int]:
    board = load_map("standard")
    found, fringe = {centre: 0}, [centre]
    for place in fringe:
        for other in sorted(
            board.army.get(place, frozenset()) | board.water.get(place, frozenset())
        ):
            if other not in found:
                found[other] = found[place] + 1
                fringe.append(other)
    return {place: found.get(place, 99) for place in board.provinces}


@cache
def case(name: str) -> Case:
    return Case(name)


@cache
def _outcomes(position: Position, rules: str | Profile, asked: Case) -> list[MovementOutcome]:
    found = []
    for orders in asked.order_sets():
        given: dict[str, list[str]] = {}
        for unit, order in orders.items():
            given.setdefault(asked.powers[unit], []).append(order)
        outcome = dipsat.adjudicate(position, given, rules)
        assert isinstance(outcome, MovementOutcome)
        found.append(outcome)
    return found


def verdict(exists: bool) -> str:
    return "found" if exists else "impossible"


@pytest.mark.parametrize("name", CASES)
def test_paradoxes_are_found_exactly_where_some_order_set_has_one(name: str) -> None:
    asked = case(name)
    kinds = {kind for outcome in asked.outcomes("datc") for kind in cycles_in(outcome)}
    for kind in kinds_of(dipsat.load_profile("datc")):
        assert asked.ask(Paradox(kind)).verdict == verdict(kind in kinds), kind
    assert asked.ask(Paradox()).verdict == verdict(bool(kinds))


@pytest.mark.parametrize("name", CASES)
def test_profiles_differ_exactly_where_some_order_set_shows_it(name: str) -> None:
    asked = case(name)
    other = "4.A.2-all-hold" if "6.F" in name else OTHERS[CASES.index(name) % len(OTHERS)]
    pairs = zip(asked.outcomes("datc"), asked.outcomes(other), strict=True)
    exists = any(differences(*pair) for pair in pairs)
    assert asked.ask(Differ(other)).verdict == verdict(exists)


def goals(asked: Case) -> list[str]:
    provinces = [unit.province for unit in asked.position.units]
    one, two = asked.random.sample(provinces, 2)
    power = asked.position.units[0].power
    return [
        f"dislodged({one})",
        f"goes({one}, {two})",
        f"enters({one}) and not moves({two})",
        f"sum(stands(p, {power}) for p in provinces if p.supply) >= 2",
        f"all(not dislodge(u) for u in units if u.power == {power}) and moves({one})",
    ]


@pytest.mark.parametrize("name", CASES)
def test_goals_are_achieved_exactly_where_some_order_set_does(name: str) -> None:
    asked = case(name)
    for text in goals(asked):
        goal = read_goal(text, dipsat.load_profile("datc"), asked.position.map)
        exists = any(goal.holds(outcome) for outcome in asked.outcomes("datc"))
        assert asked.ask(Achieve(text)).verdict == verdict(exists), text


@pytest.mark.parametrize("name", CASES)
def test_goals_are_guaranteed_exactly_where_some_own_orders_always_reach_them(name: str) -> None:
    asked = case(name)
    power = asked.position.units[-1].power
    profile = dipsat.load_profile("datc")
    own = [unit for unit in asked.choices if asked.powers[unit] == power]
    place = asked.position.units[-1].province
    for text in (f"stands({place}, {power})", f"not dislodged({place})", *goals(asked)[2:]):
        goal = read_goal(text, profile, asked.position.map)
        always: dict[tuple[str, ...], bool] = {}
        for orders, outcome in zip(asked.order_sets(), asked.outcomes("datc"), strict=True):
            mine = tuple(orders[unit] for unit in own)
            always[mine] = always.get(mine, True) and goal.holds(outcome)
        assert asked.ask(Guarantee(text, power)).verdict == verdict(any(always.values())), text


HOUSE_RULES = (
    "winners-bounce",
    "mutual-support",
    "convoys-cut-nothing",
    "4.A.4-brannan",
    "hanging",
)
HANGING = """
name: hanging
extends: datc
define:
  # Who is supported itself only supports while those supports are cut: chains and circles of
  # negations, and below a move that has several resolutions of its own.
  overrun(s): dislodge(s.unit) or any(support(o) for o in s.unit.supports)
decisions:
  move(m):
    convoy_disrupted: path(m)
    own_unit_stays: vacated(m) or all(u.power != m.power for u in m.target.units)
    beaten_head_to_head: >
      all(attack_strength(m) > defend_strength(o) for o in against(m) if meets(m, o))
    too_weak: head_on(m) or attack_strength(m) > hold_strength(m.target)
    bounced: all(attack_strength(m) > prevent_strength(r) or not move(r) for r in m.rivals)
"""


@pytest.mark.parametrize("rule", HOUSE_RULES)
@pytest.mark.parametrize("name", ["6.C.1/0", "6.F.14/0", "6.F.16/0", "1", "4", "9"])
def test_searches_are_right_under_rules_of_whose_cycles_nothing_is_proven(
    name: str, rule: str
) -> None:
    asked = case(name)
    path = ROOT / "docs" / "examples" / "theorems" / f"{rule}.yaml"
    if rule == "hanging":
        profile = parse_profile(HANGING, "hanging.yaml")
    else:
        profile = dipsat.load_profile(path if path.exists() else rule)
    outcomes = asked.outcomes(profile)
    kinds = {kind for outcome in outcomes for kind in cycles_in(outcome)}
    for kind in kinds_of(profile):
        assert asked.ask(Paradox(kind), profile).verdict == verdict(kind in kinds), kind
    for text in goals(asked):
        goal = read_goal(text, profile, asked.position.map)
        exists = any(goal.holds(outcome) for outcome in outcomes)
        assert asked.ask(Achieve(text), profile).verdict == verdict(exists), text
