"""Lines of own units and the regions behind them; plans, in which units move; and sorties."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from dipsat.base import brief, checked, counted, grouped, reached, titled
from dipsat.board import Map, UnitKind, province_of
from dipsat.errors import QuestionError
from dipsat.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    unit_of,
    write_order,
)
from dipsat.rules import Profile


@brief()
@dataclass(frozen=True)
class PlanState:
    """The places of the own units, and their orders there."""

    units: tuple[Unit, ...]
    """The own units, by province."""
    orders: tuple[Order, ...]
    """The order of each unit, in the same sequence."""
    retreats: tuple[Retreat, ...] = ()
    """The retreats of units that may be dislodged."""

    @cached_property
    def by_province(self) -> Mapping[str, Unit]:
        """Province -> the own unit in it."""
        return {unit.province: unit for unit in self.units}

    @cached_property
    def goals(self) -> Mapping[str, str]:
        """Province -> the location that its own unit is ordered to go to."""
        pairs = zip(self.units, self.orders, strict=True)
        return {unit.province: order.target for unit, order in pairs if isinstance(order, Move)}

    @cached_property
    def moves(self) -> Mapping[str, str]:
        """Province -> the province that its own unit is ordered to go to."""
        return {at: province_of(goal) for at, goal in self.goals.items()}

    @cached_property
    def holders(self) -> Mapping[str, tuple[str, ...]]:
        """Province -> the provinces of the own units that support its unit to hold."""
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
    def refuges(self) -> Mapping[str, str]:
        """Province -> the location that its own unit retreats to if dislodged. Units that must not
        be dislodged are left out."""
        return {province_of(one.unit.location): one.target for one in self.retreats}

    @checked
    def rings(self) -> tuple[tuple[str, ...], ...]:
        """Return the provinces of units that go round in a ring: each to the next, the last to the
        first. Two armies swap places only if one of them is convoyed."""
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
        """Return the orders as text, with the map's names."""
        return tuple(write_order(order, board) for order in self.orders)

    @checked
    def retreat_texts(self, board: Map) -> tuple[str, ...]:
        """Return the retreats as text, with the map's names."""
        return tuple(write_order(order, board) for order in self.retreats)


def supports_of(state: PlanState) -> Mapping[str, str]:
    """Province of a unit that supports another to hold -> the other unit's province."""
    return {one: aim for aim, those in state.holders.items() for one in those}


# --- lines ----------------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class LineEnemy:
    """What is known about the enemy."""

    powers: tuple[str, ...]
    """The names of its powers; witnesses use the first."""
    fleets_not_in: frozenset[str] = frozenset()
    """The provinces in which it has no fleet."""
    armies_not_in: frozenset[str] = frozenset()
    """The provinces in which it has no army."""
    units: int | None = None
    """The most units that it has; None for any number."""

    @property
    def limits(self) -> str:
        """The line's assumptions about the enemy, such as `no fleets in BLA`; "" for none."""
        said = [] if self.units is None else [f"at most {counted(self.units, 'unit')}"]
        for what, banned in (("fleets", self.fleets_not_in), ("armies", self.armies_not_in)):
            said += [f"no {what} in {', '.join(sorted(banned))}"] if banned else []
        return "; ".join(said)


