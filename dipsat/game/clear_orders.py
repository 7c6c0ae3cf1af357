"""Rulings on clear orders, in which nothing has to be settled: they name units exactly, and targets
that are in reach.

Most orders of programs are clear. `dipsat.game.legality` has the last word: it takes several times
as long, and rules on a clear order in the same way (a test compares them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.board.convoy_net import ConvoyNet
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.game.convoying import usual_places
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.game.settings import Settings
from dipsat.kept import kept_on_first
from dipsat.orders.order import Convoy, Hold, Move, SupportHold, SupportMove
from dipsat.orders.words import Words

ClearRuling: TypeAlias = tuple[Ruling, str]
"""A ruling, and the province of the other unit that the order is about, "" if there is none."""

_FOREIGN = ("nationality_missing",)
"""What an order about a unit of another power needs if it does not say whose unit it is (4.C.5)."""
_OWN: tuple[str, ...] = ()
_LEGAL = RulingStatus.LEGAL
_NOWHERE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where units go on a map without a convoy, by kind: location -> locations (`steps`), and
    location -> provinces (`near`). For each carrier and its cargo, the networks of such convoys,
    with the provinces in which the carrier may be."""

    steps: Mapping[UnitKind, Mapping[str, frozenset[str]]]
    near: Mapping[UnitKind, Mapping[str, frozenset[str]]]
    convoys: Mapping[tuple[UnitKind, UnitKind], list[tuple[ConvoyNet, frozenset[str]]]]


@kept_on_first(16)
def _ways(board: Map, words: Words) -> _Ways:
    steps = {kind: board.steps(kind) for kind in words.units}
    near = {kind: board.fleet_provinces if kind.has_coasts else steps[kind] for kind in steps}
    convoys: dict[tuple[UnitKind, UnitKind], list[tuple[ConvoyNet, frozenset[str]]]] = {}
    for one in words.carriages:
        way = board.convoy_net(one), usual_places(board, one)
        convoys.setdefault((one.carrier, one.cargo), []).append(way)
    return _Ways(steps, near, convoys)


def clear_orders(position: Position, settings: Settings) -> ClearOrders | None:
    """The rulings on the clear orders of a position, None if the rules may forbid some."""
    if settings.conditions is not None or position.phase.extra_season:
        return None
    return ClearOrders(position, settings)


class ClearOrders:
    """Rules on the clear orders of one position, under rules without conditions on single orders.
    The rulings hold as long as the same units stand where the order says."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.units: Mapping[str, Unit] = position.by_province
        self.ways = _ways(position.map, position.words)
        self.takes_foreign = settings.nationality_missing != "illegal"
        self.takes_coasts = settings.support_coast != "ignored"

    def ruling(self, submission: Submission) -> ClearRuling | None:
        """The ruling on a clear order, None for any other."""
        power, _, order, _, refusal, reading = submission
        if refusal is not None or reading or not isinstance(order, _CLEAR):
            return None
        named, units = order.unit, self.units
        at = named.location
        unit = units.get(at) or units.get(province_of(at))
        if unit is None or unit.power != power:
            return None
        if at != unit.location or named.kind is not unit.kind:
            return None
        if named.power or named.attributes != unit.attributes:
            return None
        if isinstance(order, Move):
            may = order.target in self.ways.steps[unit.kind].get(at, _NOWHERE)
            if not may or order.via or order.path:
                return None
        elif not isinstance(order, Hold):
            return self._about_another(submission, unit, order)
        return Ruling(submission, unit, order, _LEGAL), ""

    def _about_another(
        self, submission: Submission, unit: Unit, order: SupportHold | SupportMove | Convoy
    ) -> ClearRuling | None:
        named = order.army if isinstance(order, Convoy) else order.supported
        at, units = named.location, self.units
        other = units.get(at) or units.get(province_of(at))
        if other is None or other is unit:
            return None
        if at != other.location or named.kind is not other.kind:
            return None
        if named.power or named.attributes != other.attributes:
            return None
        naming = _OWN if other.power == unit.power else _FOREIGN
        if naming and not self.takes_foreign:
            return None
        if isinstance(order, Convoy):
            may = self._convoys_alone(unit, other, order.target)
        elif isinstance(order, SupportMove):
            may = self._supports(unit, other, order.target)
        else:
            may = other.province in self.ways.near[unit.kind].get(unit.location, _NOWHERE)
        if not may:
            return None
        return Ruling(submission, unit, order, _LEGAL, naming=naming), other.province

    def _supports(self, unit: Unit, other: Unit, target: str) -> bool:
        """Whether a unit can support another one's move without a convoy."""
        ways = self.ways
        return (
            target in ways.steps[other.kind].get(other.location, _NOWHERE)
            and province_of(target) in ways.near[unit.kind].get(unit.location, _NOWHERE)
            and (self.takes_coasts or "/" not in target)
        )

    def _convoys_alone(self, unit: Unit, other: Unit, target: str) -> bool:
        """Whether a unit can convoy another one without the help of a third."""
        here, there = unit.province, province_of(target)
        if "/" in target or here == there or there == other.province or here == other.province:
            return False
        return any(
            here in places
            and here in net.shores.get(other.location, _NOWHERE)
            and here in net.shores.get(target, _NOWHERE)
            for net, places in self.ways.convoys.get((unit.kind, other.kind), ())
        )


_CLEAR = (Move, SupportMove, SupportHold, Hold, Convoy)
