"""The subject of a question about units whose places are open, and how answers are found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dipsat.base import counted, titled
from dipsat.board import Map, coast_of, province_of
from dipsat.equations import Key, objects_about
from dipsat.errors import DipsatError, OrderFaultError, ProblemsError, QuestionError
from dipsat.game import (
    ANY,
    ConvoyFacts,
    MoveFacts,
    OpenPosition,
    Position,
    PowerOrders,
    ProvinceFacts,
    Submission,
    SupportFacts,
    UnitFacts,
    convoying,
    foreign_unit,
    number_of,
    read_submissions,
    refusal_of,
    standings,
)
from dipsat.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove, Unit, UnitName
from dipsat.rules import Profile, Settings, check_features
from dipsat.searches.cegar import Accept, Facts, Found, Orders, find_confirmed, judge, with_idle
from dipsat.searches.open_board import OpenUnits, Placement, UnitRules
from dipsat.searches.open_orders import Watch, named_units
from dipsat.searches.open_unit_facts import refuse_rules
from dipsat.searches.unit_slots import HOLD, Given, Slot, given_by, put_in_order
from dipsat.solving import AUTO

# --- orders that are given ------------------------------------------------------------------------

# An order keeps its meaning whatever the other units are. It is followed if they make it possible,
# as in an adjudication. An order that could not be followed anywhere, or that rules read
# differently depending on who stands where, is refused.


_NAMES = ("kind_wrong", "nationality_wrong")


def given_orders(
    position: Position,
    orders: Mapping[str, PowerOrders],
    profiles: Sequence[Profile],
    opened: str | Iterable[str] | None = None,
) -> Mapping[str, Given]:
    """The orders of the units of a position that have one, by location. `position` has the units
    whose places are known. If `opened` names units or powers, as in `search`, their orders are
    open, and the other units without an order hold, as those of neutral powers always do.

    Raises `QuestionError` for rules under which no order can be given, `OrderFaultError` for an
    order that cannot be given beside units that may stand anywhere, `ProblemsError` for several
    such orders, and the errors of the reader of orders.
    """
    found = _read(position, orders, profiles) if orders else {}
    free, _ = (set[str](), None) if opened is None else named_units(position, opened)
    neutrals = position.map.neutrals
    holding = [u for u in position.units if opened is not None or u.power in neutrals]
    holds = {u.location: Given(HOLD, Hold(u.name)) for u in holding}
    return {at: one for at, one in {**holds, **found}.items() if at not in free}


def _read(
    position: Position, orders: Mapping[str, PowerOrders], profiles: Sequence[Profile]
) -> dict[str, Given]:
    for profile in profiles:
        if profile.settings.legal != "position":
            raise QuestionError(
                f"under the rules {profile.name!r}, impossible orders can have an effect (4.E.1); "
                "then no orders can be given beside units that may stand anywhere"
            )
    settings = profiles[0].settings
    reading = _Reading(position, [profile.settings for profile in profiles])
    found: dict[str, Given] = {}
    faults: list[DipsatError] = []
    for one in read_submissions(position, orders, settings):
        try:
            unit = reading.ordered(one)
            if unit.location in found:
                raise _RefusedError(f"{unit} has two orders; leave one out")
            found[unit.location] = reading.given(unit, one.order)
        except _RefusedError as why:
            problem = f"cannot be given beside units that may stand anywhere: {why}"
            faults.append(OrderFaultError(one.power, [one.text], problem))
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise ProblemsError(faults)
    return found


class _RefusedError(Exception):
    """Why an order cannot be given."""


class _Reading:
    def __init__(self, position: Position, settings: Sequence[Settings]) -> None:
        self.position, self.board, self.settings = position, position.map, settings
        (self.convoying,) = convoying(position, settings[0])

    def ordered(self, one: Submission) -> Unit:
        """The unit that an order is for."""
        power, order = one.power, one.order
        if one.refusal is not None:
            raise _RefusedError(one.refusal[1])
        if not isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy):
            raise _RefusedError("only orders to hold, move, support or convoy can")
        named = order.unit
        unit = self.position.by_province.get(province_of(named.location))
        if unit is None:
            problem = f"no unit is stated to stand in {province_of(named.location)}"
            raise _RefusedError(f"{problem}; the orders of units anywhere are open")
        if unit.power != power:
            raise _RefusedError(foreign_unit(unit, power))
        other_coast = coast_of(named.location) and named.location != unit.location
        if named.kind not in (None, unit.kind) or other_coast:
            raise _RefusedError(f"the unit there is {unit}")
        refused = refusal_of(self.board, power, order)
        if refused is not None:
            raise _RefusedError(refused[1])
        return unit

    def given(self, unit: Unit, order: Order) -> Given:
        """The action of a unit by its order, and where it can take it."""
        match order:
            case Move():
                return self._move(unit, order)
            case SupportHold(supported=named):
                self._check_named(unit, named)
                self._check_reach(unit, named.location)
            case SupportMove(supported=named, target=target):
                self._check_named(unit, named)
                self._check_reach(unit, target)
                self._refuse_coast(target)
            case Convoy(army=named, target=target):
                self._check_named(unit, named)
                if unit.kind is not self.convoying.carriage.carrier or (
                    unit.province not in self.convoying.places
                ):
                    raise _RefusedError(f"{unit} can convoy nothing")
                self._refuse_coast(target)
        return given_by(order)

    def _move(self, unit: Unit, order: Move) -> Given:
        code = province_of(order.target)
        if code == unit.province:
            raise _RefusedError("a unit cannot move to where it stands")
        if order.path:
            raise _RefusedError("leave out the provinces of the convoy")
        reach = self.board.reach(unit.kind, unit.location)
        landings = sorted(place for place in reach if province_of(place) == code)
        is_cargo = unit.kind is self.convoying.carriage.cargo
        if not landings:
            if not (is_cargo and self._is_shore(unit.location) and self._is_shore(code)):
                raise _RefusedError(f"{unit} cannot move to {code}")
            return replace(given_by(order, code), via=False)
        location = order.target if order.target in landings else landings[0]
        is_exact = order.target in landings or not unit.kind.has_coasts
        if not is_exact and (coast_of(order.target) or len(landings) > 1):
            raise _RefusedError(f"{unit} can move to {' or '.join(landings)}")
        if order.via and not is_cargo:
            raise _RefusedError(f"{unit.kind.plural} are not convoyed")
        if order.via and any(
            settings.goes_by_land_instead(()) or settings.adjacent_convoy in ("opposed", "always")
            for settings in self.settings
        ):
            raise _RefusedError('leave out "via convoy": under these rules, it may not count')
        return given_by(order, location)

    def _is_shore(self, place: str) -> bool:
        shores = map(province_of, self.convoying.net.shores)
        return province_of(place) in shores

    def _check_named(self, unit: Unit, named: UnitName) -> None:
        """Refuse the name of a supported or convoyed unit if it may be read differently depending
        on who stands there."""
        if province_of(named.location) == unit.province:
            raise _RefusedError("a unit cannot support or convoy itself")
        known = self.position.by_province.get(province_of(named.location))
        is_right = known is not None and (
            named.kind in (None, known.kind) and named.power in (None, known.power)
        )
        if is_right or (named.kind is None and named.power is None):
            return
        for setting in _NAMES:
            if any(getattr(settings, setting) != "valid" for settings in self.settings):
                code = province_of(named.location)
                problem = f"write only {code} for the unit there, without its kind and power"
                raise _RefusedError(problem)

    def _check_reach(self, unit: Unit, place: str) -> None:
        code = province_of(place)
        if code not in self.board.reach_provinces(unit.kind, unit.location):
            raise _RefusedError(f"{unit} cannot move to {code}, so it cannot support there")

    def _refuse_coast(self, place: str) -> None:
        if coast_of(place):
            raise _RefusedError(f"leave out the coast; write {province_of(place)}")


# --- parts that every answer needs ----------------------------------------------------------------

# Units that may stand anywhere have numbers, and an answer stays the same with other numbers. So if
# every answer has a unit that convoys another, there is one in which the first convoys the second.
# If the parts are assigned, a proof takes a tenth of the time, because it is not repeated for each
# pair.


Part = tuple[tuple[int, ...], int]
"""The numbers of the units that a statement is about, and the literal that holds if it is true."""


def parts_in(rules: UnitRules, found: Mapping[Key, int]) -> Iterator[Part]:
    """A part for each of these decisions, with its literal."""
    is_uniform = rules.board.is_uniform
    for key, literal in found.items():
        yield (_units_of(rules, key) if is_uniform else ()), literal


def _units_of(rules: UnitRules, key: Key) -> tuple[int, ...]:
    numbers = rules.board.slots.numbers
    about = objects_about(rules.system.grounder.object(key))
    found = (number for one in about for number in _units_in(one, len(numbers)))
    return tuple(dict.fromkeys(found))


def _units_in(one: Any, count: int) -> Iterator[int]:
    """The units that an object is about. An empty province is about the first of the units that
    go there."""
    match one:
        case UnitFacts():
            yield one.index
        case MoveFacts():
            yield one.unit.index
        case SupportFacts():
            yield from (one.unit.index, one.supported.index)
        case ConvoyFacts():
            yield from (one.unit.index, one.army.index)
        case ProvinceFacts():
            yield one.index % count


def cast(board: OpenUnits, parts: Iterable[Part], number: int) -> int:
    """Assign a part about this many units to the first units. Return the literal that they have
    one. The other units are put in order."""
    put_in_order(board.slots, number)
    first = tuple(range(number))
    return board.gates.any_of(literal for units, literal in parts if units == first)


# --- the subject ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class UnitsAnywhere:
    """An open position, the profiles that the question is about, and how to answer it."""

    position: OpenPosition
    profiles: tuple[Profile, ...]
    watch: Watch = field(default_factory=Watch)
    solver: str = AUTO
    given: Mapping[str, Given] = field(default_factory=dict)
    """Location of a known unit -> its order, for those with one."""

    @property
    def map(self) -> Map:
        """The map."""
        return self.position.map

    def board(self, powers: Iterable[str] = ()) -> OpenUnits:
        """The units as clauses. The question names these `powers`. The other powers are
        exchangeable, except those that some unit must have."""
        slots = list(_slots(self.position, self.given))
        named = dict.fromkeys((*(slot.power for slot in slots if slot.power), *powers))
        free = [power for power in self.map.players if power not in named]
        all_powers = [*named, *free[: sum(not slot.power for slot in slots)]]
        owners = {slot.power for slot in slots}
        whose = f" of {titled(*owners)}" if len(owners) == 1 and "" not in owners else ""
        self.watch.about = f"{counted(len(slots), 'unit')}{whose}"
        self.watch.tell("all positions")
        return OpenUnits(
            self.map, self.profiles[0], slots, all_powers, self.solver, self.watch.budget,
            named.keys(),
        )  # fmt: skip


def ask_anywhere(
    position: OpenPosition,
    profiles: Sequence[Profile],
    watch: Watch,
    solver: str = AUTO,
    orders: Mapping[str, PowerOrders] | None = None,
    opened: str | Iterable[str] | None = None,
) -> UnitsAnywhere:
    """The subject of a question, checked. `orders` and `opened` are as for `search`, and apply to
    the units whose places are known. Raises `QuestionError` for rules that need something that open
    places cannot express and for a name in `opened` without a unit that could be open, and
    `OrderFaultError` for orders that cannot be given beside them."""
    known = position.known
    for profile in profiles:
        check_features(profile, position.map)
    refuse_rules(profiles, Position.from_units({}, position.map))
    given = given_orders(known, orders or {}, profiles, _of_known(position, known, opened))
    return UnitsAnywhere(position, tuple(profiles), watch, solver, given)


def _of_known(
    position: OpenPosition, known: Position, opened: str | Iterable[str] | None
) -> Sequence[str] | None:
    """The names in `opened`, without the powers whose units may all stand anywhere."""
    if opened is None:
        return None
    placed = {unit.power for unit in known.units}
    anywhere = {power.lower() for power in position.units if power not in placed}
    listed = (opened,) if isinstance(opened, str) else tuple(opened)
    return [one for one in listed if one.strip().lower() not in anywhere]


def _slots(position: OpenPosition, given: Mapping[str, Given]) -> Iterator[Slot]:
    for power, units in position.units.items():
        for one in units:
            order = given.get(one.location) if isinstance(one, Unit) else None
            standing = tuple(standings(one, position.map))
            slot = Slot(standing, "" if power == ANY else power, order)
            yield from (slot,) * number_of(one)


@dataclass(frozen=True)
class Wanted:
    """The question to the solver about some units: the equations, the claims that must hold, and
    the parts, of which an answer has one. `what` describes the attempt, `left` what follows it."""

    systems: Sequence[UnitRules]
    claims: Sequence[int]
    parts: Sequence[Part]
    what: str
    left: str = ""


def answered(
    asked: UnitsAnywhere, ask: Callable[[OpenUnits], Wanted], accept: Accept[Facts]
) -> tuple[Placement, Facts] | None:
    """Units and orders that satisfy the question about a board and that `accept` confirms. Parts
    about different numbers of units are tried one after another, each time on a new board."""
    board = asked.board()
    question = ask(board)
    numbers = sorted({len(units) for units, _ in question.parts})
    for at, number in enumerate(numbers):
        if at:
            board = asked.board()
            question = ask(board)
        claims = [*question.claims, cast(board, question.parts, number)]
        found = find_confirmed(
            board, question.systems, claims, accept, asked.watch, question.what, left=question.left
        )
        if found is not None:
            return simplest_placement(asked, found, accept)
    return None


def simplest_placement(
    asked: UnitsAnywhere, found: Found[Placement, Facts], accept: Accept[Facts]
) -> Found[Placement, Facts]:
    """The same answer with as many units that hold as possible."""
    there = found.orders
    idle = {u.location: Hold(u.name) for u in there.position.units if u.location not in asked.given}

    def wanted(orders: Orders) -> Facts | None:
        tried = replace(there, orders=orders)
        return accept([judge(OpenUnits, tried, profile) for profile in asked.profiles])

    orders, facts = with_idle(Found(there.orders, found.wanted), idle, wanted)
    return Found(replace(there, orders=orders), facts)