@brief()
@dataclass(frozen=True)
class StalemateLine:
    """Own units with standing orders, and the region that no enemy may enter."""

    map: Map
    """The map."""
    rules: Profile
    """The profile."""
    power: str
    """The own power."""
    units: tuple[Unit, ...]
    """The own units."""
    supports: Mapping[str, str]
    """Province of a supporting unit -> province of the unit that it supports to hold. Every other
    unit holds."""
    open: frozenset[str]
    """The provinces of the own units whose orders are to be found."""
    region: frozenset[str]
    """The provinces without own units that no enemy unit is in at the start."""
    enemy: LineEnemy
    """What is known about the enemy."""
    derived: str = ""
    """How the region was derived; "" if the file states it."""
    plan: tuple[PlanState, ...] = ()
    """The states of a line that moves; `units` are those of the first. Empty for other lines."""
    outposts: frozenset[str] = frozenset()
    """The provinces that units of the plan enter but need not hold."""

    @cached_property
    def by_province(self) -> Mapping[str, Unit]:
        """Province -> the own unit in it."""
        return {unit.province: unit for unit in self.units}

    @cached_property
    def closed(self) -> frozenset[str]:
        """The provinces that no enemy may enter: the region, and those of the own units."""
        return (self.region | self.by_province.keys()) - self.outposts

    @cached_property
    def vacant(self) -> frozenset[str]:
        """The closed provinces in which no own unit stands and which none goes or retreats to."""
        used = set(self.by_province)
        for state in self.plan:
            used |= {*state.by_province, *state.moves.values()}
            used |= {province_of(refuge) for refuge in state.refuges.values()}
        return self.closed - used

    @cached_property
    def enemies(self) -> tuple[Unit, ...]:
        """Every unit that the enemy could have on the board, by province."""
        closed = self.region | self.by_province.keys()
        return tuple(enemies_outside(self.map, closed, self.enemy))

    @cached_property
    def states(self) -> tuple[PlanState, ...]:
        """The states of the plan, or the one in which all units stay."""
        return self.plan or (_state(self, {}, ()),)

    @property
    def first_orders(self) -> tuple[str, ...]:
        """The first orders of all units, as text."""
        return self.plan[0].texts(self.map) if self.plan else self.order_texts(self.supports)

    @checked
    def can_support(self, unit: Unit) -> tuple[str, ...]:
        """Return the provinces of the own units that an own unit can support to hold."""
        reached = self.map.reach_provinces(unit.kind, unit.location)
        return tuple(sorted(reached & self.by_province.keys() - {unit.province}))

    @checked
    def order_texts(self, supports: Mapping[str, str]) -> tuple[str, ...]:
        """Return the orders of all units, given which province supports which."""
        texts = []
        for unit in self.units:
            aim = supports.get(unit.province)
            texts.append(f"{unit} H" if aim is None else f"{unit} S {self.by_province[aim]}")
        return tuple(texts)


def state_to_dict(state: PlanState, board: Map) -> dict[str, list[str]]:
    """A state as plain values, with the map's names."""
    return {
        "units": [str(unit) for unit in state.units],
        "orders": [*state.texts(board)],
        "retreats": [*state.retreat_texts(board)],
    }


def limits_of(enemy: LineEnemy) -> dict[str, Any]:
    """The assumptions about the enemy, as plain values."""
    return {
        "units": enemy.units,
        "fleets_not_in": sorted(enemy.fleets_not_in),
        "armies_not_in": sorted(enemy.armies_not_in),
    }


