"""What `dipsat.search` finds or proves impossible, against the adjudication of all order sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from math import prod
from random import Random

import pytest

import dipsat
from dipsat.board import load_map
from dipsat.errors import UnresolvedError
from dipsat.game import Position
from dipsat.outcomes import MovementOutcome
from dipsat.rules import Profile, parse_profile
from dipsat.searches import Achieve, Differ, Guarantee, Paradox, Question
from dipsat.searches.achievement_goal import Goal, read_goal
from dipsat.searches.cegar import Judged
from dipsat.searches.difference_goal import differences
from dipsat.searches.paradox_goal import cycles_in, kinds_of
from dipsat.solving.sat import has_sat_solver
from dipsat.studies.datc_runs import load_cases
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.legal_texts import legal_order_texts

MOST_SETS = 300
"""The most order sets of a position, all of which are adjudicated; units that would make more are
given one of their orders."""

MOST_UNITS = 6
POWERS = ("ENGLAND", "FRANCE", "TURKEY")
CROWDS = [str(seed) for seed in range(7)]
TENSE = [
    f"{case.name}/{variant}"
    for section, variants in (("6.C", 1), ("6.F", 1), ("6.G", 1))
    for case in load_cases([section])
    if len(case.position.units) <= MOST_UNITS
    for variant in range(variants)
]
CASES = [*TENSE, *CROWDS]
# The scope makes the tests of a case follow each other, so they share what `_outcomes` caches.
each_case = pytest.mark.parametrize("name", few_of(CASES, 2), scope="module")
OTHERS = (
    "4.A.2-all-hold",
    "4.A.7-a",
    "rulebooks/1982",
    "rulebooks/2000",
    "4.A.3-a",
    "4.A.3-c",
    "4.B.4-a",
)
Orders = Mapping[str, str]


class Case:
    """A position, its fixed orders, and its open ones."""

    def __init__(self, name: str) -> None:
        self.random = Random(name)
        self.position, usual = position_named(name, self.random)
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

    def outcomes(self, rules: str | Profile) -> list[Judged]:
        return _outcomes(self.position, rules, self)

    def ask(self, question: Question, rules: str | Profile = "datc") -> dipsat.SearchResult:
        return dipsat.search(
            self.position, question, self.given, rules=rules, solver=self.random.choice(SOLVERS)
        )


def position_named(name: str, random: Random) -> tuple[Position, Orders]:
    """The position of a name: a number is a crowd, `6.F.14/0` a DATC case, and any other name lists
    units of different powers."""
    if name.isdigit():
        return crowd(random)
    if name[0].isdigit():
        return tense(name)
    units = dict(zip(POWERS, ([unit] for unit in name.split(", ")), strict=False))
    return Position.from_units(units), {}


def crowd(random: Random) -> tuple[Position, Orders]:
    """A few units close together, without usual orders."""
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


@lru_cache(maxsize=2)  # some 25 MB each
def _outcomes(position: Position, rules: str | Profile, asked: Case) -> list[Judged]:
    found: list[Judged] = []
    for orders in asked.order_sets():
        given: dict[str, list[str]] = {}
        for unit, order in orders.items():
            given.setdefault(asked.powers[unit], []).append(order)
        try:
            outcome = dipsat.adjudicate(position, given, rules)
        except UnresolvedError as error:
            found.append(error)
        else:
            assert isinstance(outcome, MovementOutcome)
            found.append(outcome)
    return found


def reached(goal: Goal, judged: Judged) -> bool:
    return isinstance(judged, MovementOutcome) and goal.holds(judged)


def always(asked: Case, goal: Goal, power: str, outcomes: list[Judged]) -> bool:
    """Whether some orders of the power reach the goal, whatever the others order."""
    own = [unit for unit in asked.choices if asked.powers[unit] == power]
    found: dict[tuple[str, ...], bool] = {}
    for orders, outcome in zip(asked.order_sets(), outcomes, strict=True):
        mine = tuple(orders[unit] for unit in own)
        found[mine] = found.get(mine, True) and reached(goal, outcome)
    return any(found.values())


def verdict(exists: bool) -> str:
    return "found" if exists else "impossible"


@exhaustive
@each_case
def test_paradoxes_are_found_exactly_if_some_order_set_has_one(name: str) -> None:
    asked = case(name)
    kinds = {kind for outcome in asked.outcomes("datc") for kind in cycles_in(outcome)}
    for kind in kinds_of(dipsat.load_profile("datc")):
        assert asked.ask(Paradox(kind)).verdict == verdict(kind in kinds), kind
    assert asked.ask(Paradox()).verdict == verdict(bool(kinds))


@exhaustive
@each_case
def test_differences_are_found_exactly_if_some_order_set_shows_one(name: str) -> None:
    asked = case(name)
    other = "4.A.2-all-hold" if "6.F" in name else OTHERS[CASES.index(name) % len(OTHERS)]
    pairs = zip(asked.outcomes("datc"), asked.outcomes(other), strict=True)
    exists = any(differences(*pair) for pair in pairs)
    assert asked.ask(Differ(other)).verdict == verdict(exists)


def some_of(texts: list[str], name: str) -> list[str]:
    """Three of the goals. The next case has other ones, so each goal is tried on many cases."""
    first = CASES.index(name) if name in CASES else 0
    return [texts[(first + more) % len(texts)] for more in range(3)]


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


@exhaustive
@each_case
def test_goals_are_achieved_exactly_if_some_order_set_achieves_them(name: str) -> None:
    asked = case(name)
    for text in some_of(goals(asked), name):
        goal = read_goal(text, dipsat.load_profile("datc"), asked.position.map)
        exists = any(reached(goal, outcome) for outcome in asked.outcomes("datc"))
        assert asked.ask(Achieve(text)).verdict == verdict(exists), text


@exhaustive
@each_case
def test_goals_are_guaranteed_exactly_if_some_own_orders_always_reach_them(name: str) -> None:
    asked = case(name)
    power = asked.position.units[-1].power
    profile = dipsat.load_profile("datc")
    place = asked.position.units[-1].province
    texts = [f"stands({place}, {power})", f"not dislodged({place})", *goals(asked)[2:]]
    for text in some_of(texts, name):
        goal = read_goal(text, profile, asked.position.map)
        sure = always(asked, goal, power, asked.outcomes("datc"))
        assert asked.ask(Guarantee(text, power)).verdict == verdict(sure), text


HOUSE_RULES = {
    # Any one of several rivals may be the one that succeeds; a supported unit gives no support.
    "chains": """
