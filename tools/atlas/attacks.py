"""Random attacks on a line: units all around it, with orders that are mostly a single attack."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from dipsat import kernel
from dipsat.base import grouped
from dipsat.board import Map, UnitKind, province_of
from dipsat.kernel import MapNumbers
from dipsat.kernel.numbers import CONVOY, HOLD, MOVE, SUPPORT_MOVE
from dipsat.orders import Unit
from dipsat.searches import LineEnemy
from dipsat.searches.line import enemies_outside

_FOCUSED, _CONVOYED = 0.7, 0.2  # of the orders, of the boards
_HOLD = (HOLD, 0, 0, 0)
_Order = tuple[int, int, int, int]


@cache
def batch_of(name: str) -> kernel.Batch:
    """The adjudicator of many boards of a map."""
    return kernel.Batch(map=name)


@dataclass(frozen=True, slots=True)
class Attack:
    """The codes of the enemy's units, and of their orders."""

    units: Sequence[int]
    orders: Sequence[int]


@dataclass(frozen=True)
class Around:
    """The parts of a line that the enemy sees; not which of its units are armies."""

    map: str
    enemy: LineEnemy
    region: frozenset[str]
    own: tuple[str, ...]
    supports: tuple[tuple[str, str], ...]

    @property
    def _board(self) -> Map:
        return self._numbers.board

    @cached_property
    def _numbers(self) -> MapNumbers:
        return batch_of(self.map).numbers

    @cached_property
    def inside(self) -> frozenset[int]:
        """The locations, as numbers, where no enemy may be after the phase."""
        closed = {*self.region, *self.own}
        places = self._numbers.number_of.items()
        return frozenset(at for location, at in places if province_of(location) in closed)

    @cached_property
    def _places(self) -> tuple[list[list[Unit]], list[list[Unit]]]:
        """The units that the enemy could have, by province: beside the line, and elsewhere."""
        near, far, own = list[list[Unit]](), list[list[Unit]](), {*self.own}
        units = enemies_outside(self._board, self.region | own, self.enemy)
        for there in grouped((unit.province, unit) for unit in units).values():
            beside = {aim for unit in there for aim in self._reached(unit)}
            (near if beside & own else far).append(there)
        return near, far

    def _reached(self, unit: Unit) -> frozenset[str]:
        return self._board.reach_provinces(unit.kind, unit.location)

    def attack(self, random: Random) -> Attack:
        """The units of the enemy on one board, and their orders."""
        near, far = self._places
        dense, beyond = random.choice((0.5, 0.8, 1.0)), random.choice((0.05, 0.3))
        units = [random.choice(some) for some in near if random.random() < dense]
        units += [random.choice(some) for some in far if random.random() < beyond]
        numbers, codes = self._numbers, array("H")
        power, kinds = numbers.number_of_power[self.enemy.powers[0]], numbers.kinds
        blank = [0] * (numbers.unit_width - 3)
        for unit in units:
            kind = kinds.index(unit.kind)
            codes.extend((power, kind, numbers.number_of[unit.location], *blank))
        orders = self._orders(units, random)
        return Attack(codes, array("H", [one for order in orders for one in order]))

    def _orders(self, units: Sequence[Unit], random: Random) -> Iterator[_Order]:
        number, focus = self._numbers.number_of, random.choice(self.own)
        helpers = {one for one, aim in self.supports if aim == focus}
        found = dict(self._convoy(units, focus)) if random.random() < _CONVOYED else {}
        leader = next((unit for unit, order in found.items() if order[0] == MOVE), None)
        for unit in units:
            reached = self._reached(unit)
            if unit in found:
                yield found[unit]
            elif random.random() > _FOCUSED:
                yield self._move(unit, random.choice(sorted(reached)), random) if reached else _HOLD
            elif focus in reached and leader is None:
                leader = unit
                yield self._move(unit, focus, random)
            elif focus in reached:
                assert leader is not None
                yield SUPPORT_MOVE, 0, number[leader.location], number[focus]
            elif aims := sorted(helpers & reached):
                yield self._move(unit, random.choice(aims), random)
            else:
                yield _HOLD

    def _move(self, unit: Unit, province: str, random: Random) -> _Order:
        ways = self._board.army if unit.kind is UnitKind.ARMY else self._board.fleet
        places = [place for place in ways[unit.location] if province_of(place) == province]
        return MOVE, 0, 0, self._numbers.number_of[random.choice(sorted(places))]

    def _convoy(self, units: Sequence[Unit], focus: str) -> Iterator[tuple[Unit, _Order]]:
        """An army and a fleet that convoys it to the province, if the enemy has such units."""
        number = self._numbers.number_of
        for fleet in units:
            reached = self._reached(fleet)
            if self._board.provinces[fleet.province].kind != "sea" or focus not in reached:
                continue
            for army in units:
                if army.kind is UnitKind.ARMY and army.province in reached:
                    yield army, (MOVE, 1, 0, number[focus])
                    yield fleet, (CONVOY, 0, number[army.location], number[focus])
                    return