def sides_of(board: Map, own: str, enemies: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The power of the own units, and the enemy's powers, given the names of any of them; "" and no
    enemies mean any. Raises `QuestionError` if no power is left for one of the sides."""
    for name in (own, *enemies):
        if name in board.neutrals:
            problem = "its units hold, and are on neither side of a line"
            raise QuestionError(f"nobody plays {titled(name)}: {problem}")
    if own in enemies:
        raise QuestionError(f"{own} is the power of the line and an enemy")
    rest = [name for name in board.players if name not in enemies]
    if not own and not rest:
        raise QuestionError("no power is left for the line: all are enemies")
    own = own or rest[0]
    enemies = enemies or [name for name in rest if name != own]
    if not enemies:
        raise QuestionError(f"the map {board.name} has no power that could be the enemy")
    return own, tuple(enemies)


def enemies_outside(board: Map, closed: frozenset[str], enemy: LineEnemy) -> Iterator[Unit]:
    """Every unit that an enemy could have in a province that is not `closed`."""
    power = enemy.powers[0]
    for code in sorted(board.provinces.keys() - closed):
        province = board.provinces[code]
        if province.kind != "sea" and code not in enemy.armies_not_in:
            yield unit_of(power, UnitKind.ARMY, code)
        if province.kind != "land" and code not in enemy.fleets_not_in:
            for location in province.locations:
                yield unit_of(power, UnitKind.FLEET, location)


def steps(board: Map, units: Iterable[Unit]) -> Iterator[tuple[str, str]]:
    """The province of each unit, paired with each province that it could move to."""
    for unit in units:
        for target in board.reach_provinces(unit.kind, unit.location):
            yield unit.province, target


def landing(board: Map, unit: Unit, province: str) -> str:
    """The first location in a province that a unit could go to."""
    places = board.reach(unit.kind, unit.location)
    return min(place for place in places if province_of(place) == province)


def closure(
    board: Map, own: frozenset[str], enemy: LineEnemy, inner: frozenset[str]
) -> frozenset[str]:
    """The smallest set of provinces without own units that contains those of `inner` and every
    province from which an enemy could move into the set by land or water.

    No army can be convoyed into it either: the last fleet would have to be beside it.
    """
    beside = grouped((to, at) for at, to in steps(board, enemies_outside(board, own, enemy)))
    return frozenset(reached(inner - own, lambda province: beside.get(province, ())))


# --- sorties --------------------------------------------------------------------------------------

# Plans whose units make sorties. Some units go out in every phase and come back once they got in;
# the others stay.


Sorties = Mapping[str, str]
"""Own province -> the location or province that its unit goes to."""


def with_sorties(line: StalemateLine, sorties: Sorties) -> StalemateLine:
    """The line as a plan, given own provinces and the targets of their units. In each state, some
    of these units are out and come back, and the others go out."""
    if not sorties:
        return line
    outposts = frozenset(map(province_of, sorties.values()))
    return replace(line, plan=tuple(_states(line, sorties)), outposts=outposts)


def without_sorties(line: StalemateLine) -> tuple[StalemateLine, Sorties] | None:
    """The line, whose units stay, from which a plan was made, and the locations that its sorties
    go to; None if it is not such a plan."""
    home = next((one for one in line.plan if one.by_province.keys() <= line.closed), None)
    if home is None:
        return None
    stays = replace(
        line,
        units=home.units,
        supports=supports_of(home),
        region=line.closed - home.by_province.keys(),
        plan=(),
        outposts=frozenset(),
    )
    sorties = dict(sorted(home.goals.items()))
    if line.closed & set(home.moves.values()) or set(line.plan) != {*_states(stays, sorties)}:
        return None
    return stays, sorties


def round_trips(board: Map, kind: UnitKind, location: str) -> Mapping[str, str]:
    """Each other province from which a unit that goes there can come back to its location -> the
    first location there from which it can."""
    reached = sorted(board.reach(kind, location), reverse=True)
    back = (at for at in reached if location in board.reach(kind, at))
    return {province_of(at): at for at in back if province_of(at) != province_of(location)}


def _states(line: StalemateLine, sorties: Sorties) -> Iterator[PlanState]:
    ways = sorted(sorties)
    for number in range(len(ways) + 1):
        for out in combinations(ways, number):
            yield _state(line, sorties, out)


def _state(line: StalemateLine, sorties: Sorties, out: Container[str]) -> PlanState:
    orders: dict[Unit, Order] = {}
    for unit in line.units:
        aim = line.supports.get(unit.province)
        if unit.province not in sorties:
            name = unit.name
            orders[unit] = SupportHold(name, line.by_province[aim].name) if aim else Hold(name)
            continue
        goal = sorties[unit.province]
        trips = round_trips(line.map, unit.kind, unit.location)
        reached = sorted(line.map.reach(unit.kind, unit.location))
        there = trips.get(goal) or next(at for at in reached if goal in (at, province_of(at)))
        if unit.province in out:
            away = unit_of(line.power, unit.kind, there)
            orders[away] = Move(away.name, unit.location)
        else:
            orders[unit] = Move(unit.name, there)
    units = sorted(orders, key=lambda unit: unit.province)
    return PlanState(tuple(units), tuple(orders[unit] for unit in units))
