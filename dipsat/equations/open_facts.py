"""The facts of a movement phase in which orders are open.

For a unit whose order is open, every order that it may be given is a candidate with a guard, which
is an unknown; exactly one guard of each such unit is true. An order of a declared kind that belongs
to a power, not to a unit, is a choice too: it is given, or it is not. Whether an order of a
declared kind is lawful can depend on all others, so it is issued if it is given and lawful, which
is a condition on their guards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dipsat.equations.matching import DeclaredInput, Effects, match_orders
from dipsat.equations.phase import Phase
from dipsat.game.facts import DeclaredFacts
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.game.settings import Settings
from dipsat.orders.order import DeclaredOrder, Hold, Order
from dipsat.profiles.order_kinds import DeclaredKind
from dipsat.terms.term import Key, Term, Unknown, all_of

ORDER = "order"
"""The family of the guards: `("order", n)` is whether the n-th choice is made."""


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """An order that a unit may be given, and the guard that says whether it is. `unit` is the
    unit's index; orders of powers have the indices after those of the units."""

    key: Key
    unit: int
    order: Order
    guard: Term


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """Facts with open orders: `choices` lists the choices of each unit, by index, then those for
    each order of a power. A unit with a single choice has that order; its guard is the constant
    true. `declared` has the orders of declared kinds by their guards."""

    phase: Phase
    choices: tuple[tuple[OrderChoice, ...], ...]
    declared: Mapping[Key, DeclaredFacts] = field(default_factory=dict)


@dataclass(frozen=True)
class Declaring:
    """The kinds of orders that the rules declare, and guard of an order -> the condition under
    which it is lawful if given; an order without an entry is always lawful."""

    kinds: Mapping[str, DeclaredKind] = field(default_factory=dict)
    lawful: Mapping[Key, Term] = field(default_factory=dict)


NO_KINDS = Declaring()


def open_phase(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    settings: Settings,
    declaring: Declaring = NO_KINDS,
    every_province: bool = True,
) -> OpenPhase:
    """The facts of a movement phase in which each unit has one of several orders.

    `orders` maps the location of a unit to the orders it may have, all of them legal or `Hold`; a
    unit without an entry holds. Any other key stands for an order of a power: that order, or
    `NO_ORDER` if it is not given, or both. `declaring` says which orders of declared kinds count.
    `dipsat.profiles.demands` says for which rules this is exact.
    """
    given = [tuple(orders.get(unit.location, ())) or (Hold(unit.name),) for unit in position.units]
    locations = {unit.location for unit in position.units}
    given += [tuple(orders[key]) for key in orders if key not in locations]
    choices = _choices(given)
    declared = [
        choice for group in choices for choice in group if isinstance(choice.order, DeclaredOrder)
    ]
    special = [(_ruling(choice, position.units), _issued(choice, declaring)) for choice in declared]
    matched = match_orders(
        position,
        settings,
        [[(choice.order, choice.guard) for choice in group] for group in choices],
        Effects(),
        DeclaredInput(declaring.kinds, special),
        every_province,
    )
    facts = zip(declared, matched.declared, strict=False)
    return OpenPhase(
        matched.phase,
        choices,
        {choice.key: one for choice, one in facts if one is not None},
    )


def _choices(given: Sequence[Sequence[Order]]) -> tuple[tuple[OrderChoice, ...], ...]:
    """One order of each group is given."""
    found = []
    number = 0
    for at, orders in enumerate(given):
        group = []
        for order in orders:
            key = (ORDER, number)
            guard: Term = Unknown(key, True) if len(orders) > 1 else True
            group.append(OrderChoice(key, at, order, guard))
            number += 1
        found.append(tuple(group))
    return tuple(found)


def _ruling(choice: OrderChoice, units: Sequence[Unit]) -> Ruling:
    """A ruling for an order of a declared kind; an order of a power names the power as its unit."""
    order = choice.order
    unit = units[choice.unit] if choice.unit < len(units) else None
    assert isinstance(order, DeclaredOrder)
    power = unit.power if unit is not None else order.unit.power or ""
    return Ruling(Submission(power, order.text, order), unit, order, RulingStatus.LEGAL)


def _issued(choice: OrderChoice, declaring: Declaring) -> Term:
    return all_of([choice.guard, declaring.lawful.get(choice.key, True)])
