"""The orders of declared kinds that units may be given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod

from dipsat.equations.lawful import phase_of
from dipsat.game.legality import judge_orders
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, Status, Submission
from dipsat.orders.forms import OrderKind
from dipsat.orders.order import DeclaredOrder, Order, SupportMove, UnitName
from dipsat.profiles.profile import Profile

_MOST = 5_000  # orders of one kind for one unit that are looked at


@lru_cache(maxsize=4)  # who asks about one unit asks about the others of the position too
def declared_orders(profile: Profile, position: Position) -> Mapping[str, tuple[Order, ...]]:
    """The orders of declared kinds that may be given in the position's phase, by the location of
    the unit, each of them legal if it is given alone; and the supports of units that go along a
    line, which no other order lets them.

    Orders of powers are not among them, nor those of a kind with so many fields that more than
    some thousand could be given to one unit.
    """
    season = position.phase.extra_season
    kinds = [kind for kind in profile.words.kinds if kind.is_of_unit and kind.season == season]
    found: dict[str, tuple[Order, ...]] = {}
    going: list[tuple[Unit, str]] = []
    for unit in position.units if kinds else ():
        orders: list[Order] = []
        for kind in kinds:
            for order in named_orders(kind, position, unit.name, unit.province):
                if _is_lawful(profile, position, unit, order):
                    orders.append(order)
                    if kind.line:
                        going.append((unit, str(dict(order.fields)["target"])))
        found[unit.location] = tuple(orders)
    for unit in position.units if going else ():
        found[unit.location] += tuple(line_supports(profile, position, unit, going))
    return found


def named_orders(
    kind: OrderKind, position: Position, named: UnitName, province: str = ""
) -> Iterator[DeclaredOrder]:
    """The orders of a kind for the unit of this name in a province, or for a power, by what they
    could name; none if there are more than some thousand (`orders_named`)."""
    line = position.map.lines.get(kind.line)
    if kind.line and (line is None or province not in line.provinces):
        return
    if orders_named(kind, position) is not None:
        return
    for values in product(*_choices(kind, position)):
        fields = tuple((slot.name, value) for slot, value in zip(kind.fields, values, strict=True))
        order = DeclaredOrder(kind.name, named, fields, season=kind.season)
        yield replace(order, text=kind.write(order, UnitName.text, str))


def orders_named(kind: OrderKind, position: Position) -> int | None:
    """How many orders of a kind a unit or a power could be given, if they are too many to look at
    each."""
    size = prod(len(choice) for choice in _choices(kind, position))
    return size if size > _MOST else None


def _choices(kind: OrderKind, position: Position) -> list[Sequence[UnitName | str]]:
    """By field, what an order of a kind could name there."""
    units = [unit.name for unit in position.units]
    places = sorted(position.map.provinces)
    line = position.map.lines.get(kind.line)
    found: list[Sequence[UnitName | str]] = []
    for slot in kind.fields:
        if slot.type == "Unit":
            found.append(units)
        else:
            found.append(places if line is None or slot.name != "target" else line.provinces)
    return found


def _is_lawful(profile: Profile, position: Position, unit: Unit, order: Order) -> bool:
    ruling = _ruling(profile, position, unit, order)
    if ruling.status is Status.ILLEGAL:
        return False
    return not phase_of(profile, position, [ruling]).refused


def _ruling(profile: Profile, position: Position, unit: Unit, order: Order) -> Ruling:
    submission = Submission(unit.power, "", order)
    return judge_orders(position, [submission], profile.settings)[0]


def line_supports(
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
