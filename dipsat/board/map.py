"""A map: its provinces, who can go where, and which units can convoy which others there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dipsat.base import (
    ANYWHERE,
    RAW,
    ArgumentError,
    Drawn,
    Files,
    brief,
    checked,
    own_fields,
    refuse_misuse,
)
from dipsat.board.province import (
    Language,
    NameIndex,
    Province,
    UnitKind,
    province_of,
    standard_kind,
)
from dipsat.errors import UnknownNameError

# --- convoy net -----------------------------------------------------------------------------------

# Convoys: which kinds of units carry which others, and the routes for them on a map.
#
# Sets of provinces are also represented as bit masks, so that large sets can be joined in one step.


WAYS = ("water", "land", "any")
"""How two provinces can be neighbours: by shared water, by a land border, or by either."""


@dataclass(frozen=True, slots=True)
class Carriage:
    """States that units of the kind `carrier` convoy those of the kind `cargo`.

    Carriers that are neighbours by `over` form a route. The cargo boards the first carrier and
    leaves the last one by `aboard`; both are among `WAYS`. A unit can carry in provinces whose kind
    is in `terrain`. `verbs` are words for this convoy in orders, besides those that any convoy has.
    """

    carrier: UnitKind
    cargo: UnitKind
    over: str = "water"
    aboard: str = "water"
    terrain: tuple[str, ...] = ("sea",)
    verbs: tuple[str, ...] = ()


ARMIES_BY_FLEETS = Carriage(UnitKind.FLEET, UnitKind.ARMY)
"""The convoys of the standard rules."""


class ConvoyNet:
    """The routes of one kind of convoy on a map.

    `links` maps a province to its possible neighbours on a route. `shores` maps each location where
    the cargo can be to the provinces from which it can go ashore there, which are also those where
    it can board. Each province has a bit, in the order of the codes; the first has the lowest.
    """

    def __init__(
        self, links: Mapping[str, frozenset[str]], shores: Mapping[str, frozenset[str]]
    ) -> None:
        self.links = links
        self.shores = shores
        codes = {*links, *(province_of(place) for place in shores)}
        self.codes = tuple(sorted(codes.union(*shores.values())))
        self.bits = {code: 1 << at for at, code in enumerate(self.codes)}
        self.near = tuple(self.mask(links.get(code, ())) for code in self.codes)
        self.places = tuple(sorted(shores))
        self.shore_masks = {place: self.mask(near) for place, near in shores.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return ConvoyNet, (self.links, self.shores)

    @cached_property
    def landings(self) -> tuple[int, ...]:
        """For each province, in order, the locations where cargo can go ashore from it, as bits in
        the order of `places`."""
        found = [0] * len(self.codes)
        for at, place in enumerate(self.places):
            for bit in bits_of(self.shore_masks[place]):
                found[bit.bit_length() - 1] |= 1 << at
        return tuple(found)

    @cached_property
    def own_places(self) -> tuple[int, ...]:
        """For each province, in order, the locations in it, as bits in the order of `places`."""
        found = [0] * len(self.codes)
        for at, place in enumerate(self.places):
            found[self.bits[province_of(place)].bit_length() - 1] |= 1 << at
        return tuple(found)

    @cached_property
    def on_shore(self) -> int:
        """The provinces that have a location in `places`, as bits."""
        return self.mask(province_of(place) for place in self.places)

    def own_of(self, bit: int) -> int:
        """The locations in a bit's province, as bits in the order of `places`."""
        return self.own_places[bit.bit_length() - 1]

    def mask(self, codes: Iterable[str]) -> int:
        """The bits of the provinces; those that no convoy passes have none."""
        bits, found = self.bits, 0
        for code in codes:
            found |= bits.get(code, 0)
        return found

    def names(self, mask: int) -> tuple[str, ...]:
        """The codes of the bits, sorted."""
        return tuple(self.codes[bit.bit_length() - 1] for bit in bits_of(mask))

    def ashore_from(self, code: str) -> tuple[str, ...]:
        """The locations at which cargo goes ashore from a province, sorted."""
        if code not in self.bits:
            return ()
        return self.places_of(self.landings[self.bits[code].bit_length() - 1])

    def places_of(self, mask: int) -> tuple[str, ...]:
        """The locations in a mask whose bits are in the order of `places`, sorted."""
        return tuple(self.places[bit.bit_length() - 1] for bit in bits_of(mask))

    def landing_places(self, target: str) -> tuple[str, ...]:
        """The locations that a target of the cargo may mean: the target itself or, if it names no
        coast, all in its province."""
        if target in self.shores:
            return (target,)
        bit = 0 if "/" in target else self.bits.get(target, 0)
        return self.places_of(self.own_places[bit.bit_length() - 1]) if bit else ()

    def shore_of(self, place: str) -> int:
        """The provinces from which cargo goes ashore at a location."""
        return self.shore_masks.get(place, 0)

    def beside(self, mask: int) -> int:
        """The provinces that are linked with any of those in `mask`."""
        found = 0
        while mask:
            low = mask & -mask
            mask ^= low
            found |= self.near[low.bit_length() - 1]
        return found

    def joins(self, starts: int, ends: int, allowed: int) -> bool:
        """Whether a chain of provinces in `allowed` leads from one in `starts` to one in `ends`."""
        reached = fresh = starts & allowed
        ends &= allowed
        while fresh and ends:
            if fresh & ends:
                return True
            fresh = self.beside(fresh) & allowed & ~reached
            reached |= fresh
        return False

    def way(self, start: int, goals: int, allowed: int) -> int:
        """A shortest chain of provinces from one in `start` to one in `goals`, both included, with
        all others in `allowed`; 0 if there is none."""
        layers = [start]
        seen = start
        while not layers[-1] & goals:
            fresh = self.beside(layers[-1]) & allowed & ~seen
            if not fresh:
                return 0
            seen |= fresh
            layers.append(fresh)
        reached = layers.pop() & goals
        found = step = reached & -reached
        for layer in reversed(layers):
            before = self.near[step.bit_length() - 1] & layer
            step = before & -before
            found |= step
        return found


