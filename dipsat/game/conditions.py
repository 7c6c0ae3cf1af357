"""The conditions of the rules applied to a position: where units convoy, build and retreat, and
which orders are refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dipsat.base import kept_on_first
from dipsat.board import Carriage, ConvoyNet, Map, UnitKind, coast_of, province_of
from dipsat.game.convoys import on_minimal_route, route_exists, route_over
from dipsat.game.facts import (
    ConvoyFacts,
    MoveFacts,
    PositionFacts,
    ProvinceFacts,
    SupportFacts,
    UnitFacts,
    with_words,
)
from dipsat.game.phase_name import PhaseName
from dipsat.game.position import Position
from dipsat.orders import Convoy, Hold, Move, MovementOrder, Order, SupportHold, SupportMove, Unit
from dipsat.rules import BUILDS_IN, CONVOYS_IN, COUNTS_FOR, FACTS, Conditions, Settings

# --- convoying ------------------------------------------------------------------------------------

# Which units of a position could convoy which others, and where.


@dataclass(frozen=True, slots=True)
class Convoying:
    """One kind of convoy in a position: its network on the map, the provinces in which a unit may
    carry others (`places`), and those where such a unit stands (`carriers`, in `mask` as bits)."""

    carriage: Carriage
    net: ConvoyNet
    places: frozenset[str]
    carriers: frozenset[str]
    mask: int

    def could_carry(
        self, unit: Unit, target: str, but: str = "", only: Collection[str] = ()
    ) -> bool:
        """Whether the carriers could form a route for a unit to a location. The carrier in province
        `but` is left out; if `only` is given, carriers elsewhere are left out too."""
        carriers = self.mask
        if but:
            carriers &= ~self.net.bits.get(but, 0)
        if only:
            carriers &= self.net.mask(only)
        return route_over(self.net, unit.location, target, carriers)


@kept_on_first()
def convoying(position: Position, settings: Settings) -> tuple[Convoying, ...]:
    """Every kind of convoy that the rules have, as it is in a position."""
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
    """The kinds of convoy that can carry units of a kind."""
    return (one for one in kinds if one.carriage.cargo is cargo)


def convoy_places(
    board: Map, phase: PhaseName, settings: Settings, carriage: Carriage
) -> frozenset[str]:
    """The provinces in which a unit may carry others: those with the terrain that the carriage
    names, unless the rules' conditions say where fleets convoy."""
    own = settings.conditions
    if own is not None and CONVOYS_IN in own and carriage.carrier is UnitKind.FLEET:
        return _own_waters(board, PhaseName(phase.season, 1, phase.kind), own)
    return board.seas if carriage.terrain == ("sea",) else _in_terrain(board, carriage)


@kept_on_first(16)
def _in_terrain(board: Map, carriage: Carriage) -> frozenset[str]:
    provinces = board.provinces.items()
    return frozenset(code for code, province in provinces if province.kind in carriage.terrain)


@kept_on_first(64)
def _own_waters(board: Map, phase: PhaseName, conditions: Conditions) -> frozenset[str]:
    around = facts_for(conditions, Position(board, (), phase))
    wet = (code for code, province in board.provinces.items() if province.kind != "land")
    return frozenset(
        code for code in wet if conditions.hold(CONVOYS_IN, around, around.place(code))
    )


# --- order conditions -----------------------------------------------------------------------------

# The conditions of the rules (`Settings.conditions`) applied to the orders of one position.


Refusal = tuple[str, str] | None
"""The code and the reason if a condition refuses an order, otherwise None."""


def facts_for(conditions: Conditions, position: Position) -> PositionFacts:
    """The facts of a position, against which the conditions are tested.

    Raises `WorkLimitError` for a condition that would take too many steps.
    """
    facts = PositionFacts(position)
    conditions.check_steps(facts)
    return facts


def conditions_on(position: Position, settings: Settings) -> OrderConditions | None:
    """The conditions on the orders of a position, or None if the rules have none."""
    if settings.conditions is None:
        return None
    return OrderConditions(position, settings.conditions)