extends: datc
define:
  overrun(s): dislodge(s.unit) or any(support(o) for o in s.unit.supports)
decisions:
  move(m):
    convoy_disrupted: path(m)
    own_unit_stays: vacated(m) or all(u.power != m.power for u in m.target.units)
    beaten_head_to_head: >
      all(attack_strength(m) > defend_strength(o) for o in against(m) if meets(m, o))
    too_weak: head_on(m) or attack_strength(m) > hold_strength(m.target)
    bounced: all(attack_strength(m) > prevent_strength(r) or not move(r) for r in m.rivals)
""",
    # A decision that depends on a cycle rules out one of its resolutions.
    "hanging": """
extends: datc
decisions:
  x(u): x(u) and u.kind == "army"
  y(u): not y(u) if some(u.moves) and not x(u) else false
cycles:
  - {name: fallback, when: true, set: {x: false, y: false, move: false, convoy: false}}
""",
    # One rule leaves a cycle that another rule settles, which looks at orders.
    "one after the other": """
extends: datc
decisions:
  x(u): z(u) and true
  z(u): x(u) or w(u)
  w(u): w(u) and x(u)
cycles:
  - {name: first, when: some(cycle.w), set: {w: false}}
  - {name: second, when: any(some(v.moves) for v in cycle.x), set: {x: true}}
  - {name: third, when: true, set: {x: false, z: false, move: false, support: false}}
""",
    # A value of the cycle decides whether another decision belongs to it.
    "larger and smaller": """
extends: datc
decisions:
  x(u): k(u) and true
  k(u): x(u) and y(u)
  y(u): (k(u) or y(u)) if some(u.moves) else true
cycles:
  - {name: larger, when: some(cycle.y), set: {x: true, y: true}}
  - {name: smaller, when: some(cycle.x), set: {x: false}}
  - {name: third, when: true, set: {move: false, support: false, convoy: false}}
""",
    # Some orders make a cycle for which there is no rule.
    "no rule": """
extends: datc
decisions:
  x(u): (not x(u)) if some(u.moves) else true
