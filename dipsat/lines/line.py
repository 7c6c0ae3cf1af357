"""A line of own units, the region behind it, and where the enemy may have units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dipsat.board.map import Map, reachable
from dipsat.board.province import UnitKind, province_of
from dipsat.errors import QuestionError
from dipsat.errors.arguments import checked
from dipsat.game.position import Unit, unit_of
from dipsat.lines.plan import PlanState
from dipsat.pages import counted, titled
from dipsat.profiles.profile import Profile
from dipsat.values import brief


@brief()
@dataclass(frozen=True, slots=True)
class LineEnemy:
    """What is known about the enemy."""

    powers: tuple[str, ...]
    """The names of its powers; the first is the enemy in witnesses."""
    fleets_not_in: frozenset[str] = frozenset()
    """The provinces in which it has no fleet."""
    armies_not_in: frozenset[str] = frozenset()
    """The provinces in which it has no army."""
    units: int | None = None
    """The most units that it has, None for any number."""

    @property
    def limits(self) -> str:
        """What the line supposes about the enemy, such as `no fleets in BLA`; "" for nothing."""
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
    """Province of a supporting unit -> province of the unit that it supports where it stands; every
    other unit holds."""
    open: frozenset[str]
    """The provinces of the own units whose orders are to be found."""
    region: frozenset[str]
    """The provinces without own units that no enemy unit is in at the start."""
    enemy: LineEnemy
    """What is known about the enemy."""
    derived: str = ""
    """How the region was derived, "" if the file states it."""
    plan: tuple[PlanState, ...] = ()
    """For a line that moves, its states; the units are those of the first. Else empty."""
    outposts: frozenset[str] = frozenset()
    """The provinces that units of the plan enter, but need not hold."""

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
        """The closed provinces in which no own unit stands, and to which none goes or retreats."""
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

    @checked
    def can_support(self, unit: Unit) -> tuple[str, ...]:
        """Return the provinces of the own units that an own unit can support where they stand."""
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


def sides_of(board: Map, own: str, enemies: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The power of the own units, and the powers of the enemy, given what is named of them: "" and
    none mean any. Raises `QuestionError` if that leaves no power for one of them."""
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


def closure(
    board: Map, own: frozenset[str], enemy: LineEnemy, inner: frozenset[str]
) -> frozenset[str]:
    """The smallest set of provinces without own units that contains those of `inner` and every
    province from which an enemy could move into the set by land or water.

    No army can be convoyed into it either: the last fleet would have to be beside it.
    """
    neighbours: dict[str, set[str]] = {}
    for unit in enemies_outside(board, own, enemy):
        for reached in board.reach_provinces(unit.kind, unit.location):
            neighbours.setdefault(reached, set()).add(unit.province)
    return reachable(inner - own, lambda province: neighbours.get(province, ()))