class OrderConditions:
    """Tests single orders of one position against the conditions of the rules. The orders are
    otherwise legal, and anything unclear in them has been settled."""

    def __init__(self, position: Position, conditions: Conditions) -> None:
        self.position = position
        self.conditions = conditions
        self.around = facts_for(conditions, position)

    def refusal(self, unit: Unit, order: Order) -> Refusal:
        """Why a movement order of a unit is illegal, if it is.

        The support or convoy of a move that the conditions forbid is impossible too.
        """
        own = self._own_refusal(unit, order)
        if own is not None or not isinstance(order, SupportMove | Convoy):
            return own
        named = order.army if isinstance(order, Convoy) else order.supported
        other = self.position.by_province[province_of(named.location)]
        return self._impossible(other, order.target)

    def _impossible(self, other: Unit, target: str) -> Refusal:
        """Why the move of another unit is refused both with and without "via convoy": a convoy may
        also carry an army whose order does not say so (4.A.3)."""
        if not self.conditions.are_about("Move"):
            return None
        fault: Refusal = None
        for via in (False, True):
            fault = self._own_refusal(other, Move(other.name, target, via))
            if fault is None:
                return None
        assert fault is not None
        return "impossible_move", f"{other} cannot move to {province_of(target)}: {fault[1]}"

    def _by_land(self, unit: Unit, target: str) -> bool:
        board = self.position.map
        return target in board.reach(unit.kind, unit.location) or (
            not coast_of(target) and target in board.reach_provinces(unit.kind, unit.location)
        )

    def _own_refusal(self, unit: Unit, order: Order) -> Refusal:
        if isinstance(order, Hold):
            return None
        facts, place = self.around.unit(unit), self.around.place
        match order:
            case Move():
                by_land = self._by_land(unit, order.target)
                target = place(province_of(order.target))
                move = MoveFacts(-1, facts, target, order, by_land, not by_land)
                return self.conditions.refusal("Move", move, self.around)
            case SupportMove() | SupportHold():
                other = self._unit_in(order.supported.location)
                aim = order.target if isinstance(order, SupportMove) else order.supported.location
                support = SupportFacts(-1, facts, other, place(province_of(aim)))
                return self.conditions.refusal("Support", support, self.around)
            case Convoy():
                army = self._unit_in(order.army.location)
                target = place(province_of(order.target))
                net = self._nets[unit.kind, army.unit.kind]
                convoy = ConvoyFacts(-1, facts, army, target, order.target, net)
                return self.conditions.refusal("Convoy", convoy, self.around)
        return None

    @cached_property
    def _nets(self) -> Mapping[tuple[UnitKind, UnitKind], ConvoyNet]:
        return convoy_nets(self.position)

    def _unit_in(self, location: str) -> UnitFacts:
        return self.around.by_province[province_of(location)]

    def retreat_refusal(self, unit: Unit, location: str) -> Refusal:
        """Why a dislodged unit may not retreat to a location, if it may not."""
        target = self.around.place(province_of(location))
        retreat = RetreatFacts(-1, self.around.unit(unit), target, location)
        return self.conditions.refusal("Retreat", retreat, self.around)

    def build_sites(self, power: str) -> tuple[str, ...]:
        """The provinces in which a power may build while they are vacant, under rules that name
        them."""
        places = map(self.around.place, sorted(self.position.map.provinces))
        may = self.conditions.hold
        return tuple(p.code for p in places if may(BUILDS_IN, self.around, power, p))

    def build_refusal(self, power: str, kind: UnitKind, code: str) -> Refusal:
        """Why a power may not build a unit of a kind in a province, if it may not."""
        build = BuildFacts(power, kind.word, self.around.place(code))
        return self.conditions.refusal("Build", build, self.around)


def allowed_retreats(
    position: Position, unit: Unit, places: Iterable[str], settings: Settings
) -> tuple[str, ...]:
    """Those of `places` to which the map and the conditions let a dislodged unit retreat."""
    if unit.power in position.map.neutrals:
        return ()
    conditions = conditions_on(position, settings)
    if conditions is None or not conditions.conditions.are_about("Retreat"):
        return tuple(places)
    return tuple(place for place in places if conditions.retreat_refusal(unit, place) is None)


