"""Plans: own units that move, with orders for each arrangement in which they can stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.errors.arguments import checked
from dipsat.game.position import Unit
from dipsat.orders.order import Convoy, Hold, Move, Order, Retreat, SupportHold, SupportMove
from dipsat.orders.writer import write_order
from dipsat.values import brief, grouped


@brief()
@dataclass(frozen=True)
class PlanState:
    """Where the own units stand, and their orders there."""

    units: tuple[Unit, ...]
    """The own units, by province."""
    orders: tuple[Order, ...]
    """The order of each unit, in the same sequence."""
    retreats: tuple[Retreat, ...] = ()
    """Where units that may be dislodged then retreat to."""

    @cached_property
    def by_province(self) -> Mapping[str, Unit]:
        """Province -> the own unit in it."""
        return {unit.province: unit for unit in self.units}

    @cached_property
    def moves(self) -> Mapping[str, str]:
        """Province -> the province that the own unit in it is ordered to go to."""
        return {
            unit.province: province_of(order.target)
            for unit, order in zip(self.units, self.orders, strict=True)
            if isinstance(order, Move)
        }

    @cached_property
    def holders(self) -> Mapping[str, tuple[str, ...]]:
        """Province -> the provinces of the own units that support the unit in it to hold."""
        return self._supporters(SupportHold)

    @cached_property
    def pushers(self) -> Mapping[str, tuple[str, ...]]:
        """Province -> the provinces of the own units that support the move from it."""
        return self._supporters(SupportMove)

    def _supporters(
        self, kind: type[SupportHold] | type[SupportMove]
    ) -> Mapping[str, tuple[str, ...]]:
        found = grouped(
            (province_of(order.supported.location), unit.province)
            for unit, order in zip(self.units, self.orders, strict=True)
            if isinstance(order, kind)
        )
        return {aim: tuple(units) for aim, units in found.items()}

    @cached_property
    def carried(self) -> frozenset[str]:
        """The provinces of the armies that own fleets convoy."""
        convoys = (order for order in self.orders if isinstance(order, Convoy))
        return frozenset(province_of(order.army.location) for order in convoys)

    @cached_property
    def goals(self) -> Mapping[str, str]:
        """Province -> the location that the own unit in it is ordered to go to."""
        pairs = zip(self.units, self.orders, strict=True)
        return {unit.province: order.target for unit, order in pairs if isinstance(order, Move)}

    @cached_property
    def refuges(self) -> Mapping[str, str]:
        """Province -> the location that the own unit in it retreats to if it is dislodged; without
        the units that must not be dislodged."""
        return {province_of(one.unit.location): one.target for one in self.retreats}

    @checked
    def rings(self) -> tuple[tuple[str, ...], ...]:
        """Return the provinces of units that go round in a ring: each to the next, the last to the
        first. Two armies change places only if one of them is convoyed."""
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for start in self.moves:
            way = [start]
            while self.moves.get(way[-1], start) not in way:
                way.append(self.moves[way[-1]])
            closed = self.moves.get(way[-1]) == start
            if closed and (len(way) > 2 or self.carried & set(way)):
                found[frozenset(way)] = tuple(way)
        return tuple(found.values())

    @checked
    def texts(self, board: Map) -> tuple[str, ...]:
        """Return the orders as text, with the names of a map."""
        return tuple(write_order(order, board) for order in self.orders)

    @checked
    def retreat_texts(self, board: Map) -> tuple[str, ...]:
        """Return the retreats as text, with the names of a map."""
        return tuple(write_order(order, board) for order in self.retreats)


def holding(unit: Unit) -> Order:
    """The order of a unit without one."""
    return Hold(unit.name)