def bits_of(mask: int) -> Iterator[int]:
    """The set bits of an integer, lowest first."""
    while mask:
        low = mask & -mask
        mask ^= low
        yield low


# --- map ------------------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class OwnPicture:
    """What a map says about its picture. At most one of `like`, `file` and `svg` is set; if none
    is, the shapes are made from the borders."""

    like: str = ""
    """The shipped map whose shapes it is drawn with."""
    places: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    """Province or coast -> where its `unit`, a `dislodged` unit, its `name` and its `center` are
    drawn, measured right and down from the top left corner of the picture; with `svg`, in the
    coordinates of that file."""
    file: str = ""
    """The path of the file with its picture, which `dipsat maps draw` writes."""
    svg: str = ""
    """The path of the SVG file with its shapes."""
    files: Files = field(default=ANYWHERE, compare=False, repr=False)
    """The files that `file` and `svg` may name."""
    place: tuple[str, int, int] = field(default=("", 1, 1), compare=False, repr=False)
    """The path, line and column at which the map says where its shapes come from."""


_NO_PICTURE = OwnPicture()
_OWN_LANGUAGE = Language()
BUILD_RULES = ("home", "any", "any-if-home-owned", "home-any")
"""Where a map may let a power build: in its centres that are its homes; in all its centres; in all
its centres while it owns one of its homes; in its centres that are the home of any power."""


