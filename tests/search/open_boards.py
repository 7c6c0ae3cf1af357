"""Small boards under rules that declare kinds of orders, with all order sets adjudicated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, product
from math import prod
from random import Random

import dipsat
from dipsat.board import load_map
from dipsat.errors import UnresolvedError
from dipsat.game import Position
from dipsat.orders import write_order
from dipsat.outcomes import MovementOutcome, declared_orders
from dipsat.rules import Profile
from dipsat.searches.cegar import Judged
from dipsat.studies import rules_for
from dipsat.studies.datc_runs import load_cases
from tests.legal_texts import legal_order_texts

COLONIAL = load_map("colonial")
LINE = COLONIAL.lines["trans_siberian_railroad"].provinces
ENDS = ("MED", "RED")
CASES = [
    case
    for case in load_cases(["7.B", "7.C", "7.D"], variants=True)
    if 2 <= len(case.position.units) <= 9
]
GOOD = {"succeeds", "given", "available"}


class Board:
    """A position, the fixed orders of units, and everything that is open.

    `choices` has the orders of each unit, and for each order of a power (`BRITAIN SC F MED - RED`)
    its text and "" (not given). `declared` has open orders of declared kinds by unit; without it,
    those that are legal alone are open. Each (power, order) in `besides` is open if it is legal
    alone.
    """

    def __init__(
        self,
        position: Position,
        rules: Profile,
        besides: Sequence[tuple[str, str]] = (),
        declared: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.position = position.with_words(rules.words)
        self.rules = rules
        self.fixed: dict[str, str] = {}
        self.powers = {str(unit): unit.power for unit in position.units}
        legal = legal_order_texts(self.position, rules.settings)
        if declared is None:
            alone = declared_orders(rules, self.position)
            declared = {
                str(unit): [write_order(o, position.map) for o in alone.get(unit.location, ())]
                for unit in self.position.units
            }
        self.choices = {
            unit: list(dict.fromkeys((*orders, *declared.get(unit, ()))))
            for unit, orders in legal.items()
        }
        for power, text in besides:
            if self._is_legal(power, text):
                self.powers[f"{power} {text}"] = power
                self.choices[f"{power} {text}"] = ["", text]

    @property
    def size(self) -> int:
        """The number of order sets."""
        return prod(map(len, self.choices.values()))

    @property
    def open_units(self) -> list[str]:
        """The units whose orders are open."""
        return [str(u) for u in self.position.units if str(u) not in self.fixed]

    @property
    def given(self) -> dict[str, list[str]]:
        """The orders that are fixed, by power."""
        return self.by_power(self.fixed)

    def _is_legal(self, power: str, text: str) -> bool:
        outcome = dipsat.adjudicate(self.position, {power: [text]}, self.rules)
        return all(o.verdict != "illegal" for o in outcome.orders if o.submitted == text)

    def fix(self, unit: str, order: str) -> None:
        """Give a unit an order. A power without an open unit gives no orders of its own."""
        self.fixed[unit] = order
        self.choices[unit] = [order]
        power = self.powers[unit]
        if not any(self.powers[one] == power for one in self.open_units):
            for key in [key for key in self.choices if key.startswith(f"{power} ")]:
                del self.choices[key]

    def fix_most(self, random: Random, most: int, usual: Mapping[str, str] | None = None) -> None:
        """Give units their usual orders, or any, until there are at most `most` order sets."""
        while self.size > most and len(self.open_units) > 1:
            unit = random.choice(self.open_units)
            known = f"{unit} H" if usual is not None else random.choice(self.choices[unit])
            self.fix(unit, known if usual is None else usual.get(unit, known))

    def by_power(self, orders: Mapping[str, str]) -> dict[str, list[str]]:
        """Orders by power."""
        found: dict[str, list[str]] = {}
        for key, order in orders.items():
            if order:
                found.setdefault(self.powers[key], []).append(order)
        return found

    def order_sets(self) -> Iterator[dict[str, str]]:
        """Every order set."""
        for orders in product(*self.choices.values()):
            yield dict(zip(self.choices, orders, strict=True))

    def judged(self, orders: Mapping[str, str], rules: Profile | None = None) -> Judged:
        """The adjudicator's outcome of an order set."""
        try:
            outcome = dipsat.adjudicate(self.position, self.by_power(orders), rules or self.rules)
        except UnresolvedError as error:
            return error
        assert isinstance(outcome, MovementOutcome)
        return outcome

    @cached_property
    def outcomes(self) -> list[Judged]:
        """The adjudicator's outcome of each order set."""
        return [self.judged(orders) for orders in self.order_sets()]

    def outcomes_under(self, rules: Profile) -> list[Judged]:
        """The same under other rules."""
        return [self.judged(orders, rules) for orders in self.order_sets()]


def railroad(seed: int) -> Board:
    """Armies on the railroad, friends and enemies beside it; some of them have orders."""
    random = Random(f"rail{seed}")
    near = sorted({q for p in LINE for q in COLONIAL.army.get(p, ())})
    number = random.randint(3, 5)
    places = random.sample(LINE, random.randint(2, 3))
    places += random.sample([q for q in near if q not in places], number - len(places))
    units: dict[str, list[str]] = {}
    for place in sorted(places):
        power = random.choice(["RUSSIA", "RUSSIA", "CHINA", "JAPAN"])
        if place in LINE and random.random() < 0.5:
            power = "RUSSIA"
        units.setdefault(power, []).append(unit_in(place, random))
    return Board(Position.from_units(units, COLONIAL), dipsat.load_profile("colonial"))


