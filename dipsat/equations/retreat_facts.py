"""The facts of a retreat phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.board.province import province_of
from dipsat.equations.facts import ProvinceFacts, UnitFacts
from dipsat.game.position import Position
from dipsat.orders.order import Disband, UnitName
from dipsat.terms.term import Term


class RetreatFacts:
    """A legal retreat order. `target_location` is where it ends, with a fleet's coast."""

    __slots__ = (
        "index", "issued", "origin", "power", "rivals", "target", "target_location", "unit",
    )  # fmt: skip

    def __init__(self, index: int, unit: UnitFacts, target: ProvinceFacts, location: str) -> None:
        self.index = index
        self.issued: Term = True
        self.unit = unit
        self.power = unit.power
        self.origin = unit.province
        self.target = target
        self.target_location = location
        self.rivals: Sequence[RetreatFacts] = ()

    def __str__(self) -> str:
        return f"{self.unit} R {self.target_location}"


def build_retreats(position: Position, targets: Mapping[str, str]) -> dict[str, RetreatFacts]:
    """The retreats of a phase by the retreating unit's location; `targets` maps the one to where
    the unit goes."""
    board = position.map
    places: dict[str, ProvinceFacts] = {}

    def place(code: str) -> ProvinceFacts:
        if code not in places:
            places[code] = ProvinceFacts(len(places), board.provinces[code])
        return places[code]

    found: dict[str, RetreatFacts] = {}
    for at, lost in enumerate(position.dislodged):
        location = lost.unit.location
        if location in targets:
            unit = UnitFacts(at, lost.unit, place(lost.unit.province), _ORDER)
            target = targets[location]
            found[location] = RetreatFacts(at, unit, place(province_of(target)), target)
    for retreat in found.values():
        retreat.rivals = [
            other
            for other in found.values()
            if other is not retreat and other.target is retreat.target
        ]
    return found


_ORDER = Disband(UnitName(""))  # a unit's facts ask for an order; retreats do not look at it