@brief()
@dataclass(frozen=True, slots=True)
class PowerSetup:
    """A power with its setup on the map."""

    name: str
    """Its name, such as `FRANCE`."""
    aliases: tuple[str, ...]
    """Other names that players type, including adjectives."""
    home: tuple[str, ...]
    """The codes of its home centres."""
    start: tuple[str, ...]
    """Its units at the start of a game, such as `F STP/SC`."""
    centers: tuple[str, ...]
    """The codes of the supply centres that it owns at the start."""
    neutral: bool = False
    """Whether nobody plays it: its units hold, and a dislodged one is disbanded at once."""
    rebuilt: bool = False
    """Whether its starting units are garrisons: a garrison that was lost is rebuilt in winter if no
    other power owns its centre and no unit is there."""


@dataclass(frozen=True)
class Codes:
    """The codes that one notation uses on a map.

    `provinces`, `powers` and `coasts` map each name of the map to its code in that notation. They
    are complete, and no two names of a kind share a code, even in different case.
    """

    provinces: Mapping[str, str]
    powers: Mapping[str, str]
    coasts: Mapping[str, str]

    @cached_property
    def meant(self) -> Mapping[str, Mapping[str, str]]:
        """Case-folded codes -> what they stand for, by kind: "provinces", "powers", "coasts"."""
        return {
            kind: {code.casefold(): thing for thing, code in codes.items()}
            for kind, codes in own_fields(self).items()
        }


@brief()
@dataclass(frozen=True, slots=True)
class MapLine:
    """A line through provinces, such as a railway."""

    name: str
    """Its name."""
    power: str
    """The power that owns it, "" if none does."""
    provinces: tuple[str, ...]
    """The codes of its provinces, in order."""


