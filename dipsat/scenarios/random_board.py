"""Random tense boards, full of orders that interact.

Every unit stands where it may and every order is possible on the map, but most orders compete:
moves go where a unit stands or another move goes, supports match moves and holds that were ordered,
convoys carry armies that are ordered to go. A few orders mismatch on purpose.

The same seed gives the same board on every machine: the only source of randomness is
`random.Random(seed)`, and everything it chooses from is sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

from dipsat.board.load import load_map
from dipsat.board.map import ARMIES_BY_FLEETS, Carriage, ConvoyNet, Map
from dipsat.board.province import UnitKind, province_of
from dipsat.errors import QuestionError
from dipsat.orders.order import value_texts
from dipsat.orders.verbs import NO_WORDS, Words
from dipsat.scenarios.sheet import Sheet, SheetRow
from dipsat.values import brief

_T = TypeVar("_T")

_LONGEST_ROUTE = 4  # fleets of a convoy
_LONGEST_RING = 5  # units of a circular movement
_CARRYING, _ENTERED, _OCCUPIED, _PLAIN = 12, 5, 5, 1  # how attractive a province is to a move


@brief()
@dataclass(frozen=True, slots=True)
class RandomBoard:
    """A random movement phase. Made by `dipsat.random_board`."""

    units: dict[str, tuple[str, ...]]
    """Power -> its units."""
    orders: dict[str, tuple[str, ...]]
    """Power -> an order for each of them."""


def random_board(seed: int, units: int = 27, map: str | Path | Map = "standard") -> RandomBoard:
    """Return the random board with this seed on a map, with `units` units (at most one in a
    province).

    Raises `QuestionError` for a map without powers, and the errors of `load_map`.
    """
    board = load_map(map)
    maker = Maker(Random(seed), board)
    maker.place(maker.shuffled(powers_of(board))[: maker.random.randint(3, 7)], units)
    maker.give_orders()
    made = Sheet(board.name, tuple(maker.rows()))
    return RandomBoard(
        *({p: tuple(texts) for p, texts in by.items()} for by in (made.units, made.orders))
    )


def powers_of(board: Map) -> list[str]:
    """The powers of a map that are played. Raises `QuestionError` if there are none."""
    if not board.players:
        raise QuestionError(f"the map {board.name!r} has no powers to own units of a random board")
    return sorted(board.players)


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    """A unit of a board that is being made."""

    power: str
    kind: UnitKind
    location: str

    @property
    def province(self) -> str:
        """The province that it is in."""
        return province_of(self.location)

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


class Maker:
    """Makes one board. `units` and `orders` are by province; so is `whole`, which has orders
    written in declared forms; `of_powers` has orders without a unit, as (power, text). `aims` has
    the targets of moves, `places` the provinces in which units may convoy, by kind of convoy,
    `carrying` those in which they do, `landings` the provinces that units are convoyed to, `passed`
    those that units pass through, `borders` those marked on the map. A unit without an order is
    free."""

    def __init__(
        self,
        random: Random,
        board: Map,
        words: Words = NO_WORDS,
        places: Mapping[Carriage, frozenset[str]] | None = None,
        features: Iterable[str] = (),
    ) -> None:
        self.random = random
        self.map = board
        self.words = words
        self.places = {ARMIES_BY_FLEETS: board.seas} if places is None else places
        self.borders = [
            tuple(sorted(pair))
            for name in sorted(features)
            for pair in sorted(board.border_features.get(name, ()), key=sorted)
            if len(pair) == 2
        ]
        self.units: dict[str, PlacedUnit] = {}
        self.orders: dict[str, str] = {}
        self.whole: dict[str, str] = {}
        self.of_powers: list[tuple[str, str]] = []
        self.aims: dict[str, str] = {}
        self.carrying: set[str] = set()
        self.landings: set[str] = set()
        self.passed: set[str] = set()

    def give_orders(self) -> None:
        """Give orders to units without one, from the rarest kind to the most frequent."""
        self._convoys()
        self._raids()
        self._crossings()
        self._rings()
        self._moves()
        self._stray_orders()
        self._supports()

    def rows(self) -> Iterator[SheetRow]:
        """Every unit with its order, then the orders of powers."""
        for unit in sorted(self.all_units(), key=lambda one: one.power):
            place = unit.province
            values = tuple(
                (attribute.name, self.random.choice(attribute.values))
                for attribute in self.words.attributes
            )
            orders = (f"{unit} {self.orders[place]}",) if self.orders.get(place) else ()
            orders = (self.whole[place],) if place in self.whole else orders
            yield SheetRow(unit.power, " ".join((*value_texts(values), str(unit))), orders)
        for power, text in sorted(self.of_powers):
            yield SheetRow(power, "", (text,))

    # Randomness.

    def chance(self, likely: float) -> bool:
        """Return true with this probability (0 to 1)."""
        return self.random.random() < likely

    def shuffled(self, items: Iterable[_T]) -> list[_T]:
        """The items in a random order; they must come in a fixed one."""
        found = list(items)
        self.random.shuffle(found)
        return found

    # Units.

    def place(
        self, powers: Sequence[str], count: int, regional: float = 0.5, centres: Sequence[str] = ()
    ) -> None:
        """Place units of these powers; on a share `regional` of the boards they are crowded into
        one region, around one of the `centres` if there are any."""
        provinces = sorted(self.map.provinces)
        if self.chance(regional):
            provinces = self._region(self.random.choice(centres or provinces), 2 * count)
        for place in self.shuffled(provinces)[:count]:
            self.add_unit(place, powers)

    def add_unit(self, place: str, powers: Sequence[str]) -> None:
        """Add a unit of one of the powers, of a kind that can stand there."""
        province = self.map.provinces[place]
        kinds = [kind for kind in self.words.units if kind.stands_in(province.kind)]
        kind = kinds[0] if len(kinds) == 1 else self.random.choice(kinds)
        location = self.random.choice(province.locations) if kind.has_coasts else place
        self.units[place] = PlacedUnit(self.random.choice(powers), kind, location)

    def _region(self, centre: str, size: int) -> list[str]:
        """The `size` provinces nearest to `centre`, sorted."""
        region, fringe = {centre}, {centre}
        while fringe and len(region) < size:
            fringe = {n for place in fringe for n in self._neighbours(place)} - region
            region |= set(sorted(fringe)[: size - len(region)])
        return sorted(region)

    def _neighbours(self, place: str) -> frozenset[str]:
        """The provinces that any unit reaches from a province."""
        return self.map.army.get(place, frozenset()) | self.map.water.get(place, frozenset())

    def all_units(self) -> list[PlacedUnit]:
        """The units, sorted by province."""
        return [self.units[place] for place in sorted(self.units)]

    def free(self) -> list[PlacedUnit]:
        """The units without an order, in random order."""
        return self.shuffled(u for u in self.all_units() if u.province not in self.orders)

    # Moves.

    def move(self, unit: PlacedUnit, target: str, via: bool = False) -> None:
        """Order a move to a location."""
        self.orders[unit.province] = f"- {target} VIA" if via else f"- {target}"
        self.aims[unit.province] = target

    def _crossings(self) -> None:
        """Order moves over marked borders."""
        for pair in self.shuffled(self.borders):
            origin, target = self.shuffled(pair)
            unit = self.units.get(origin)
            is_free = unit is not None and origin not in self.orders
            if unit and is_free and self.reaches(unit, target) and self.chance(0.6):
                self.move(unit, self._landing(unit, target))

    def _rings(self) -> None:
        """Order some swaps (most fail) and circular movements of free units."""
        for unit in self.free()[: self.random.randint(0, 4)]:
            if unit.province in self.orders:
                continue
            ring = self._ring([unit], self.random.randint(2, _LONGEST_RING))
            for mover, entered in zip(ring, [*ring[1:], *ring[:1]], strict=True):
                self.move(mover, self._landing(mover, entered.province))

    def _ring(self, path: list[PlacedUnit], length: int) -> list[PlacedUnit]:
        """Free units that start with `path`. Each reaches the next, and the last the first;
        empty if there are none."""
        reached = self.map.reach_provinces(path[-1].kind, path[-1].location)
        if len(path) == length:
            return path if self.reaches(path[-1], path[0].province) else []
        for place in self.shuffled(sorted(reached)):
            unit = self.units.get(place)
            if unit is not None and place not in self.orders and unit not in path:
                ring = self._ring([*path, unit], length)
                if ring:
                    return ring
        return []

    def _landing(self, unit: PlacedUnit, place: str) -> str:
        """The location that a unit's move into a province leads to, one of two coasts at random."""
        reached = sorted(self.map.reach(unit.kind, unit.location))
        return self.random.choice([loc for loc in reached if province_of(loc) == place])

    def _moves(self) -> None:
        """Order nearly half of the free units to move."""
        for unit in self.free():
            reached = sorted(self.map.reach_provinces(unit.kind, unit.location))
            if reached and self.chance(0.45):
                self.move(unit, self._landing(unit, self._contested(reached)))

    def _contested(self, places: Sequence[str]) -> str:
        """One of the provinces, preferably one that others enter or stand in."""
        entered = {province_of(aim) for aim in self.aims.values()}
        weights = [
            _CARRYING * (place in self.carrying)
            + _ENTERED * (place in entered or place in self.passed)
            + _OCCUPIED * (place in self.units)
            + _PLAIN
            for place in map(province_of, places)
        ]
        return self.random.choices(places, weights)[0]

    # Convoys.

    def _convoys(self) -> None:
        """Order some units to move by convoy where free carriers make a route."""
        for army in self.free():
            if self._is_cargo(army) and self.chance(0.6):
                routes = list(self._routes(army))
                if routes:
                    self._convoy(army, routes)

    def _convoy(self, army: PlacedUnit, routes: Sequence[tuple[str, tuple[str, ...]]]) -> None:
        """Order a convoy over some of the (target, seas) in `routes`, occasionally a broken one."""
        target = self._contested(sorted({target for target, _ in routes}))
        leading = self.shuffled(seas for end, seas in routes if end == target)
        count = len(leading) if self.chance(0.5) else 1
        fleets = sorted({sea for seas in leading[:count] for sea in seas})
        idle = self.random.choice(fleets) if self.chance(0.06) else ""
        for sea in fleets:
            self.orders[sea] = "H" if sea == idle else f"C {army} - {target}"
            self.carrying.add(sea)
        self.landings.add(province_of(target))
        near = target in self.map.reach(army.kind, army.location)
        self.move(army, target, via=self.chance(0.8 if near else 0.4))

    def _is_cargo(self, unit: PlacedUnit) -> bool:
        return any(carriage.cargo is unit.kind for carriage in self.places)

    def _routes(self, unit: PlacedUnit) -> Iterator[tuple[str, tuple[str, ...]]]:
        """(target, provinces) of every convoy of a unit by free carriers that needs them all."""
        for carriage, places in self.places.items():
            if carriage.cargo is unit.kind:
                carriers = {
                    place
                    for place, other in self.units.items()
                    if other.kind is carriage.carrier
                    and place in places
                    and place not in self.orders
                }
                net = self.map.convoy_net(carriage)
                yield from self._routes_over(net, unit, frozenset(carriers - {unit.province}))

    @staticmethod
    def _routes_over(
        net: ConvoyNet, unit: PlacedUnit, carriers: frozenset[str]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        starts = net.shores.get(unit.location, frozenset())
        paths: list[tuple[str, ...]] = [(sea,) for sea in sorted(carriers & starts)]
        while paths:
            path = paths.pop()
            passed = {place for sea in path[:-1] for place in net.links.get(sea, ())}
            shut = {place for sea in path[:-1] for place in net.ashore_from(sea)}
            for target in net.ashore_from(path[-1]):
                if target not in shut and province_of(target) not in (unit.province, *path):
                    yield target, path
            if len(path) < _LONGEST_ROUTE:
                onward = carriers & net.links.get(path[-1], frozenset())
                onward -= passed | set(path) | starts
                paths += [(*path, sea) for sea in sorted(onward)]

    def _raids(self) -> None:
        """Order supported attacks on some of the convoying fleets."""
        for sea in self.shuffled(sorted(self.carrying)):
            near = [unit for unit in self.free() if self.reaches(unit, sea)]
            if len(near) > 1 and self.chance(0.5):
                raider = near[0]
                self.move(raider, sea)
                for unit in near[1 : self.random.randint(2, 3)]:
                    self.orders[unit.province] = f"S {raider} - {sea}"

    def reaches(self, unit: PlacedUnit, place: str) -> bool:
        """Whether a unit could move to a province without a convoy."""
        return place in self.map.reach_provinces(unit.kind, unit.location)

    # Orders that do not match.

    def _stray_orders(self) -> None:
        """Order a few convoys of armies that go elsewhere or stay, and a few moves via convoy
        without one."""
        armies = self.free() + [self.units[place] for place in sorted(self.aims)]
        armies = [unit for unit in armies if self._is_cargo(unit)]
        for army in self.shuffled(armies)[:8]:
            routes = list(self._routes(army))
            if not routes or not self.chance(0.2):
                continue
            target, seas = self.random.choice(routes)
            near = target in self.map.reach(army.kind, army.location)
            if army.province not in self.orders and near and self.chance(0.5):
                self.move(army, target, via=True)
            else:
                for sea in seas:
                    self.orders[sea] = f"C {army} - {target}"

    # Supports.

    def _supports(self) -> None:
        """Order most of the remaining units to support, the others to hold."""
        for unit in self.free():
            reached = self.map.reach_provinces(unit.kind, unit.location)
            choices = self._mismatches(unit, reached) if self.chance(0.06) else []
            choices = choices or self._matches(unit, reached)
            hold = not choices or self.chance(0.1)
            self.orders[unit.province] = "H" if hold else f"S {self.random.choice(choices)}"

    def _matches(self, unit: PlacedUnit, reached: frozenset[str]) -> list[str]:
        """The orders that a unit could support, tenser ones more often: moves, moves against a
        convoying fleet, and orders that affect a convoy to the unit's own province."""
        found = []
        for place in sorted(self.units):
            other = self.units[place]
            aim = self.aims.get(place)
            end = place if aim is None else province_of(aim)
            if other is unit or end not in reached:
                continue
            weight = 1 if aim is None else 3
            if end in self.carrying:
                weight *= 6 if unit.province in self.landings else 3
            found += [str(other) if aim is None else f"{other} - {aim}"] * weight
        return found

    def _mismatches(self, unit: PlacedUnit, reached: frozenset[str]) -> list[str]:
        """Supports by a unit for orders that were not given."""
        found = []
        for place in sorted(self.units):
            other = self.units[place]
            if other is unit:
                continue
            aim = self.aims.get(place)
            if aim is not None and place in reached:
                found.append(str(other))
            landings = self.map.reach(other.kind, other.location)
            found += [
                f"{other} - {landing}"
                for landing in sorted(landings)
                if province_of(landing) in reached and landing != aim
            ]
        return found
