"""The facts of a movement phase with open orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from dipsat.equations import (
    MAX_OPEN_STEPS,
    ORDER,
    DeclaredInput,
    Effects,
    Grounder,
    Key,
    Phase,
    Term,
    Unknown,
    all_of,
    conditions_on_order,
    match_orders,
)
from dipsat.game import DeclaredFacts, Position, Ruling, RulingStatus, Submission
from dipsat.orders import DeclaredOrder, Hold, Order, Unit
from dipsat.rules import DeclaredKind, Profile, Settings, asks_for_places


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """An order that a unit may be given, and the guard that says whether it is. `unit` is the
    unit's index; orders of powers have the indices after the units'."""

    key: Key
    unit: int
    order: Order
    guard: Term


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """Facts with open orders. `choices` lists the choices of each unit, by index, then those for
    each order of a power. A unit with a single choice has that order, with the constant true as its
    guard. `declared` has the orders of declared kinds by their guards."""

    phase: Phase
    choices: tuple[tuple[OrderChoice, ...], ...]
    declared: Mapping[Key, DeclaredFacts] = field(default_factory=dict)


def open_phase(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    settings: Settings,
    kinds: Mapping[str, DeclaredKind] = {},
    lawful: Mapping[Key, Term] = {},
    every_province: bool = True,
) -> OpenPhase:
    """The facts of a movement phase in which each unit has one of several orders.

    `orders` maps the location of a unit to the orders it may have, all of them legal or `Hold`; a
    unit without an entry holds. Any other key stands for an order of a power: that order, or
    `NO_ORDER` if it is not given, or both. `kinds` are the kinds of orders that the rules declare.
    `lawful` maps the guard of such an order to the condition under which it counts, unless it
    always does. `dipsat.rules.profile` says for which rules this is exact.
    """
    units = position.units
    given = [tuple(orders.get(unit.location, ())) or (Hold(unit.name),) for unit in units]
    locations = {unit.location for unit in units}
    given += [tuple(orders[key]) for key in orders if key not in locations]
    choices: list[tuple[OrderChoice, ...]] = []
    first = 0
    for at, listed in enumerate(given):
        keys = [(ORDER, number) for number in range(first, first + len(listed))]
        guards: list[Term] = [Unknown(key, True) if len(keys) > 1 else True for key in keys]
        choices.append(tuple(map(OrderChoice, keys, repeat(at), listed, guards)))
        first += len(keys)
    declared = [one for one in chain(*choices) if isinstance(one.order, DeclaredOrder)]
    special = [
        (_ruling(one, units), all_of([one.guard, lawful.get(one.key, True)])) for one in declared
    ]
    matched = match_orders(
        position,
        settings,
        [[(choice.order, choice.guard) for choice in group] for group in choices],
        Effects(),
        DeclaredInput(kinds, special),
        every_province,
    )
    facts = zip(declared, matched.declared, strict=False)
    by_guard = {choice.key: one for choice, one in facts if one is not None}
    return OpenPhase(matched.phase, tuple(choices), by_guard)


def _ruling(choice: OrderChoice, units: Sequence[Unit]) -> Ruling:
    """A ruling for an order of a declared kind; an order of a power names the power as its unit."""
    order = choice.order
    unit = units[choice.unit] if choice.unit < len(units) else None
    assert isinstance(order, DeclaredOrder)
    power = unit.power if unit is not None else order.unit.power or ""
    return Ruling(Submission(power, order.text, order), unit, order, RulingStatus.LEGAL)


def open_phase_of(
    profile: Profile,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    every_province: bool = True,
) -> OpenPhase:
    """The facts of a phase with these `orders` open, as `open_phase` takes them. Without
    `every_province`, the phase has only the provinces that the rules or the orders need.

    As in `phase_of`, each order of a declared kind is judged with all given orders present; the
    unit of an unlawful one holds.
    """
    kinds = profile.declared.kinds
    every = every_province or bool(kinds) or asks_for_places(profile)
    submitted = open_phase(position, orders, profile.settings, kinds, {}, every)
    lawful = lawful_terms(profile, submitted)
    if all(term is True for term in lawful.values()):
        return submitted
    return open_phase(position, orders, profile.settings, kinds, lawful, every)


def lawful_terms(profile: Profile, submitted: OpenPhase) -> Mapping[Key, Term]:
    """Guard of an order of a declared kind -> the condition on the guards of all orders under which
    it is lawful if given. In `submitted`, every given order counts."""
    grounder = Grounder(profile, submitted.phase, most=MAX_OPEN_STEPS)
    return {
        key: all_of(term for _, term in conditions_on_order(profile, grounder, order))
        for key, order in submitted.declared.items()
        if order.type in profile.lawful
    }
