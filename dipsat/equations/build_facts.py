"""The facts of a phase whose orders are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.board.province import province_of
from dipsat.equations.matching import (
    NOTHING_DECLARED,
    DeclaredInput,
    Effects,
    match_orders,
)
from dipsat.equations.phase import Mismatch, Phase
from dipsat.game.facts import NO_ORDER, PositionFacts, RetreatFacts
from dipsat.game.impossible_orders import is_possible_on_map
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling, RulingStatus
from dipsat.game.settings import Settings
from dipsat.orders.order import Convoy, DeclaredOrder, Move, Order
from dipsat.profiles.order_kinds import DeclaredKind

NO_KINDS: Mapping[str, DeclaredKind] = {}


def build_phase(
    position: Position,
    rulings: Sequence[Ruling],
    settings: Settings,
    kinds: Mapping[str, DeclaredKind] = NO_KINDS,
    refused: Sequence[tuple[Ruling, Mismatch]] = (),
    every_province: bool = False,
) -> Phase:
    """The facts of a phase: legal orders matched with each other; a unit without one holds.

    `kinds` are the kinds of orders that the rules declare; orders in `refused` do not count. The
    phase has the provinces with units and those that orders lead to, or with `every_province` all
    provinces of the map.
    """
    admitted, declared = rulings, NOTHING_DECLARED
    if kinds:
        illegal = {id(ruling) for ruling, _ in refused}
        admitted = [ruling for ruling in rulings if id(ruling) not in illegal]
        special = [
            (ruling, True)
            for ruling in admitted
            if isinstance(ruling.order, DeclaredOrder) and ruling.status is not RulingStatus.ILLEGAL
        ]
        declared = DeclaredInput(kinds, special, tuple(refused))
    ordered: dict[str, Order] = {}
    effects = Effects()
    illegal_status = RulingStatus.ILLEGAL
    for ruling in admitted:
        unit = ruling.unit
        if unit is None:
            continue
        if ruling.status is not illegal_status:
            ordered[unit.location] = ruling.order
        elif ruling.counts:
            _note_impossible(effects, position, settings, ruling)
    if settings.disorder_support == "refused":
        _note_disorder(effects, position, rulings)
    given = [ordered.get(unit.location, NO_ORDER) for unit in position.units]
    return match_orders(position, settings, given, effects, declared, every_province).phase


def _note_impossible(
    effects: Effects, position: Position, settings: Settings, ruling: Ruling
) -> None:
    """DATC 2.4 4.E.1 a to c: record the effects of an impossible order.

    A convoy order shows intent only if the fleet could be part of a route (2.4 4.A.3 d, 6.G.7).
    """
    unit, order = ruling.unit, ruling.order
    assert unit is not None
    if isinstance(order, Move):
        effects.refusing[unit.location] = "was ordered an impossible move"
    elif isinstance(order, Convoy) and is_possible_on_map(position, settings, unit, order):
        army, target = province_of(order.army.location), province_of(order.target)
        effects.intents.setdefault((unit.power, army, target), str(unit))


def _note_disorder(effects: Effects, position: Position, rulings: Sequence[Ruling]) -> None:
    """DATC 4.D.9 a: a power without any orders is in civil disorder."""
    ordering = {ruling.submission.power for ruling in rulings}
    for unit in position.units:
        if unit.power not in ordering:
            effects.refusing[unit.location] = "belongs to a power in civil disorder"


def build_retreats(position: Position, targets: Mapping[str, str]) -> dict[str, RetreatFacts]:
    """The retreats of a phase by the retreating unit's location; `targets` maps that location to
    the one that the unit goes to."""
    around = PositionFacts(position)
    found: dict[str, RetreatFacts] = {}
    for at, lost in enumerate(position.dislodged):
        location = lost.unit.location
        if location in targets:
            target = targets[location]
            place = around.place(province_of(target))
            found[location] = RetreatFacts(at, around.unit(lost.unit), place, target)
    for retreat in found.values():
        retreat.rivals = [
            other
            for other in found.values()
            if other is not retreat and other.target is retreat.target
        ]
    return found
