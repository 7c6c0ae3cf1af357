"""The orders of declared kinds that units may be given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from dipsat.equations.lawful import phase_of
from dipsat.game.legality import judge_orders
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, Status, Submission
from dipsat.orders.forms import OrderKind, Slot
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
            for order in _possible(kind, position, unit):
                if _is_lawful(profile, position, unit, order):
                    orders.append(order)
                    if kind.line:
                        going.append((unit, str(dict(order.fields)["target"])))
        found[unit.location] = tuple(orders)
    for unit in position.units if going else ():
        found[unit.location] += tuple(_supports(profile, position, unit, going))
    return found


def _possible(kind: OrderKind, position: Position, unit: Unit) -> Iterator[DeclaredOrder]:
    """The orders of a kind for a unit, by what they could name."""
    others = [other.name for other in position.units if other is not unit]
    line = position.map.lines.get(kind.line)
    places = sorted(position.map.provinces) if line is None else list(line.provinces)
    if kind.line and (line is None or unit.province not in places):
        return
    choices: list[Sequence[UnitName | str]] = [
        others if slot.type == "Unit" else places for slot in kind.fields
    ]
    size = 1
    for choice in choices:
        size *= len(choice)
    if size > _MOST:
        return
    for named in product(*choices):
        if unit.province in named:
            continue
        yield _order(kind, kind.fields, unit, named)


def _order(
    kind: OrderKind, fields: tuple[Slot, ...], unit: Unit, named: tuple[UnitName | str, ...]
) -> DeclaredOrder:
    values = tuple((slot.name, value) for slot, value in zip(fields, named, strict=True))
    order = DeclaredOrder(kind.name, unit.name, values, season=kind.season)
    return replace(order, text=kind.write(order, UnitName.text, str))


def _is_lawful(profile: Profile, position: Position, unit: Unit, order: Order) -> bool:
    ruling = _ruling(profile, position, unit, order)
    if ruling.status is Status.ILLEGAL:
        return False
    return not phase_of(profile, position, [ruling]).refused


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
