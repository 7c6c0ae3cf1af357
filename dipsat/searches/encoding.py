"""A position with open orders: the possible orders, how profiles read them, and the clauses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, TypeVar

from dipsat.base import check_time, quoted
from dipsat.board import province_of
from dipsat.equations import ORDER, Key, Phase
from dipsat.errors import QuestionError
from dipsat.game import (
    NO_ORDER,
    Position,
    ProvinceFacts,
    RulingStatus,
    Submission,
    judge_orders,
    legal_orders,
)
from dipsat.orders import DeclaredOrder, Hold, Order, OrderKind, Unit, UnitName, write_order
from dipsat.outcomes import line_supports, named_orders, orders_named
from dipsat.rules import Profile, limits_of, open_kinds, words_not_open
from dipsat.searches.open_order_facts import lawful_terms, open_phase, open_phase_of
from dipsat.searches.ruled_system import RuledSystem
from dipsat.solving import (
    AUTO,
    FALSE,
    TRUE,
    Budget,
    Gates,
    RailSystem,
    System,
    check_size,
    clause_solver,
    ground_system,
)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The orders that may be given in a movement phase: orders of units by location, and orders of
    powers by `key_of`."""

    of_units: Mapping[str, tuple[Order, ...]]
    of_powers: Mapping[str, DeclaredOrder] = field(default_factory=dict)


@lru_cache(maxsize=4)
def candidates(profile: Profile, position: Position) -> Candidates:
    """Every order of a position that is legal together with some other orders: those that
    `legal_orders` lists, those of declared kinds, and supports of units that go along a line. The
    position has the profile's words."""
    legal = legal_orders(position, profile.settings)
    of_units = {unit.location: legal[str(unit)] for unit in position.units}
    kinds = open_kinds(profile)
    if not kinds:
        return Candidates(of_units)
    declared = {unit.location: tuple(_of_unit(kinds, position, unit)) for unit in position.units}
    of_powers = {key_of(order): order for order in _of_powers(kinds, position)}
    choices: dict[str, Sequence[Order]] = {
        location: (*orders, *declared[location]) for location, orders in of_units.items()
    }
    choices |= {key: (NO_ORDER, order) for key, order in of_powers.items()}
    submitted = open_phase(position, choices, profile.settings, profile.declared.kinds)
    lawful = lawful_terms(profile, submitted)
    kept = {
        (choice.unit, choice.order)
        for group in submitted.choices
        for choice in group
        if choice.key in submitted.declared and lawful.get(choice.key) is not False
    }
    going: list[tuple[Unit, str]] = []
    lines = {kind.name for kind in kinds if kind.line}
    for at, unit in enumerate(position.units):
        mine = tuple(order for order in declared[unit.location] if (at, order) in kept)
        of_units[unit.location] += mine
        going += [(unit, str(dict(o.fields)["target"])) for o in mine if o.kind in lines]
    for unit in position.units if going else ():
        supports = line_supports(profile, position, unit, going)
        known = dict.fromkeys((*of_units[unit.location], *supports))
        of_units[unit.location] = tuple(known)
    given = enumerate(of_powers.items(), len(position.units))
    return Candidates(of_units, {key: order for at, (key, order) in given if (at, order) in kept})


def _of_unit(kinds: Sequence[OrderKind], position: Position, unit: Unit) -> Iterator[DeclaredOrder]:
    for kind in kinds:
        if kind.is_of_unit:
            yield from named_orders(kind, position, unit.name, unit.province)


def _of_powers(kinds: Sequence[OrderKind], position: Position) -> Iterator[DeclaredOrder]:
    for power in sorted({unit.power for unit in position.units}):
        for kind in kinds:
            if not kind.is_of_unit:
                yield from named_orders(kind, position, UnitName("", power=power))


def key_of(order: DeclaredOrder) -> str:
    """The key of a power's order, used alongside the locations of units. No location has a space,
    and two powers have different keys (see `quoted`)."""
    return f"{quoted(order.unit.power or '', ' ')} {order.text}"


def order_of_power(position: Position, power: str, order: DeclaredOrder) -> DeclaredOrder:
    """A power's order in the form of candidates: with the power, and units in full."""
    units = position.by_province
    fields = []
    for name, named in order.fields:
        there = units.get(province_of(named.location)) if isinstance(named, UnitName) else None
        fields.append((name, named if there is None else there.name))
    (kind,) = (kind for kind in position.words.kinds if kind.name == order.kind)
    found = replace(order, unit=UnitName("", power=power), fields=tuple(fields))
    return kind.written(found)


