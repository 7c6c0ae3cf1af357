"""Random tense boards, full of orders that interact.

Every unit stands where it may, and every order is possible on the map, but most orders compete:
moves go where a unit stands or another move goes, supports match moves and holds that were ordered,
convoys carry armies that are ordered to go. A few orders deliberately do not match.

The same seed gives the same board on every machine: the only source of randomness is
`random.Random(seed)`, and everything it chooses from is sorted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TypeVar

from dipsat.base import brief
from dipsat.board import ARMIES_BY_FLEETS, Carriage, ConvoyNet, Map, load_map, province_of
from dipsat.errors import QuestionError
from dipsat.game import PhaseKind, PhaseName, convoy_places
from dipsat.orders import NO_WORDS, OrderKind, Slot, Unit, Word, Words
from dipsat.rules import Profile
from dipsat.studies.sheet import Sheet, SheetRow, name_of

_T = TypeVar("_T")

_LONGEST_ROUTE = 4  # most fleets of a convoy
_LONGEST_RING = 5  # most units of a circular movement
_CARRYING, _ENTERED, _OCCUPIED, _PLAIN = 12, 5, 5, 1  # how attractive a province is to a move


@brief()
@dataclass(frozen=True, slots=True)
class RandomBoard:
    """A random movement phase. Made by `dipsat.studies.random_board`."""

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
        self.units: dict[str, Unit] = {}
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
            text = self.whole.get(place) or (
                self.orders.get(place) and f"{unit} {self.orders[place]}"
            )
            named = str(replace(unit, attributes=values))
            yield SheetRow(unit.power, named, (text,) if text else ())
        for power, text in sorted(self.of_powers):
            yield SheetRow(power, "", (text,))

    # Randomness.

    def chance(self, likely: float) -> bool:
        """Return true with this probability (0 to 1)."""
        return self.random.random() < likely

    def shuffled(self, items: Iterable[_T]) -> list[_T]:
        """The items, which must come in a fixed order, in a random one."""
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
        self.units[place] = Unit(self.random.choice(powers), kind, location)

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

    def all_units(self) -> list[Unit]:
        """The units, sorted by province."""
        return [self.units[place] for place in sorted(self.units)]

    def free(self) -> list[Unit]:
        """The units without an order, in random order."""
        return self.shuffled(u for u in self.all_units() if u.province not in self.orders)

    # Moves.

    def move(self, unit: Unit, target: str, via: bool = False) -> None:
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

    def _ring(self, path: list[Unit], length: int) -> list[Unit]:
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

    def _landing(self, unit: Unit, place: str) -> str:
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

    def _convoy(self, army: Unit, routes: Sequence[tuple[str, tuple[str, ...]]]) -> None:
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

    def _is_cargo(self, unit: Unit) -> bool:
        return any(carriage.cargo is unit.kind for carriage in self.places)

    def _routes(self, unit: Unit) -> Iterator[tuple[str, tuple[str, ...]]]:
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
        net: ConvoyNet, unit: Unit, carriers: frozenset[str]
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

    def reaches(self, unit: Unit, place: str) -> bool:
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

    def _matches(self, unit: Unit, reached: frozenset[str]) -> list[str]:
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

    def _mismatches(self, unit: Unit, reached: frozenset[str]) -> list[str]:
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


_SEASONS = ("S", "F")  # of a movement phase
_MOST_POWERS = 7
_MOST_EXTRA = 12  # orders of a kind in a phase that has only such orders


def trial_board(profile: Profile, board: Map, seed: int, units: int, crowd: bool = False) -> Sheet:
    """Return the board of this seed, with between half of `units` and all of them (at most one for
    each province), and some more where the map has marks. A `crowd` has exactly `units` units, in
    one region. In addition to what `random_board` does, units stand where the map has features,
    moves cross marked borders, and orders of declared kinds name nearby units and provinces.

    Raises `QuestionError` for a map without powers.
    """
    powers = powers_of(board)
    random = Random(seed)
    phase = _phase(random, board, () if crowd else profile.words.extra_seasons)
    most = max(2, min(len(powers), _MOST_POWERS, units // 2))
    playing = random.sample(powers, min(len(powers), random.randint(2, most)))
    maker = _TrialMaker(random, board, profile, phase, playing)
    if crowd:
        maker.place(playing, units, regional=1)
    else:
        maker.place_around(random.randint(max(2, units // 2), units))
    maker.give_orders()
    owned = _owned(random, board, [*playing, ""])
    return Sheet(name_of(board), tuple(maker.rows()), str(phase), owned, profile.words)


def _phase(random: Random, board: Map, extra: Collection[str]) -> PhaseName:
    """A movement phase of the first year, or the phase of an extra season."""
    year = PhaseName.parse(board.first_phase).year
    season = random.choice((*_SEASONS, *sorted(extra)))
    kind = PhaseKind.MOVEMENT if season in _SEASONS else PhaseKind.EXTRA
    return PhaseName(season, year, kind)


def _owned(
    random: Random, board: Map, powers: list[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Power -> the centres that it owns: some of its home centres, some of others."""
    found: dict[str, list[str]] = {power: [] for power in powers}
    for code in sorted(board.centers):
        homes = [power for power in board.homes.get(code, ()) if power in found]
        owner = homes[0] if homes and random.random() < 0.5 else random.choice(powers)
        found[owner].append(code)
    return tuple((power, tuple(found[power])) for power in sorted(found) if power and found[power])


