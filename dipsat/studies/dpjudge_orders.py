"""How steps 1 and 2 of the DPjudge treat orders that are impossible for the units on the board
(Hand, the DPjudge's adjudication algorithm).

Before the steps look for matching orders, they check three points: whether the map has the way that
the order names, whether the units that it needs exist, and whether a game option turns the order
into a HOLD if they do not. A support to hold does not match a unit that was ordered to move, even
if that order is "void".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, TypeAlias

from dipsat.board import province_of
from dipsat.game import (
    BADLY_NAMED,
    SEVERAL,
    UNKNOWN_PLACE,
    Convoying,
    Position,
    Ruling,
    RulingStatus,
    convoying,
    is_possible_on_map,
)
from dipsat.orders import Convoy, Move, Order, SupportHold, SupportMove, Unit
from dipsat.rules import Settings

Missing: TypeAlias = Literal["hold", "mark"]
"""How an order is treated if it needs a unit that does not exist: it is changed to HOLD, or it
stays as it is, is marked, and fails."""


class Mark(StrEnum):
    """The status of an order; without a mark it succeeds."""

    VOID = "void"
    NO_CONVOY = "no convoy"
    ENDANGERED = "convoy endangered"
    UNDER_ATTACK = "convoy under attack"
    CUT = "cut"
    BOUNCE = "bounce"


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options in the order of the text, which says three times: "the decision as to which
    should be done is based on a game option".

    `missing_fleet` is for an army ordered through a fleet which does not exist (step 1),
    `missing_army` for the convoy order of a fleet whose army does not exist (step 1), and
    `missing_unit` for the support of a unit that does not exist (step 2). With `portage_convoy`
    (RULE PORTAGE_CONVOY) armies also convoy fleets, where the rules make such orders legal. With
    `safe_convoys` (RULE SAFE_CONVOYS) a fleet that is weaker than several equal attackers is in
    danger too.
    """

    missing_fleet: Missing = "hold"
    missing_army: Missing = "hold"
    missing_unit: Missing = "hold"
    portage_convoy: bool = False
    safe_convoys: bool = False


_DISCARDED = BADLY_NAMED | SEVERAL | {UNKNOWN_PLACE}
"""Codes of orders that are discarded when the orders are read (DATC 4.C, 4.D)."""


def own_settings(settings: Settings) -> Settings:
    """The settings to judge orders by: those of the profile, except where the steps say how to
    treat an order. An order may name its path (4.A.6), and then takes that path and does not go
    over land (4.A.3). `own_rulings` deals with other impossible orders (4.E.1)."""
    settings = replace(settings, legal="position", convoy_path="allowed")
    if settings.via_without_convoy == "by land":
        return replace(settings, via_without_convoy="by land without path")
    return settings


def own_rulings(
    position: Position, rulings: Sequence[Ruling], settings: Settings, options: GameOptions
) -> tuple[Ruling, ...]:
    """The rulings of steps 1 and 2: illegal orders get their mark, and orders that name a path are
    judged by it. An order that becomes a HOLD has no mark."""
    if all(ruling.status is not RulingStatus.ILLEGAL and not _path(ruling) for ruling in rulings):
        return tuple(rulings)
    ordered: dict[str, set[Order]] = {}
    for ruling in rulings:
        if ruling.unit is not None and not _is_discarded(ruling):
            ordered.setdefault(ruling.unit.location, set()).add(ruling.order)
    single = {location for location, orders in ordered.items() if len(orders) == 1}
    looked_at = _Orders(position, settings, options)
    found = list(rulings)
    for is_move in (True, False):  # supports and convoys depend on the moves ordered
        for at, ruling in enumerate(rulings):
            unit = ruling.unit
            if unit is None or unit.location not in single or _is_discarded(ruling):
                continue
            if isinstance(ruling.order, Move) is is_move:
                found[at] = looked_at.ruled(ruling, unit)
    return tuple(found)


def _path(ruling: Ruling) -> tuple[str, ...]:
    return ruling.order.path if isinstance(ruling.order, Move) else ()


def _is_discarded(ruling: Ruling) -> bool:
    is_illegal = ruling.status is RulingStatus.ILLEGAL
    return is_illegal and (ruling.code in _DISCARDED or ruling.submission.refusal is not None)


