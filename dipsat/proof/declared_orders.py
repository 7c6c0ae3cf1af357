"""What may be ordered in a phase that takes only orders of kinds that the rules declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from dipsat.equations.lawful import phase_of
from dipsat.game.legality import judge_orders
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Status, Submission
from dipsat.orders.forms import OrderKind
from dipsat.orders.order import DeclaredOrder, UnitName
from dipsat.profiles.profile import Profile

_MOST = 2_000  # orders of one unit that are tried


def declared_orders(
    position: Position, profile: Profile, units: Iterable[Unit]
) -> Mapping[str, tuple[DeclaredOrder, ...]]:
    """Unit -> the orders that it may be given in the extra phase of the position, each of which is
    legal if it is given alone. Orders of a power and not of a unit are not listed."""
    season = position.phase.extra_season
    kinds = [kind for kind in profile.words.kinds if kind.season == season and kind.is_of_unit]
    return {
        str(unit): tuple(
            found
            for kind in kinds
            for order in islice(_possible(position, kind, unit), _MOST)
            if (found := _legal(position, profile, unit, order)) is not None
        )
        for unit in units
    }


def _possible(position: Position, kind: OrderKind, unit: Unit) -> Iterator[DeclaredOrder]:
    """Every order of a kind that can be written for a unit."""
    values: list[list[UnitName | str]] = []
    for slot in kind.fields:
        places: list[UnitName | str] = [*sorted(position.map.provinces)]
        values.append([u.name for u in position.units] if slot.type == "Unit" else places)
    names = [slot.name for slot in kind.fields]
    for chosen in product(*values):
        fields = tuple(zip(names, chosen, strict=True))
        yield DeclaredOrder(kind.name, unit.name, fields, season=kind.season)


def _legal(
    position: Position, profile: Profile, unit: Unit, order: DeclaredOrder
) -> DeclaredOrder | None:
    """The order as it is written, None if it is illegal."""
    submission = Submission(unit.power, "", order)
    (ruling,) = judge_orders(position, [submission], profile.settings)
    if ruling.status is Status.ILLEGAL or phase_of(profile, position, [ruling]).refused:
        return None
    assert isinstance(ruling.order, DeclaredOrder)
    return ruling.order