class _TrialMaker(Maker):
    """Makes a board with what a profile declares. `powers` are those that play, `marked` the
    provinces that are marked on the map or lie at a marked border."""

    def __init__(
        self, random: Random, board: Map, profile: Profile, phase: PhaseName, powers: list[str]
    ) -> None:
        words, features = profile.words, profile.declared.features
        places = {
            one: convoy_places(board, phase, profile.settings, one) for one in words.carriages
        }
        super().__init__(random, board, words, places, features)
        self.powers = powers
        self.season = phase.extra_season
        self.marked = sorted(
            {code for pair in self.borders for code in pair}
            | {
                code
                for code, province in board.provinces.items()
                if any(name in province.features for name in features)
            }
        )

    def place_around(self, count: int) -> None:
        """Place units, often around the marks of the map, and some more there and along its lines.
        Those along a line mostly belong to the power that the line belongs to."""
        lines = (
            self.map.lines[kind.line] for kind in self.words.kinds if kind.line in self.map.lines
        )
        centres = sorted({*self.marked, *(code for line in lines for code in line.provinces)})
        self.place(self.powers, count, centres=centres if self.chance(0.6) else ())
        if self.marked and self.chance(0.7):
            for place in self.shuffled(self.marked)[: self.random.randint(1, 6)]:
                self.add_unit(place, self.powers)
        for kind in self.words.kinds:
            line = self.map.lines.get(kind.line)
            if line is not None and self.chance(0.7):
                owners = [line.power] if line.power else self.powers
                for place in self.shuffled(line.provinces)[: self.random.randint(1, 3)]:
                    self.add_unit(place, owners if self.chance(0.8) else self.powers)

    # Orders of declared kinds.

    def give_orders(self) -> None:
        """Give up to three orders of each declared kind, or many in a phase without other orders;
        then the other orders."""
        for kind in self.words.kinds:
            if kind.season != self.season:
                continue
            few = self.random.choice((0, 1, 1, 1, 2, 3)) or (1 if kind.line else 0)
            for _ in range(self.random.randint(1, _MOST_EXTRA) if self.season else few):
                if kind.is_of_unit:
                    self._order_of_unit(kind)
                else:
                    self._order_of_power(kind)
        if not self.season:
            super().give_orders()

    def _order_of_power(self, kind: OrderKind) -> None:
        unit = self.random.choice(self.all_units())
        fields = self._fields(kind, unit)
        near = [self.units[code] for code in self.marked if code in self.units]
        owner = self.random.choice(near) if near and self.chance(0.6) else unit
        self.of_powers.append((owner.power, _written(kind, unit, fields)))

    def _order_of_unit(self, kind: OrderKind) -> None:
        line = self.map.lines.get(kind.line)
        free = self.free()
        if line is not None and self.chance(0.9):
            free = [unit for unit in free if unit.province in line.provinces]
            if line.power and self.chance(0.8):
                free = [unit for unit in free if unit.power == line.power]
        if not free:
            return
        unit = free[0]
        fields = self._fields(kind, unit)
        if line is not None:
            ends = [code for code in line.provinces if code != unit.province]
            target = fields["target"] = self.random.choice(ends)
            if unit.province in line.provinces:
                first, last = sorted(map(line.provinces.index, (unit.province, target)))
                self.passed |= set(line.provinces[first : last + 1])
        self._give(kind, unit, fields)
        named = [slot.name for slot in kind.fields if slot.type == "Unit"]
        if len(named) == len(kind.fields) == 1 and self.chance(0.6):  # two that name each other
            other = next(one for one in self.units.values() if str(one) == fields[named[0]])
            if other.province not in self.orders:
                self._give(kind, other, {named[0]: str(unit)})

    def _give(self, kind: OrderKind, unit: Unit, fields: Mapping[str, str]) -> None:
        self.orders[unit.province] = ""
        self.whole[unit.province] = _written(kind, unit, fields)
        if Slot("target", "Province") in kind.fields:
            self.aims[unit.province] = fields["target"]

    def _fields(self, kind: OrderKind, unit: Unit) -> dict[str, str]:
        """The values for the fields of an order: units near the unit, and provinces that it or such
        a unit reaches, preferably over a marked border."""
        found: dict[str, str] = {}
        subject = unit
        for slot in sorted(kind.fields, key=lambda one: one.type != "Unit"):
            if slot.type == "Unit":
                subject = self._near(unit)
                found[slot.name] = str(subject)
            else:
                found[slot.name] = self._place_near(subject)
        return found

    def _near(self, unit: Unit) -> Unit:
        """Another unit: at a marked border, near, or any."""
        others = [one for one in self.all_units() if one is not unit]
        ends = {code for pair in self.borders for code in pair}
        near = [other for other in others if self.reaches(unit, other.province)]
        marked = [other for other in others if other.province in ends]
        return self._one_of(0.7, marked, near, others) or self.random.choice(others or [unit])

    def _place_near(self, unit: Unit) -> str:
        over = [
            code
            for pair in self.borders
            for code in pair
            if unit.province in pair and code != unit.province
        ]
        reached = sorted(self.map.reach_provinces(unit.kind, unit.location))
        return self._one_of(0.8, over, reached) or self.random.choice(sorted(self.map.provinces))

    def _one_of(self, likely: float, *choices: Sequence[_T]) -> _T | None:
        """A random item of the first choice that has any, with this probability, or else of the
        next one; None if none is taken."""
        taken = (listed for listed in choices if listed and self.chance(likely))
        return next(map(self.random.choice, taken), None)


def _written(kind: OrderKind, unit: Unit, fields: Mapping[str, str]) -> str:
    """The text of an order in the first form of its kind."""
    parts = []
    for part in kind.forms[0]:
        if isinstance(part, Word):
            parts.append(part.shown)
        else:
            assert isinstance(part, Slot)
            parts.append(fields.get(part.name, str(unit)))
    return " ".join(parts)