def limits(
    profile: Profile, position: Position, expressed: Collection[str] = ()
) -> tuple[str, ...]:
    """The reasons why orders cannot be open under a profile, in words; empty if they can. Words in
    `expressed` do not count as reasons."""
    found = [*limits_of(profile.settings)]
    words = (word for word in words_not_open(profile) if word not in expressed)
    found += [f"equations that use {word!r}" for word in words]
    if ORDER in profile.decisions:
        found.append(f"a decision called {ORDER!r}")
    for kind in open_kinds(profile):
        number = orders_named(kind, position)
        if number is not None:
            found.append(f"the {number:,} possible orders of the kind {kind.name!r}")
    return tuple(found)


# --- readings -------------------------------------------------------------------------------------


class ProfileReadings:
    """Reads orders as each profile does: some amend an order that others accept or refuse.

    `fixed` has, for each profile, the orders of the units whose orders are not open, by location.
    """

    def __init__(
        self, position: Position, fixed: Mapping[Profile, Mapping[str, Order]] | None = None
    ) -> None:
        self.position = position
        self._fixed = fixed or {}
        self._units = {unit.location: unit for unit in position.units}
        self._positions: dict[Profile, Position] = {}
        self._read: dict[tuple[Profile, str, Order], Order] = {}

    def read(self, profile: Profile, location: str, order: Order) -> Order:
        """The order that the unit there follows under a profile if it is given `order`. Given an
        illegal order, it holds.

        Raises `QuestionError` for an impossible order that still has an effect.
        """
        fixed = self._fixed.get(profile, {}).get(location)
        if fixed is not None:
            return fixed
        key = profile, location, order
        if key not in self._read:
            is_of_unit = location in self._units  # a power's order is always read as it is
            self._read[key] = self._judged(profile, location, order) if is_of_unit else order
        return self._read[key]

    def as_read(
        self, orders: Mapping[str, Order], profile: Profile
    ) -> tuple[Position, Mapping[str, Order]]:
        """The position, and all orders as the profile reads them, by location, or by key for orders
        of powers."""
        return self.position, {at: self.read(profile, at, one) for at, one in orders.items()}

    def _judged(self, profile: Profile, location: str, order: Order) -> Order:
        unit = self._units[location]
        text = write_order(order, self.position.map)
        submission = Submission(unit.power, text, order)
        position = self._positions.get(profile)
        if position is None:
            position = self._positions[profile] = self.position.with_words(profile.words)
        ruling = judge_orders(position, [submission], profile.settings)[0]
        refuse_effect(ruling.counts, text)
        if ruling.status is RulingStatus.ILLEGAL or isinstance(ruling.order, Hold):
            return Hold(unit.name)
        return ruling.order


def refuse_effect(counts: bool, text: str) -> None:
    """Raise `QuestionError` for an impossible order that counts."""
    if counts:
        raise QuestionError(
            f"{text!r} is an impossible order that has an effect (4.E.1); such orders cannot be "
            "part of a question about open orders"
        )


# --- clauses --------------------------------------------------------------------------------------

# The same choices can be combined with several profiles, so that a solver finds orders on which
# they differ, or with several of an opponent's answers.


_CLAUSES = 20_000  # clauses added to a solver between two checks of the clock
Choices = Mapping[str, tuple[Order, ...]]
"""Location of a unit -> the orders it may be given; a single order is fixed. After the units come
the orders of powers, by `key_of`: the order, or `NO_ORDER`."""


def refuse_limits(profile: Profile, position: Position, expressed: Collection[str] = ()) -> None:
    """Raise `QuestionError` if the profile needs something that open orders cannot express. They
    can express the words in `expressed`."""
    found = [*limits(profile, position, expressed)]
    for rule in profile.cycles:
        numbers = [name for name in rule.pins if not profile.decisions[name].type.is_truth]
        found += [f"the cycle rule {rule.name!r}, which sets {name}" for name in numbers]
        if rule.along and not numbers:
            besides = " and ".join(rule.along)
            found.append(f"the cycle rule {rule.name!r}, which sets {besides} along")
    if found:
        raise QuestionError(
            f"under the rules {profile.name!r}, no question about open orders can be asked because "
            f"of {', '.join(found)}"
        )


RulesOf = TypeVar("RulesOf", bound=RuledSystem[Any])
"""The form that a board takes under a profile."""