cycles: []
""",
}
FEW = ("A BOH", "A BOH, A MUN")
UNPROVEN = [
    *((name, rule) for rule in list(HOUSE_RULES)[1:] for name in FEW),
    *((name, "arpiesse") for name in ("6.C.1/0", "6.F.14/0", "6.F.16/0", "4")),  # several indices
    *(
        (name, rule)
        for rule in ("chains", "winners-bounce", "convoys-cut-nothing", "4.A.4-brannan")
        for name in ("6.C.1/0", "6.F.16/0", "4")
    ),
]


def house_rules(name: str) -> Profile:
    path = ROOT / "docs" / "examples" / "theorems" / f"{name}.yaml"
    if name in HOUSE_RULES:
        return parse_profile(HOUSE_RULES[name], f"{name}.yaml")
    return dipsat.load_profile(path if path.exists() else name)


@exhaustive
@pytest.mark.parametrize(("name", "rule"), few_of(UNPROVEN, 1))
def test_searches_are_right_under_rules_without_proofs_about_cycles(name: str, rule: str) -> None:
    asked, profile = case(name), house_rules(rule)
    outcomes = asked.outcomes(profile)
    kinds = {kind for outcome in outcomes for kind in cycles_in(outcome)}
    for kind in kinds_of(profile):
        assert asked.ask(Paradox(kind), profile).verdict == verdict(kind in kinds), kind
    texts = some_of(goals(asked), name) if len(asked.position.units) > 2 else []
    if "x" in profile.decisions:
        texts += ["any(x(u) for u in units)", "any(not x(u) for u in BOH.units)"]
    for text in texts:
        goal = read_goal(text, profile, asked.position.map)
        exists = any(reached(goal, outcome) for outcome in outcomes)
        assert asked.ask(Achieve(text), profile).verdict == verdict(exists), text
        power = asked.position.units[0].power
        sure = always(asked, goal, power, outcomes)
        assert asked.ask(Guarantee(text, power), profile).verdict == verdict(sure), text
    if len(asked.position.units) < 3:
        pairs = zip(outcomes, asked.outcomes("datc"), strict=True)
        exists = any(differences(*pair) for pair in pairs)
        assert asked.ask(Differ("datc"), profile).verdict == verdict(exists)


FIXED = [
    ("A MAR S F POR - SPA", "FRANCE A GAS, ENGLAND F POR", "4.B.4-a"),
    ("F MAO - SPA", "ENGLAND F POR", "4.B.1-b"),
    ("A LON - WAL VIA", "ENGLAND F ENG", "4.A.3-a"),
]


@pytest.mark.parametrize(("order", "others", "rules"), FIXED)
@pytest.mark.parametrize("turned", [False, True])
def test_each_profile_reads_the_orders_that_are_given(
    order: str, others: str, rules: str, turned: bool
) -> None:
    units = {"FRANCE": [" ".join(order.split()[:2])]}
    for text in others.split(", "):
        power, unit = text.split(" ", 1)
        units.setdefault(power, []).append(unit)
    position, given = Position.from_units(units), {"FRANCE": [order]}
    free = [u for u in position.units if str(u) not in order[:6]]
    legal = legal_order_texts(position, dipsat.load_profile("datc").settings)
    exists = False
    for orders in product(*(legal[str(unit)] for unit in free)):
        full = {"FRANCE": [order], "ENGLAND": list[str]()}
        for one_unit, text in zip(free, orders, strict=True):
            full[one_unit.power].append(text)
        judged = [dipsat.adjudicate(position, full, name) for name in ("datc", rules)]
        assert isinstance(judged[0], MovementOutcome)
        assert isinstance(judged[1], MovementOutcome)
        exists = exists or bool(differences(judged[0], judged[1]))
    one, other = (rules, "datc") if turned else ("datc", rules)
    result = dipsat.search(position, Differ(other), given, rules=one)
    assert result.verdict == verdict(exists)


@exhaustive
def test_lemmas_of_cycles_hold_for_decisions_with_several_indices() -> None:
    """Colors of moves are such decisions; there are too many order sets to adjudicate all."""
    profile = dipsat.load_profile("arpiesse")
    units = ["Red A BOH", "Red A BUD", "Purple F RUM", "Red A SEV", "Silver A UKR"]
    position = Position.from_units({"GERMANY": units}, rules=profile)
    choices = legal_order_texts(position, profile.settings)
    random, kinds = Random(0), set[str]()
    for _ in range(1000):
        orders = [random.choice(listed) for listed in choices.values()]
        outcome = dipsat.adjudicate(position, {"GERMANY": orders}, profile)
        assert isinstance(outcome, MovementOutcome)
        kinds |= set(cycles_in(outcome))
    for kind in ("several", "none"):
        found = dipsat.search(position, Paradox(kind), open="all", rules=profile)
        if found.verdict == "impossible":
            assert kind not in kinds
        else:
            outcome = dipsat.adjudicate(position, found.orders, profile)
            assert isinstance(outcome, MovementOutcome)
            assert kind in cycles_in(outcome)