def counted_centers(position: Position, power: str, settings: Settings) -> tuple[str, ...]:
    """Those of a power's own centres that count for it."""
    owned, conditions = position.centers.get(power, ()), settings.conditions
    if conditions is None:
        return tuple(owned)
    around = facts_for(conditions, position)
    hold = conditions.hold
    return tuple(code for code in owned if hold(COUNTS_FOR, around, power, around.place(code)))


def is_possible_on_map(
    position: Position, settings: Settings, unit: Unit, order: MovementOrder
) -> bool:
    """Whether the unit could carry out the order if other units, of any kind, stood elsewhere."""
    board, kinds = position.map, convoying(position, settings)
    if isinstance(order, Move):
        seas = frozenset(order.path) if settings.convoy_path != "ignored" else frozenset[str]()
        return any(
            route_exists(one.net, unit.location, place, seas & one.places or one.places)
            for one in convoys_of(kinds, unit.kind)
            for place in one.net.landing_places(_meant(unit.kind, order.target))
        )
    if isinstance(order, Convoy):
        return any(_could_convoy(one, unit, order) for one in kinds)
    if isinstance(order, SupportHold | SupportMove):
        named = province_of(order.supported.location)
        aim = order.target if isinstance(order, SupportMove) else named
        if province_of(aim) not in board.reach_provinces(unit.kind, unit.location):
            return False
        if isinstance(order, SupportHold):
            return True
        return named != unit.province and (
            any(_could_move(board, kind, named, aim) for kind in position.words.units)
            or any(_could_be_carried(one, named, aim, unit.province) for one in kinds)
        )
    return False


def _meant(kind: UnitKind, target: str) -> str:
    """The location that a move leads to; only some kinds of unit stand on coasts."""
    return target if kind.has_coasts else province_of(target)


def _could_convoy(kind: Convoying, unit: Unit, order: Convoy) -> bool:
    if unit.kind is not kind.carriage.carrier or unit.province not in kind.places:
        return False
    cargo, net = kind.carriage.cargo, kind.net
    return any(
        on_minimal_route(net, origin, target, kind.places, unit.province)
        for origin in net.landing_places(_meant(cargo, order.army.location))
        for target in net.landing_places(_meant(cargo, order.target))
    )


def _could_move(board: Map, kind: UnitKind, origin: str, target: str) -> bool:
    """Whether a unit of a kind in province `origin` could move to `target` without a convoy."""
    starts = board.provinces[origin].locations if kind.has_coasts else (origin,)
    for start in starts:
        if _meant(kind, target) in board.reach(kind, start):
            return True
        if not coast_of(target) and target in board.reach_provinces(kind, start):
            return True
    return False


def _could_be_carried(kind: Convoying, origin: str, target: str, but: str) -> bool:
    """Whether a unit in province `origin` could be convoyed to `target` without carriers in
    province `but`."""
    return any(
        route_exists(kind.net, start, place, kind.places - {but})
        for start in kind.net.landing_places(origin)
        for place in kind.net.landing_places(_meant(kind.carriage.cargo, target))
    )


@with_words(FACTS["Retreat"])
class RetreatFacts:
    """A legal retreat order. `target_location` is where it ends, with a fleet's coast."""

    __slots__ = (
        "index", "issued", "origin", "power", "rivals", "target", "target_location", "unit",
    )  # fmt: skip

    def __init__(self, index: int, unit: UnitFacts, target: ProvinceFacts, location: str) -> None:
        self.index = index
        self.issued = True
        self.unit = unit
        self.power = unit.power
        self.origin = unit.province
        self.target = target
        self.target_location = location
        self.rivals: Sequence[RetreatFacts] = ()

    def __str__(self) -> str:
        return f"{self.unit} R {self.target_location}"


@with_words(FACTS["Build"])
@dataclass(frozen=True, slots=True)
class BuildFacts:
    """A build; `kind` is the word for the unit built, such as "army"."""

    power: str
    kind: str
    province: ProvinceFacts
