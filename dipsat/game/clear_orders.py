"""Rulings on clear orders, which leave nothing to settle: they name units exactly, and targets that
the units can reach.

Most orders of programs are clear. `dipsat.game.legality` rules on all other orders. It would rule
on a clear order in the same way (a test compares them), but take several times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.game.convoying import Convoying, convoying
from dipsat.game.convoys import on_minimal_route
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.game.settings import Settings
from dipsat.kept import kept_on_first
from dipsat.orders.order import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from dipsat.orders.words import Words

Found: TypeAlias = tuple[Ruling | None, str | None]
"""The ruling on a clear order, and the province of the other unit that it depends on, "" if it
depends on none, None if it depends on all units."""

_UNCLEAR: Found = (None, None)
_FOREIGN = ("nationality_missing",)
"""What an order about a unit of another power needs if it does not say whose unit it is (4.C.5)."""
_OWN: tuple[str, ...] = ()
_LEGAL = RulingStatus.LEGAL
_NOWHERE: frozenset[str] = frozenset()
_as_ruling = partial(tuple.__new__, Ruling)  # in half the time of `Ruling(...)`
_CLEAR = (Move, SupportMove, SupportHold, Hold, Convoy)


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where units go on a map without a convoy, by kind: location -> locations (`steps`), and
    location -> provinces (`near`)."""

    steps: Mapping[UnitKind, Mapping[str, frozenset[str]]]
    near: Mapping[UnitKind, Mapping[str, frozenset[str]]]


@kept_on_first(16)
def _ways(board: Map, words: Words) -> _Ways:
    steps = {kind: board.steps(kind) for kind in words.units}
    near = {kind: board.fleet_provinces if kind.has_coasts else steps[kind] for kind in steps}
    return _Ways(steps, near)


def _legal(
    submission: Submission, unit: Unit, order: MovementOrder, naming: tuple[str, ...]
) -> Ruling:
    return _as_ruling((submission, unit, order, _LEGAL, "", "", naming, False, ""))


def clear_orders(position: Position, settings: Settings) -> ClearOrders | None:
    """What rules on the clear orders of a position; None if the rules place conditions on orders,
    or take only orders that they declare."""
    if settings.conditions is not None or position.phase.extra_season:
        return None
    return ClearOrders(position, settings)


class ClearOrders:
    """Rules on the clear orders of one position."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position = position
        self.settings = settings
        self.units: Mapping[str, Unit] = position.by_province
        self.neutrals = position.map.neutrals
        self.ways = _ways(position.map, position.words)
        self._convoying: tuple[Convoying, ...] | None = None

    def ruling(self, submission: Submission) -> Found:
        """The ruling on a clear order, none on any other."""
        power, _, order, _, refusal, reading = submission
        if refusal is not None or reading or not isinstance(order, _CLEAR):
            return _UNCLEAR
        named, units = order.unit, self.units
        at = named.location
        unit = units.get(at) or units.get(province_of(at))
        if unit is None or unit.power != power or power in self.neutrals:
            return _UNCLEAR
        if at != unit.location or named.kind is not unit.kind:
            return _UNCLEAR
        if named.power or named.attributes != unit.attributes:
            return _UNCLEAR
        if isinstance(order, Move):
            by_land = order.target in self.ways.steps[unit.kind].get(at, _NOWHERE)
            if order.via or order.path or not by_land:
                may = self._goes_by_convoy(unit, order, by_land)
                return (_legal(submission, unit, order, _OWN), None) if may else _UNCLEAR
        elif not isinstance(order, Hold):
            return self._about_another(submission, unit, order)
        return _legal(submission, unit, order, _OWN), ""

    def _about_another(
        self, submission: Submission, unit: Unit, order: SupportHold | SupportMove | Convoy
    ) -> Found:
        named = order.army if isinstance(order, Convoy) else order.supported
        at, units = named.location, self.units
        other = units.get(at) or units.get(province_of(at))
        if other is None or other is unit or other.power in self.neutrals:
            return _UNCLEAR
        if at != other.location or named.kind is not other.kind:
            return _UNCLEAR
        if named.power or named.attributes != other.attributes:
            return _UNCLEAR
        naming = _OWN if other.power == unit.power else _FOREIGN
        if naming and self.settings.nationality_missing == "illegal":
            return _UNCLEAR
        depends: str | None = other.province
        if isinstance(order, SupportMove):
            may, depends = self._supports(unit, other, order.target)
        elif isinstance(order, SupportHold):
            may = other.province in self.ways.near[unit.kind].get(unit.location, _NOWHERE)
        else:
            may, depends = self._convoys(unit, other, order.target)
        return (_legal(submission, unit, order, naming), depends) if may else _UNCLEAR

    def _supports(self, unit: Unit, other: Unit, target: str) -> tuple[bool, str | None]:
        """Whether a unit can support another one's move, and what that depends on: only the two if
        it is no convoy."""
        ways = self.ways
        if province_of(target) not in ways.near[unit.kind].get(unit.location, _NOWHERE):
            return False, None
        if target in ways.steps[other.kind].get(other.location, _NOWHERE):
            may = "/" not in target or self.settings.support_coast != "ignored"
            return may, other.province
        return self._could_be_carried(other, target, unit.province), None

    def _goes_by_convoy(self, unit: Unit, order: Move, by_land: bool) -> bool:
        """Whether units could convoy a unit whose order names no path, and no other order decides
        whether it goes by land instead (4.A.3)."""
        settings = self.settings
        if order.path or settings.convoy_path == "required":
            return False
        if by_land and settings.adjacent_convoy in ("opposed", "always"):
            return False
        return self._could_be_carried(unit, order.target)

    def _could_be_carried(self, unit: Unit, target: str, but: str = "") -> bool:
        """Whether units, except the one in province `but`, could convoy a unit. False for units and
        targets with a coast, which would have to be settled."""
        if "/" in target or unit.kind.has_coasts:
            return False
        return any(
            one.carriage.cargo is unit.kind and one.could_carry(unit, target, but)
            for one in self._kinds_of_convoys()
        )

    def _convoys(self, unit: Unit, other: Unit, target: str) -> tuple[bool, str | None]:
        """Whether a unit can take part in the convoy of another one, and what that depends on: only
        the two if it needs no help."""
        if "/" in target:
            return False, None
        for one in self._kinds_of_convoys():
            kinds, net, here = one.carriage, one.net, unit.province
            if kinds.carrier is not unit.kind or kinds.cargo is not other.kind:
                continue
            if here not in one.places or target not in net.shores:
                continue
            if on_minimal_route(net, other.location, target, one.carriers, here):
                shores = net.shores
                alone = here in shores[other.location] and here in shores[target]
                return True, other.province if alone else None
        return False, None

    def _kinds_of_convoys(self) -> tuple[Convoying, ...]:
        found = self._convoying
        if found is None:
            found = self._convoying = convoying(self.position, self.settings)
        return found
