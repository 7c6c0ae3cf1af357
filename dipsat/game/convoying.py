"""Which units of a position could convoy which others, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from dipsat.board.convoy_net import Carriage, ConvoyNet
from dipsat.board.map import Map
from dipsat.board.unit_kind import UnitKind
from dipsat.game.conditions import CONVOYS_IN, Conditions
from dipsat.game.convoys import route_over
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import Position, Unit
from dipsat.game.settings import Settings
from dipsat.kept import kept_on_first


@dataclass(frozen=True, slots=True)
class Convoying:
    """One kind of convoy in a position: its network on the map, the provinces in which a unit may
    carry others (`places`), and those where a unit stands that could (`carriers`, in the network
    the bits of `mask`)."""

    carriage: Carriage
    net: ConvoyNet
    places: frozenset[str]
    carriers: frozenset[str]
    mask: int

    def could_carry(
        self, unit: Unit, target: str, but: str = "", only: Collection[str] = ()
    ) -> bool:
        """Whether carriers could make a route for a unit to a location, without the carrier in
        province `but`, or with `only` those in some provinces."""
        carriers = self.mask
        if but:
            carriers &= ~self.net.bits.get(but, 0)
        if only:
            carriers &= self.net.mask(only)
        return route_over(self.net, unit.location, target, carriers)


@kept_on_first()
def convoying(position: Position, settings: Settings) -> tuple[Convoying, ...]:
    """Every kind of convoy that the rules have, in a position."""
    found = []
    for carriage in position.words.carriages:
        places = convoy_places(position.map, position.phase, settings, carriage)
        if carriage.carrier is UnitKind.FLEET and places is position.map.seas:
            carriers = position.fleets_at_sea  # found once per position
        else:
            units = (unit for unit in position.units if unit.kind is carriage.carrier)
            carriers = frozenset(unit.province for unit in units if unit.province in places)
        net = position.map.convoy_net(carriage)
        found.append(Convoying(carriage, net, places, carriers, net.mask(carriers)))
    return tuple(found)


def convoy_nets(position: Position) -> Mapping[tuple[UnitKind, UnitKind], ConvoyNet]:
    """The kinds of a carrier and of its cargo -> the network of such convoys."""
    board = position.map
    return {(one.carrier, one.cargo): board.convoy_net(one) for one in position.words.carriages}


def convoys_of(kinds: tuple[Convoying, ...], cargo: UnitKind) -> Iterator[Convoying]:
    """Those that can carry units of a kind."""
    return (one for one in kinds if one.carriage.cargo is cargo)


def convoy_places(
    board: Map, phase: PhaseName, settings: Settings, carriage: Carriage
) -> frozenset[str]:
    """The provinces in which a unit may carry others: those of the kinds that the carriage names,
    unless the rules say otherwise for fleets."""
    own = settings.conditions
    if own is not None and CONVOYS_IN in own and carriage.carrier is UnitKind.FLEET:
        return _own_waters(board, PhaseName(phase.season, 1, phase.kind), own)
    return usual_places(board, carriage)


def usual_places(board: Map, carriage: Carriage) -> frozenset[str]:
    """The provinces of the kinds in which a unit may carry others, as its carriage names them."""
    return board.seas if carriage.terrain == ("sea",) else _in_terrain(board, carriage)


@kept_on_first(16)
def _in_terrain(board: Map, carriage: Carriage) -> frozenset[str]:
    provinces = board.provinces.items()
    return frozenset(code for code, province in provinces if province.kind in carriage.terrain)


@kept_on_first(64)
def _own_waters(board: Map, phase: PhaseName, conditions: Conditions) -> frozenset[str]:
    around = conditions.facts(Position(board, (), phase))
    wet = (code for code, province in board.provinces.items() if province.kind != "land")
    return frozenset(
        code for code in wet if conditions.hold(CONVOYS_IN, around, around.place(code))
    )