class _Orders:
    """Applies steps 1 and 2 to the orders of one position."""

    def __init__(self, position: Position, settings: Settings, options: GameOptions) -> None:
        self.position = position
        self.settings = settings
        self.options = options
        self.kinds = convoying(position, settings)
        self.in_vain: set[tuple[str, str]] = set()  # origins and targets of impossible moves

    def ruled(self, ruling: Ruling, unit: Unit) -> Ruling:
        """The ruling after steps 1 and 2."""
        order = ruling.order
        if isinstance(order, Move) and order.path:
            ruling = self._along_path(ruling, unit, order)
        if ruling.status is not RulingStatus.ILLEGAL:
            return ruling
        mark = self._mark(unit, order)
        if isinstance(order, Move) and mark:
            self.in_vain.add((unit.province, province_of(order.target)))
            return ruling._replace(mark=mark, counts=True)
        return ruling._replace(mark=mark, counts=False)

    def _mark(self, unit: Unit, order: Order) -> str:
        """The mark of an order that is illegal, "" if it becomes a HOLD or needs none."""
        if isinstance(order, Move):
            is_fleet_missing = self._is_fleet_missing(unit, order)
            return self._missing(is_fleet_missing, self.options.missing_fleet, Mark.NO_CONVOY)
        if self._matches(unit, order):
            return ""
        if isinstance(order, Convoy):
            return self._missing(self._is_army_missing(unit, order), self.options.missing_army)
        if isinstance(order, SupportHold | SupportMove):
            there = self._at(order.supported.location)
            return self._missing(there is None, self.options.missing_unit)
        return ""

    def _matches(self, unit: Unit, order: Order) -> bool:
        """Whether the order helps a move that was ordered but is impossible."""
        if isinstance(order, Convoy):
            return (province_of(order.army.location), province_of(order.target)) in self.in_vain
        if not isinstance(order, SupportMove):
            return False
        aim = province_of(order.target)
        near = self.position.map.reach_provinces(unit.kind, unit.location)
        return aim in near and (province_of(order.supported.location), aim) in self.in_vain

    @staticmethod
    def _missing(is_missing: bool, option: Missing, mark: Mark = Mark.VOID) -> str:
        if not is_missing:
            return Mark.VOID.value
        return mark.value if option == "mark" else ""

    def _at(self, location: str) -> Unit | None:
        return self.position.by_province.get(province_of(location))

    def _is_army_missing(self, unit: Unit, order: Convoy) -> bool:
        """Whether the place that the order names lacks a unit of a kind that the fleet carries."""
        cargo = self._at(order.army.location)
        carried = [one.carriage.cargo for one in self.kinds if one.carriage.carrier is unit.kind]
        return bool(carried) and (cargo is None or cargo.kind not in carried)

    def _is_fleet_missing(self, unit: Unit, order: Move) -> bool:
        """Whether the move needs a fleet that is not there, on a way that the map has."""
        if order.path:
            ways = self._ways(unit, order)
            return bool(ways) and not any(_empty(one, order.path) == () for one in ways)
        near = self.position.map.reach_provinces(unit.kind, unit.location)
        if province_of(order.target) in near and not order.via:
            return False
        could = any(one.could_carry(unit, order.target) for one in self._kinds_of(unit))
        return not could and is_possible_on_map(self.position, self.settings, unit, order)

    def _along_path(self, ruling: Ruling, unit: Unit, order: Move) -> Ruling:
        """The ruling on an order that names its path: the unit takes this path or none."""
        named = " - ".join((unit.province, *order.path, province_of(order.target)))
        ways = self._ways(unit, order)
        if not ways:
            return self._illegal(ruling, "path_impossible", f"{named} is not a convoy path")
        lacking = min((_empty(one, order.path) for one in ways), key=len)
        stays_a_move = self.options.missing_fleet == "mark"  # and step 1 marks it
        if lacking and ruling.status is not RulingStatus.ILLEGAL and not stays_a_move:
            carriers = ways[0].carriage.carrier.word
            return self._illegal(ruling, "path_empty", f"there is no {carriers} in {lacking[0]}")
        return ruling

    def _illegal(self, ruling: Ruling, code: str, reason: str) -> Ruling:
        return ruling._replace(status=RulingStatus.ILLEGAL, code=code, reason=reason)

    def _kinds_of(self, unit: Unit) -> list[Convoying]:
        return [one for one in self.kinds if one.carriage.cargo is unit.kind]

    def _ways(self, unit: Unit, order: Move) -> list[Convoying]:
        """The kinds of convoys for which the path is "a series of adjacent spaces each having the
        proper terrain type"."""
        return [one for one in self._kinds_of(unit) if _is_way(one, unit, order)]


def _is_way(kind: Convoying, unit: Unit, order: Move) -> bool:
    shores, links = kind.net.shores, kind.net.links
    ends = [set(shores.get(place, ())) for place in kind.net.landing_places(order.target)]
    first, last = order.path[0], order.path[-1]
    return (
        all(place in kind.places for place in order.path)
        and first in shores.get(unit.location, ())
        and any(last in end for end in ends)
        and all(b in links.get(a, ()) for a, b in zip(order.path, order.path[1:], strict=False))
    )


def _empty(kind: Convoying, path: Iterable[str]) -> tuple[str, ...]:
    """The places of a path where no unit could carry the other."""
    return tuple(place for place in path if place not in kind.carriers)