@brief()
@dataclass(frozen=True, eq=False)
class Map(Drawn):
    """Provinces, borders and powers. Two maps are equal if all their attributes are, so that a copy
    equals its original.

    `army` and `fleet` are complete: a unit cannot move from a province or location that is not a
    key.
    """

    name: str
    """Its name, such as `standard`."""
    title: str
    """Its title, for display."""
    provinces: Mapping[str, Province]
    """Code -> province."""
    army: Mapping[str, frozenset[str]]
    """Province -> the provinces that an army there can move to by land."""
    fleet: Mapping[str, frozenset[str]]
    """Location -> the locations that a fleet there can move to."""
    powers: Mapping[str, PowerSetup]
    """Name -> power, with its setup on the map."""
    coast_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Suffix of a coast, such as `SC` -> its names."""
    victory: int | None = None
    """The number of supply centres that wins, None if the map does not say."""
    first_phase: str = "S1901M"
    """The name of the phase in which games begin."""
    build: str = "home"
    """Where powers build: `home`, `any`, `any-if-home-owned` or `home-any`."""
    notations: Mapping[str, Codes] = field(default_factory=dict)
    """Notation -> its codes for the provinces, powers and coasts of this map."""
    path: str = ""
    """The path of its file."""
    border_features: Mapping[str, frozenset[frozenset[str]]] = field(default_factory=dict)
    """Feature -> the pairs of provinces with it, neighbours or not."""
    power_features: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Feature -> the powers with it."""
    lines: Mapping[str, MapLine] = field(default_factory=dict)
    """Name -> line."""
    impassable: Mapping[str, str] = field(default_factory=dict)
    """Code -> name of each land that no unit can enter."""
    picture: OwnPicture = _NO_PICTURE
    """What it says about its picture: the shipped map `like` which it is drawn, or the file with
    its shapes, and `places` of units and names."""
    sources: tuple[str, ...] = ()
    """The sources of its facts."""
    notes: tuple[str, ...] = ()
    """Remarks on the map."""
    language: Language = _OWN_LANGUAGE
    """The names and words of another language that are laid over it, as in `standard+german`."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return own_fields(self) == own_fields(other) if isinstance(other, Map) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.path))

    __getstate__ = own_fields

    @cached_property
    def homes(self) -> Mapping[str, tuple[str, ...]]:
        """Supply centre -> the powers whose home centre it is."""
        found: dict[str, tuple[str, ...]] = {}
        for name, power in self.powers.items():
            for code in power.home:
                found[code] = (*found.get(code, ()), name)
        return found

    @checked
    def has_feature(self, name: str, *codes: str) -> bool:
        """Whether a province, or the border between two provinces, has a feature. Raises
        `UnknownNameError` for a province that is not on the map."""
        for code in codes:
            if code not in self.provinces:
                raise UnknownNameError("province", code, self.provinces)
        if len(codes) == 1:
            return name in self.provinces[codes[0]].features
        return frozenset(codes) in self.border_features.get(name, ())

    @checked
    def has_power_feature(self, name: str, power: str) -> bool:
        """Whether a power has a feature."""
        return power in self.power_features.get(name, ())

    @checked
    def codes(self, notation: str) -> Codes:
        """The codes of `notation` on this map: the map's own unless its file states others."""
        return self.notations.get(notation, self._own_codes)

    @cached_property
    def _own_codes(self) -> Codes:
        things = self.provinces, self.powers, self.coast_names
        return Codes(*({one: one for one in named} for named in things))

    @cached_property
    def names(self) -> NameIndex:
        """Looks up provinces, coasts and powers by the names that people type."""
        return NameIndex(
            self.provinces,
            {power.name: power.aliases for power in self.powers.values()},
            self.coast_names,
            self.language,
        )

    @cached_property
    def locations(self) -> frozenset[str]:
        """Every location that a unit could have."""
        fleets = {loc for p in self.provinces.values() if p.kind != "land" for loc in p.locations}
        return frozenset(fleets | set(self.provinces))

    @cached_property
    def fleet_provinces(self) -> Mapping[str, frozenset[str]]:
        """Location -> the provinces that a fleet there can move to, on any coast."""
        return {
            location: frozenset(province_of(neighbour) for neighbour in neighbours)
            for location, neighbours in self.fleet.items()
        }

    @cached_property
    def water(self) -> Mapping[str, frozenset[str]]:
        """Province -> the provinces that share water with it, on any coast: fleets pass in both
        directions."""
        borders: dict[str, set[str]] = {}
        for location, neighbours in self.fleet_provinces.items():
            borders.setdefault(province_of(location), set()).update(neighbours)
        return _both_ways(borders)

    @cached_property
    def land(self) -> Mapping[str, frozenset[str]]:
        """Province -> the provinces that share a land border with it, open in both directions."""
        return _both_ways(self.army)

    @cached_property
    def convoys(self) -> ConvoyNet:
        """The routes on which fleets convoy armies, as in the standard rules."""
        return self.convoy_net(ARMIES_BY_FLEETS)

    def convoy_net(self, carriage: Carriage) -> ConvoyNet:
        """The routes of one kind of convoy, computed once."""
        try:
            found = self._nets.get(carriage)
            if found is None:
                found = self._nets[carriage] = self._convoy_net(carriage)
        except RAW:
            refuse_misuse(Map.convoy_net, self, carriage)
            raise
        return found

    @cached_property
    def _nets(self) -> dict[Carriage, ConvoyNet]:
        return {}

    def _convoy_net(self, carriage: Carriage) -> ConvoyNet:
        shores: dict[str, frozenset[str]] = {}
        for code, province in self.provinces.items():
            if carriage.cargo.stands_in(province.kind):
                places = province.locations if carriage.cargo.has_coasts else (code,)
                shores |= {place: self._neighbours(carriage.aboard, place) for place in places}
        links = {code: self._neighbours(carriage.over, code) for code in self.provinces}
        return ConvoyNet(
            {code: near for code, near in links.items() if near},
            {place: near for place, near in shores.items() if near},
        )

    def _neighbours(self, way: str, place: str) -> frozenset[str]:
        """The provinces that are neighbours of a province, or of one of its coasts."""
        near = self._waters_of(place) if way != "land" else frozenset()
        return near if way == "water" else near | self.land.get(province_of(place), frozenset())

    def _waters_of(self, place: str) -> frozenset[str]:
        if place in self.provinces:
            return self.water.get(place, frozenset())
        return frozenset(
            near
            for near in self.fleet_provinces.get(place, ())
            if any(place in self.fleet.get(there, ()) for there in self.provinces[near].locations)
        )

    @cached_property
    def centers(self) -> tuple[str, ...]:
        """The supply centres, in the order of the provinces."""
        return tuple(code for code, province in self.provinces.items() if province.supply)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The powers that are played: all except the neutral ones."""
        return tuple(name for name in self.powers if name not in self.neutrals)

    @cached_property
    def neutrals(self) -> frozenset[str]:
        """The powers that nobody plays."""
        return frozenset(name for name, power in self.powers.items() if power.neutral)

    @cached_property
    def garrisons(self) -> tuple[tuple[str, str], ...]:
        """Each power and unit, such as `A SER`, that is rebuilt in winter."""
        rebuilt = (power for power in self.powers.values() if power.rebuilt)
        return tuple((power.name, unit) for power in rebuilt for unit in power.start)

    @cached_property
    def seas(self) -> frozenset[str]:
        """The provinces in which a fleet may convoy."""
        return frozenset(code for code, p in self.provinces.items() if p.kind == "sea")

    @cached_property
    def coastal(self) -> frozenset[str]:
        """The land provinces in which a convoy can start or end."""
        return frozenset(code for code, p in self.provinces.items() if p.kind == "coast")

    def reach(self, kind: UnitKind | str, location: str) -> frozenset[str]:
        """Return the locations that a unit of `kind` at `location` can move to without a convoy.
        "A" and "F" mean armies and fleets."""
        try:
            if not isinstance(kind, UnitKind):
                kind = _kind(kind, Map.reach)
            place = location if kind.has_coasts else province_of(location)
            return self.steps(kind).get(place, frozenset())
        except RAW:
            refuse_misuse(Map.reach, self, kind, location)
            raise

    def reach_provinces(self, kind: UnitKind | str, location: str) -> frozenset[str]:
        """Return the provinces that a unit of `kind` (as in `reach`) at `location` can move to
        without a convoy."""
        try:
            if not isinstance(kind, UnitKind):
                kind = _kind(kind, Map.reach_provinces)
            if kind.has_coasts:
                return self.fleet_provinces.get(location, frozenset())
            return self.steps(kind).get(province_of(location), frozenset())
        except RAW:
            refuse_misuse(Map.reach_provinces, self, kind, location)
            raise

    def steps(self, kind: UnitKind | str) -> Mapping[str, frozenset[str]]:
        """Return location -> the locations that a unit of `kind` (as in `reach`) there can move to
        without a convoy."""
        if not isinstance(kind, UnitKind):
            kind = _kind(kind, Map.steps)
        if kind.has_coasts:
            return self.fleet
        return self._over_land_and_water if "fleet" in kind.borders else self.army

    @cached_property
    def _over_land_and_water(self) -> Mapping[str, frozenset[str]]:
        found = dict(self.army)
        for location, reached in self.fleet_provinces.items():
            code = province_of(location)
            found[code] = found.get(code, frozenset()) | reached
        return found


def _kind(letter: object, asked: Callable[..., object]) -> UnitKind:
    """The kind of unit for the letter "A" or "F". Raises `UnknownNameError` for any other text, and
    `ArgumentError`, which names the method `asked`, for anything that is not a text."""
    if not isinstance(letter, str):
        name = f"dipsat.{asked.__qualname__}"
        raise ArgumentError(name, "kind", letter, "'A', 'F' or a UnitKind")
    return standard_kind(letter)


def _both_ways(borders: Mapping[str, Collection[str]]) -> dict[str, frozenset[str]]:
    """The borders that can be crossed both ways."""
    return {
        place: frozenset(near for near in reached if place in borders.get(near, ()))
        for place, reached in borders.items()
    }