class OpenBoard(ABC, Generic[RulesOf]):
    """The open orders or places as clauses of one solver. `known` keeps whatever has been grounded,
    for other solvers about the same board."""

    def __init__(
        self,
        solver: str = AUTO,
        budget: Budget | None = None,
        known: dict[Profile, System] | None = None,
    ) -> None:
        self.gates, self._budget = Gates(), budget or Budget()
        self._solver = clause_solver(solver, self._budget)
        self._known = {} if known is None else known

    @abstractmethod
    def under(self, profile: Profile, *, rails: RailSystem | None = None) -> RulesOf:
        """The equations of a profile. `rails` may belong to one that decides everything alike."""

    @abstractmethod
    def _phase(self, profile: Profile) -> Phase:
        """The facts under a profile."""

    def grounded(self, profile: Profile) -> System:
        """The equations of a profile about the open orders or places."""
        if profile not in self._known:
            self._known[profile] = self._ground(profile, self._phase(profile))
        return self._known[profile]

    def _ground(self, profile: Profile, phase: Phase) -> System:
        system = ground_system(profile, phase, self._budget.spend)
        check_size(system.grounder, system.equations, system.bounds, each=True)
        return system

    def _solve(self, assumptions: Iterable[int]) -> frozenset[int] | None:
        """The variables that are true in an answer for which the assumptions and all requirements
        hold; None if there is none."""
        clauses = self.gates.take()
        each = iter(clauses)
        for _ in range(0, len(clauses), _CLAUSES):
            check_time()
            self._solver.add(islice(each, _CLAUSES))
        return self._solver.solve(tuple(assumptions))


class OpenOrders(OpenBoard["OpenRules"]):
    """The choices as clauses. `under` adds the equations of a profile over them."""

    def __init__(
        self,
        readings: ProfileReadings,
        choices: Choices,
        solver: str = AUTO,
        budget: Budget | None = None,
        known: dict[Profile, System] | None = None,
    ) -> None:
        super().__init__(solver, budget, known)
        self.readings, self.as_read = readings, readings.as_read
        self.position, self.choices = readings.position, choices
        self._guards: dict[tuple[str, Order], int] = {}
        for location, orders in choices.items():
            literals = [self.gates.variable() if len(orders) > 1 else TRUE for _ in orders]
            self._guards.update(zip(((location, order) for order in orders), literals, strict=True))
            self.gates.require(*literals)
            self.gates.at_most_one(literals)

    def guard(self, location: str, order: Order) -> int:
        """The literal that holds if the unit there, or a power, has this order."""
        return self._guards.get((location, order), FALSE)

    def guards(self, orders: Mapping[str, Order]) -> list[int]:
        """The literals of several orders, leaving out fixed ones."""
        literals = [self.guard(location, order) for location, order in orders.items()]
        return [literal for literal in literals if literal != TRUE]

    def forbid(self, orders: Mapping[str, Order]) -> None:
        """Forbid this combination of orders from now on."""
        self.gates.require(*(-literal for literal in self.guards(orders)))

    def under(
        self,
        profile: Profile,
        fixed: Mapping[str, Order] | None = None,
        *,
        rails: RailSystem | None = None,
    ) -> OpenRules:
        """The equations of a profile over the choices; units in `fixed` have only that order."""
        if not fixed:
            return OpenRules(self, profile, self.choices, self.grounded(profile), rails)
        choices = {
            location: (fixed[location],) if location in fixed else orders
            for location, orders in self.choices.items()
        }
        return OpenRules(self, profile, choices, self._ground(profile, self._of(profile, choices)))

    def _phase(self, profile: Profile) -> Phase:
        return self._of(profile, self.choices)

    def _of(self, profile: Profile, choices: Choices) -> Phase:
        read = {
            at: tuple(self.readings.read(profile, at, order) for order in orders)
            for at, orders in choices.items()
        }
        position = self.position.with_words(profile.words)  # these say who carries whom
        return open_phase_of(profile, position, read).phase

    def find(self, assumptions: Iterable[int]) -> Mapping[str, Order] | None:
        """An order for every unit, by location, for which the assumptions and all requirements can
        hold; None if there are no such orders."""
        true = self._solve(assumptions)
        if true is None:
            return None
        true |= {TRUE}
        return {
            at: next(order for order in orders if self.guard(at, order) in true)
            for at, orders in self.choices.items()
        }


class OpenRules(RuledSystem[Mapping[str, Order]]):
    """The choices under one profile: the facts, the equation system and its rails."""

    def __init__(
        self,
        board: OpenOrders,
        profile: Profile,
        choices: Choices,
        system: System,
        rails: RailSystem | None = None,
    ) -> None:
        self.board = board
        self._orders = [(at, order) for at, orders in choices.items() for order in orders]
        guards = [board.guard(at, order) for at, order in self._orders]
        super().__init__(profile, system, board.gates, guards, rails)

    def chosen(self, answer: Mapping[str, Order]) -> dict[Key, int]:
        """The guards that hold if these orders are given."""
        return {
            (ORDER, number): int(answer[location] == order)
            for number, (location, order) in enumerate(self._orders)
        }

    def places(self, answer: Mapping[str, Order]) -> Mapping[str, ProvinceFacts]:
        """Code -> the province in the phase."""
        return {place.code: place for place in self.system.phase.provinces}
