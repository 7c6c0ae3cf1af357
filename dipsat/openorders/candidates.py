"""What may be ordered while orders are open: every order that is legal beside some other orders."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from dipsat.board.province import province_of
from dipsat.equations.phase import quoted
from dipsat.game.facts import NO_ORDER
from dipsat.game.legal_orders import legal_orders
from dipsat.game.position import Position, Unit
from dipsat.openorders.open_facts import Declaring, lawful_terms, open_phase
from dipsat.orders.order import DeclaredOrder, Order, UnitName
from dipsat.orders.verbs import OrderKind
from dipsat.profiles.demands import limits_of, open_kinds, words_not_open
from dipsat.profiles.profile import Profile
from dipsat.proof.declared_orders import line_supports, named_orders, orders_named
from dipsat.terms.term import ORDER


@dataclass(frozen=True, slots=True)
class Candidates:
    """The orders that may be given in a movement phase: those of units, by location, and those of
    powers, by `key_of`."""

    of_units: Mapping[str, tuple[Order, ...]]
    of_powers: Mapping[str, DeclaredOrder] = field(default_factory=dict)


@lru_cache(maxsize=4)
def candidates(profile: Profile, position: Position) -> Candidates:
    """Every order of a position that is legal together with some others: those that `legal_orders`
    lists, those of declared kinds, and supports of units that go along a line. The position has the
    words of the profile."""
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
    submitted = open_phase(position, choices, profile.settings, Declaring(profile.declared.kinds))
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
    """The key of an order of a power, beside the locations of units. No location has a space, and
    two powers have different keys (see `quoted`)."""
    return f"{quoted(order.unit.power or '', ' ')} {order.text}"


def order_of_power(position: Position, power: str, order: DeclaredOrder) -> DeclaredOrder:
    """An order of a power in the form that candidates have: with the power, and units in full."""
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
    `expressed` are no reason."""
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
