"""Reading the orders of a state of a plan, with the place of each fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NoReturn

from dipsat.board.map import Map, reachable
from dipsat.board.province import UnitKind, province_of
from dipsat.documents import Node
from dipsat.game.position import Unit
from dipsat.lines.plan import PlanState, holding
from dipsat.orders.order import (
    Convoy,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
)
from dipsat.pages import counted

LineOrder = Hold | Move | SupportHold | SupportMove | Convoy
Placed = tuple[Node, LineOrder]
"""An order with its place in the file."""
PlacedRetreat = tuple[Node, Retreat]
"""A retreat with its place in the file."""


def state_of(board: Map, units: Mapping[str, Unit], orders: Sequence[Placed]) -> PlanState:
    """The state with these units, by province, and orders; a unit without an order holds.

    Raises `DocumentError` with the place of an order that the units cannot have together.
    """
    return _StateReader(board, units, orders).state()


def moves_among(orders: Sequence[Placed]) -> bool:
    """Whether the orders need a plan: some unit moves, or helps one that does."""
    return any(isinstance(order, Move | SupportMove | Convoy) for _, order in orders)


def named_unit(node: Node, name: UnitName, units: Mapping[str, Unit]) -> Unit:
    """The own unit that an order names."""
    unit = units.get(province_of(name.location))
    if unit is None:
        node.fail(f"no own unit stands in {province_of(name.location)}")
    if name.kind not in (None, unit.kind):
        node.fail(f"the own unit in {unit.province} is {unit}")
    return unit


class _StateReader:
    def __init__(self, board: Map, units: Mapping[str, Unit], orders: Sequence[Placed]) -> None:
        self.board = board
        self.units = units
        self.places: dict[str, Node] = {}
        self.orders: dict[str, LineOrder] = {}
        for node, order in orders:
            unit = named_unit(node, order.unit, units)
            if unit.province in self.orders:
                node.fail(f"{unit} has two orders")
            self.places[unit.province] = node
            self.orders[unit.province] = order

    def state(self) -> PlanState:
        for province in self.orders:
            if isinstance(self.orders[province], Move):
                self.orders[province] = self._move(province)
        read = {
            province: self._read(self.units[province], order)
            for province, order in self.orders.items()
        }
        placed = tuple(self.units[province] for province in sorted(self.units))
        state = PlanState(placed, tuple(read.get(unit.province, holding(unit)) for unit in placed))
        for province, target in state.moves.items():
            self._check_way(self.units[province], target, state)
        return state

    def _read(self, unit: Unit, order: LineOrder) -> Order:
        node = self.places[unit.province]
        match order:
            case Hold():
                return holding(unit)
            case Move():
                return order
            case SupportHold(supported=name):
                other = self._other(unit, name)
                if isinstance(self.orders.get(other.province), Move):
                    node.fail(f"{other} is ordered to move; support its move instead")
                self._check_reach(unit, other.province, f"support {other}")
                return SupportHold(unit.name, other.name)
            case SupportMove(supported=name, target=target):
                move = self._moving(unit, name, target)
                self._check_reach(unit, province_of(target), "support a move there")
                return SupportMove(unit.name, move.unit, move.target)
            case Convoy(army=name, target=target):
                move = self._moving(unit, name, target)
                if move.unit.kind is not UnitKind.ARMY or unit.kind is not UnitKind.FLEET:
                    node.fail("only a fleet can convoy, and only an army")
                return Convoy(unit.name, move.unit, move.target)

    def _move(self, province: str) -> Move:
        """The move with full names and the coast that it goes to."""
        unit, order = self.units[province], self.orders[province]
        assert isinstance(order, Move)
        node = self.places[province]
        if order.via or order.path:
            node.fail("leave out how the army goes; it is convoyed if it is no neighbour")
        return Move(unit.name, _location(self.board, unit, order.target, node))

    def _check_way(self, unit: Unit, target: str, state: PlanState) -> None:
        """Refuse an army that reaches its target neither over land nor by own fleets, or both."""
        node = self.places[unit.province]
        by_land = target in self.board.reach_provinces(unit.kind, unit.location)
        if by_land and unit.province in state.carried:
            node.fail(f"{unit} can go to {target} over land; leave out its convoy")
        if by_land:
            return
        fleets = {
            fleet.province
            for fleet, order in zip(state.units, state.orders, strict=True)
            if isinstance(order, Convoy) and province_of(order.army.location) == unit.province
            and self.board.provinces[fleet.province].kind == "sea"
        }  # fmt: skip
        if target not in self._shores(unit.province, fleets):
            node.fail(f"{unit} cannot go to {target}, and no own fleets convoy it there")

    def _shores(self, origin: str, fleets: set[str]) -> set[str]:
        """The provinces that fleets in these sea provinces can bring an army to."""
        beside = {sea: set(self.board.reach_provinces(UnitKind.FLEET, sea)) for sea in fleets}
        first = {sea for sea in fleets if origin in beside[sea]}
        found = reachable(first, lambda sea: beside[sea] & fleets)
        return {place for sea in found for place in beside[sea]} - {origin}

    def _other(self, unit: Unit, name: UnitName) -> Unit:
        node = self.places[unit.province]
        other = named_unit(node, name, self.units)
        if other == unit:
            node.fail(f"{unit} cannot support itself")
        return other

    def _moving(self, unit: Unit, name: UnitName, target: str) -> Move:
        """The move of another own unit that an order helps."""
        other = self._other(unit, name)
        move = self.orders.get(other.province)
        if not isinstance(move, Move) or province_of(move.target) != province_of(target):
            self.places[unit.province].fail(f"{other} is not ordered to go to {target}")
        return move if move.unit == other.name else self._move(other.province)

    def _check_reach(self, unit: Unit, province: str, what: str) -> None:
        if province not in self.board.reach_provinces(unit.kind, unit.location):
            self._fail(unit, f"{unit} cannot {what}: it cannot go to {province}")

    def _fail(self, unit: Unit, problem: str) -> NoReturn:
        self.places[unit.province].fail(problem)


def _location(board: Map, unit: Unit, target: str, node: Node) -> str:
    """Where a unit goes that is ordered to go to a target, with the coast for a fleet."""
    if unit.kind is UnitKind.ARMY:
        return province_of(target)
    reached = board.reach(unit.kind, unit.location)
    if target in reached:
        return target
    coasts = sorted(place for place in reached if province_of(place) == province_of(target))
    if not coasts:
        node.fail(f"{unit} cannot go to {target}")
    if len(coasts) > 1 or "/" in target:
        node.fail(f"{unit} can go to {' or '.join(coasts)}, not to {target}")
    return coasts[0]


def with_retreats(board: Map, state: PlanState, retreats: Sequence[PlacedRetreat]) -> PlanState:
    """A state whose units retreat so if they are dislodged.

    Raises `DocumentError` with the place of a retreat that is not possible.
    """
    found: dict[str, Retreat] = {}
    orders = dict(zip(state.units, state.orders, strict=True))
    for node, order in retreats:
        unit = named_unit(node, order.unit, state.by_province)
        if unit.province in found:
            node.fail(f"{unit} has two retreats")
        if isinstance(orders[unit], Convoy):
            node.fail(f"{unit} convoys, so it must not be dislodged; leave out its retreat")
        target = _location(board, unit, order.target, node)
        if province_of(target) not in board.reach_provinces(unit.kind, unit.location):
            node.fail(f"{unit} cannot retreat to {target}: it is no neighbour")
        found[unit.province] = Retreat(unit.name, target)
    return replace(state, retreats=tuple(found.values()))


def check_refuges(states: Node, plan: Sequence[PlanState], closed: Set[str]) -> None:
    """Refuse retreats from closed provinces, which no enemy may enter, and to other ones than
    closed provinces, in which enemies may stand; `states` is the list in the file.

    Raises `DocumentError` with the place of the retreat.
    """
    for node, state in zip(states.sequence("states"), plan, strict=True):
        keys = node.mapping(_STATE_KEYS, "a state")
        places = keys["retreats"].sequence("retreats") if state.retreats else ()
        for place, (origin, refuge) in zip(places, state.refuges.items(), strict=True):
            if origin in closed:
                place.fail(
                    f"{origin} is closed, so no unit may be dislodged there; units retreat from "
                    "outposts"
                )
            if province_of(refuge) not in closed:
                place.fail(
                    f"{refuge} is not closed, so an enemy may stand there; units retreat to closed "
                    "provinces"
                )


_STATE_KEYS = ("units", "orders", "retreats")


def read_states(
    node: Node,
    units_of: Callable[[Node], Mapping[str, Unit]],
    orders_of: Callable[[Node], Sequence[Placed]],
    retreats_of: Callable[[Node], Sequence[PlacedRetreat]],
    board: Map,
) -> Iterator[PlanState]:
    """The states that a list in a file states. All have as many units of each kind."""
    first: list[UnitKind] = []
    for one in node.sequence("states"):
        keys = one.mapping(_STATE_KEYS, "a state")
        if "units" not in keys:
            one.fail("the key 'units' is missing; it lists the own units of this state")
        units = units_of(keys["units"])
        kinds = sorted(unit.kind for unit in units.values())
        if first and kinds != first:
            keys["units"].fail(f"has {_counted(kinds)}, but the first state has {_counted(first)}")
        first = kinds
        state = state_of(board, units, orders_of(keys["orders"]) if "orders" in keys else ())
        retreats = retreats_of(keys["retreats"]) if "retreats" in keys else ()
        yield with_retreats(board, state, retreats)
    if not first:
        node.fail("lists no state")


def _counted(kinds: Sequence[UnitKind]) -> str:
    armies = sum(kind is UnitKind.ARMY for kind in kinds)
    fleets = counted(len(kinds) - armies, "fleet")
    return f"{armies} {'army' if armies == 1 else 'armies'} and {fleets}"