def canal(seed: int) -> Board:
    """Fleets at the canal, mostly with a unit in Egypt; powers may permit any fleet to pass."""
    random = Random(f"canal{seed}")
    places = ["EGY"] if random.random() < 0.8 else []
    places += random.sample(["MED", "RED", "ANG", "SYR", "SUD", "ADE", "CON"], random.randint(2, 3))
    units: dict[str, list[str]] = {}
    for place in sorted(places):
        power = random.choice(["BRITAIN", "TURKEY"])
        units.setdefault(power, []).append(unit_in(place, random))
    position = Position.from_units(units, COLONIAL)
    return Board(position, dipsat.load_profile("colonial"), permits(position))


def unit_in(place: str, random: Random) -> str:
    """A unit in a province of the map of Colonial."""
    province = COLONIAL.provinces[place]
    if province.kind == "land" or (province.kind == "coast" and random.random() < 0.7):
        return f"A {place}"
    return f"F {random.choice(province.locations)}"


def permits(position: Position) -> list[tuple[str, str]]:
    """The orders, legal or not, that powers might give about fleets at the canal."""
    powers = sorted({unit.power for unit in position.units})
    fleets = [str(unit) for unit in position.units if str(unit).startswith("F")]
    return [(p, f"SC {fleet} - {end}") for p in powers for fleet in fleets for end in ENDS]


def case_of_document(number: int, most: int) -> Board | None:
    """A case of DATC 2.4 about the railroad or the canal with some orders open; None if even one
    open unit makes too many order sets."""
    case, random = CASES[number % len(CASES)], Random(f"case{number}")
    rules = rules_for(case, "datc")
    board = Board(case.position, rules, permits(case.position))
    outcome = dipsat.adjudicate(board.position, case.orders, rules)
    legal = [order for order in outcome.orders if order.verdict != "illegal"]
    board.fix_most(random, most, {one.unit: one.order for one in legal})
    if board.size > 4 * most:
        return None
    for one in legal:
        key = f"{one.power} {one.order}"
        if not one.unit and key not in board.choices:
            board.powers[key] = one.power
            board.fixed[key] = one.order
            board.choices[key] = [one.order]
    return board


AIRLIFT = """
name: airlift
extends: [wings, portage]
convoys:
  wing: {carries: [army, fleet], aboard: any}
"""
CARRIERS: list[tuple[str, dict[str, list[str]]]] = [
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


def carriers(number: int) -> tuple[Position, Profile]:
    """A position with units that carry others, under rules that declare them, and these rules."""
    name, units = CARRIERS[number]
    if name == "airlift":
        rules = dipsat.parse_profile(AIRLIFT, "airlift.yaml")
    else:
        rules = dipsat.load_profile(name)
    return Position.from_units(units, rules=rules), rules


# --- what holds for all order sets ----------------------------------------------------------------


def always(board: Board, power: str, hits: Sequence[bool]) -> dict[frozenset[str], bool]:
    """Orders of a power -> whether they reach a goal, whatever the others order."""
    own = [key for key in board.choices if board.powers[key] == power]
    found: dict[frozenset[str], bool] = {}
    for orders, hit in zip(board.order_sets(), hits, strict=True):
        mine = frozenset(orders[key] for key in own if orders[key])
        found[mine] = found.get(mine, True) and hit
    return found


class Told:
    """The adjudicator's verdicts on the order of one unit in all order sets of a board."""

    def __init__(self, board: Board, unit: str, given: Mapping[str, str]) -> None:
        self.board, self.unit, self.given = board, unit, given
        self.sets = list(zip(board.order_sets(), board.outcomes, strict=True))
        self.names = {order or f"no {key.partition(' ')[2]}": key for key, order in given.items()}

    def is_forced(self, orders: Collection[str], is_dislodged: bool) -> bool:
        """Whether these orders (`no SC F MED - RED`: it is not given) fix the result: all or no
        order sets have the unit's order succeed, or the unit dislodged."""
        return self._is_fixed({self.names[order] for order in orders}, is_dislodged)

    def _is_fixed(self, keys: Collection[str], is_dislodged: bool) -> bool:
        found = set()
        for orders, judged in self.sets:
            if all(orders[key] == self.given[key] for key in keys):
                assert isinstance(judged, MovementOutcome)
                order = judged.order(self.unit)
                found.add(bool(order.fate) if is_dislodged else order.verdict in GOOD)
        return len(found) == 1

    def fewest(self, is_dislodged: bool) -> int:
        """The fewest orders that force the result, including the unit's own."""
        others = [key for key in self.given if key != self.unit]
        return next(
            size + 1
            for size in range(len(others) + 1)
            for some in combinations(others, size)
            if self._is_fixed((self.unit, *some), is_dislodged)
        )

    def smallest_change(self, must_stay: bool) -> int | None:
        """The fewest orders of the unit's power to change so that the order succeeds, or the unit
        is not dislodged; None if no change is enough."""
        power, found = self.board.powers[self.unit], list[int]()
        for orders, judged in self.sets:
            assert isinstance(judged, MovementOutcome)
            changed = [key for key in orders if orders[key] != self.given[key]]
            mine, own = orders[self.unit], self.given[self.unit]
            if mine.removesuffix(" VIA") != own.removesuffix(" VIA"):
                continue
            if all(self.board.powers[key] == power for key in changed):
                order = judged.order(self.unit)
                if not order.fate if must_stay else order.verdict in GOOD:
                    found.append(len(changed))
        return min(found, default=None)
