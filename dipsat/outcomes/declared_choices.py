"""The possible orders of declared kinds: those of units and those of powers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod

from dipsat.equations import (
    Fault,
    Grounder,
    Referents,
    broken_condition,
    build_phase,
    by_type,
    order_facts,
)
from dipsat.game import (
    PhaseKind,
    Position,
    Ruling,
    RulingStatus,
    Submission,
    judge_orders,
    powers_of,
)
from dipsat.orders import DeclaredOrder, Order, OrderKind, SupportMove, Unit, UnitName
from dipsat.rules import Profile

_MOST = 20_000  # orders of one kind tried for one unit or power


@lru_cache(maxsize=4)  # callers that ask about one unit ask about the others, too
def declared_orders(profile: Profile, position: Position) -> Mapping[str, tuple[Order, ...]]:
    """The orders of declared kinds that units may be given in the position's phase, by the location
    of the unit. Each is legal if given alone. Supports are included for units that move along a
    line to where no other order takes them.

    Kinds whose fields allow more than 20,000 orders for one unit are left out.
    """
    kinds = [kind for kind in _kinds(profile, position) if kind.is_of_unit]
    if not kinds:
        return {}
    found: dict[str, tuple[Order, ...]] = {}
    going: list[tuple[Unit, str]] = []
    judge = AloneJudge(profile, position)
    for unit in position.units:
        orders: list[Order] = []
        for kind in kinds:
            for order in named_orders(kind, position, unit.name, unit.province):
                ruling = _ruling(profile, position, unit, order)
                if ruling.status is not RulingStatus.ILLEGAL and judge.is_lawful(ruling):
                    orders.append(order)
                    if kind.line:
                        going.append((unit, str(dict(order.fields)["target"])))
        found[unit.location] = tuple(orders)
    for unit in position.units if going else ():
        found[unit.location] += tuple(line_supports(profile, position, unit, going))
    return found


@lru_cache(maxsize=4)
def declared_orders_of_powers(
    profile: Profile, position: Position
) -> Mapping[str, tuple[Order, ...]]:
    """Power of the map -> the orders that it may give besides those of its units (Colonial's `SC F
    MED - RED`), each legal if given alone.

    Kinds whose fields allow more than 20,000 orders are left out.
    """
    powers = sorted({*position.map.powers, *powers_of(position)})
    kinds = [kind for kind in _kinds(profile, position) if not kind.is_of_unit]
    orders = [o for kind in kinds for o in named_orders(kind, position, UnitName(""))]
    if not orders:
        return dict.fromkeys(powers, ())
    judge = AloneJudge(profile, position)
    return {
        power: tuple(order for order in orders if judge.is_lawful(_lawful(power, order)))
        for power in powers
    }


def _lawful(power: str, order: Order) -> Ruling:
    return Ruling(Submission(power, "", order), None, order, RulingStatus.LEGAL)


def _kinds(profile: Profile, position: Position) -> Sequence[OrderKind]:
    """The kinds of orders that belong to the position's phase."""
    season = position.phase.extra_season
    if not season and position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    return [kind for kind in profile.words.kinds if kind.season == season]


def named_orders(
    kind: OrderKind, position: Position, named: UnitName, province: str = ""
) -> Iterator[DeclaredOrder]:
    """Every order of a kind for the unit with this name in a province, or for a power, with all
    possible values of its fields; none if there are too many (`orders_named`)."""
    line = position.map.lines.get(kind.line)
    if kind.line and (line is None or province not in line.provinces):
        return
    if orders_named(kind, position) is not None:
        return
    for values in product(*_choices(kind, position)):
        fields = tuple((slot.name, value) for slot, value in zip(kind.fields, values, strict=True))
        yield kind.written(DeclaredOrder(kind.name, named, fields, season=kind.season))


def orders_named(kind: OrderKind, position: Position) -> int | None:
    """The number of orders of a kind that a unit or a power could be given, if they are too many to
    try; else None."""
    size = prod(len(choice) for choice in _choices(kind, position))
    return size if size > _MOST else None


def _choices(kind: OrderKind, position: Position) -> list[Sequence[UnitName | str]]:
    """The possible values of each field of an order of a kind."""
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


def _ruling(profile: Profile, position: Position, unit: Unit, order: Order) -> Ruling:
    submission = Submission(unit.power, "", order)
    return judge_orders(position, [submission], profile.settings)[0]


def line_supports(
    profile: Profile, position: Position, unit: Unit, going: list[tuple[Unit, str]]
) -> Iterator[Order]:
    """The supports of units that move along a line to where they could not go otherwise."""
    near = position.map.reach_provinces
    reach = near(unit.kind, unit.location)
    for other, target in going:
        if other is unit or target not in reach or target in near(other.kind, other.location):
            continue
        named = other.name if other.power == unit.power else other.full_name
        order = SupportMove(unit.name, named, target)
        if _ruling(profile, position, unit, order).status is not RulingStatus.ILLEGAL:
            yield order


class AloneJudge:
    """Judges whether orders of declared kinds in a position are lawful if given alone.

    The facts of the position are built once, not once per order.
    """

    def __init__(self, profile: Profile, position: Position) -> None:
        self.profile = profile
        kinds = profile.declared.kinds
        self.phase = build_phase(position, (), profile.settings, kinds, every_province=True)
        places = {place.code: place for place in self.phase.provinces}
        units = {unit.province.code: unit for unit in self.phase.units}
        self._where = Referents(position.map, units, places.__getitem__)

    def is_lawful(self, ruling: Ruling) -> bool:
        """Whether an order of a declared kind meets all conditions of its kind."""
        facts = order_facts(self.profile.declared.kinds, ruling, self._where, {})
        if isinstance(facts, Fault):
            return False
        phase = replace(self.phase, declared=by_type([facts]))
        return broken_condition(self.profile, Grounder(self.profile, phase), facts) == ""
