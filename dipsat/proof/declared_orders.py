"""The orders of declared kinds that may be given: those of units, and those of powers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod
from typing import TypeAlias

from dipsat.equations.lawful import AloneJudge
from dipsat.game.following import powers_of
from dipsat.game.legality import judge_orders
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, Status, Submission
from dipsat.orders.forms import OrderKind
from dipsat.orders.order import DeclaredOrder, Order, SupportMove, UnitName
from dipsat.profiles.profile import Profile

_MOST = 20_000  # orders of one kind for one unit or power that are looked at


@lru_cache(maxsize=4)  # who asks about one unit asks about the others of the position too
def declared_orders(profile: Profile, position: Position) -> Mapping[str, tuple[Order, ...]]:
    """The orders of declared kinds that units may be given in the position's phase, by the location
    of the unit, each of them legal if it is given alone; and the supports of units that go along a
    line, which no other order lets them.

    Those of a kind with so many fields that more than 20,000 could be given to one unit are
    not among them.
    """
    kinds = [kind for kind in _kinds(profile, position) if kind.is_of_unit]
    found: dict[str, tuple[Order, ...]] = {}
    going: list[tuple[Unit, str]] = []
    judge = AloneJudge(profile, position) if kinds else None
    for unit in position.units if judge is not None else ():
        orders: list[Order] = []
        for kind in kinds:
            for order in _possible(kind, position, unit):
                if judge is not None and _is_lawful(judge, position, unit, order):
                    orders.append(order)
                    if kind.line:
                        going.append((unit, str(dict(order.fields)["target"])))
        found[unit.location] = tuple(orders)
    for unit in position.units if going else ():
        found[unit.location] += tuple(_supports(profile, position, unit, going))
    return found


@lru_cache(maxsize=4)
def declared_orders_of_powers(
    profile: Profile, position: Position
) -> Mapping[str, tuple[Order, ...]]:
    """Power of the map -> the orders that it may give besides those of its units (Colonial's
    `SC F MED - RED`), each of them legal if it is given alone.

    Those of a kind with so many fields that more than 20,000 could be given are not among
    them.
    """
    powers = sorted({*position.map.powers, *powers_of(position)})
    kinds = [kind for kind in _kinds(profile, position) if not kind.is_of_unit]
    orders = [order for kind in kinds for order in _of_powers(kind, position)]
    if not orders:
        return dict.fromkeys(powers, ())
    judge = AloneJudge(profile, position)
    return {
        power: tuple(
            order
            for order in orders
            if judge.is_lawful(Ruling(Submission(power, "", order), None, order, Status.LEGAL))
        )
        for power in powers
    }


def _kinds(profile: Profile, position: Position) -> Sequence[OrderKind]:
    """The kinds of orders that are given in the position's phase."""
    season = position.phase.extra_season
    if not season and position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    return [kind for kind in profile.words.kinds if kind.season == season]


def _of_powers(kind: OrderKind, position: Position) -> Iterator[DeclaredOrder]:
    """The orders of a kind that are no unit's, by what they could name."""
    units = [unit.name for unit in position.units]
    for named in _named(kind, units, sorted(position.map.provinces)):
        yield _order(kind, UnitName(""), named)


def _possible(kind: OrderKind, position: Position, unit: Unit) -> Iterator[DeclaredOrder]:
    """The orders of a kind for a unit, by what they could name."""
    others = [other.name for other in position.units if other is not unit]
    line = position.map.lines.get(kind.line)
    places = sorted(position.map.provinces) if line is None else list(line.provinces)
    if kind.line and (line is None or unit.province not in places):
        return
    for named in _named(kind, others, places):
        if unit.province not in named:
            yield _order(kind, unit.name, named)


_Named: TypeAlias = tuple[UnitName | str, ...]
"""What an order names, in the order of the fields of its kind."""


def _named(kind: OrderKind, units: Sequence[UnitName], places: Sequence[str]) -> Iterable[_Named]:
    """All that the fields of a kind could name, nothing if that is too much to look at."""
    choices: list[Sequence[UnitName | str]] = [
        units if slot.type == "Unit" else places for slot in kind.fields
    ]
    return product(*choices) if prod(map(len, choices)) <= _MOST else ()


def _order(kind: OrderKind, unit: UnitName, named: _Named) -> DeclaredOrder:
    values = tuple((slot.name, value) for slot, value in zip(kind.fields, named, strict=True))
    order = DeclaredOrder(kind.name, unit, values, season=kind.season)
    return replace(order, text=kind.write(order, UnitName.text, str))


def _is_lawful(judge: AloneJudge, position: Position, unit: Unit, order: Order) -> bool:
    ruling = _ruling(judge.profile, position, unit, order)
    return ruling.status is not Status.ILLEGAL and judge.is_lawful(ruling)


def _ruling(profile: Profile, position: Position, unit: Unit, order: Order) -> Ruling:
    submission = Submission(unit.power, "", order)
    return judge_orders(position, [submission], profile.settings)[0]


def _supports(
    profile: Profile, position: Position, unit: Unit, going: list[tuple[Unit, str]]
) -> Iterator[Order]:
    """The supports of units that go along a line to where they could not go otherwise."""
    reach = position.map.reach_provinces(unit.kind, unit.location)
    for other, target in going:
        if other is unit or target not in reach or _reaches(position, other, target):
            continue
        named = other.name if other.power == unit.power else other.full_name
        order = SupportMove(unit.name, named, target)
        if _ruling(profile, position, unit, order).status is not Status.ILLEGAL:
            yield order


def _reaches(position: Position, unit: Unit, target: str) -> bool:
    return target in position.map.reach_provinces(unit.kind, unit.location)
