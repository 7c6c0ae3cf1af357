"""A map and the settings of a profile, as tables for the compiled code.

Every table is made with the functions that the Python path uses, so the rules on coasts and convoys
are in one place.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, chain, starmap
from typing import Any

from dipsat.base import grouped
from dipsat.board import Carriage, UnitKind, coast_of, province_of
from dipsat.game import (
    IllegalError,
    PhaseKind,
    PhaseName,
    Targets,
    by_land_or_water,
    centers_to_win,
    convoy_places,
    letters_of,
    rank_of_kind,
    refuse_irrelevant,
    unit_reader,
)
from dipsat.kernel.numbers import NOBODY, NOWHERE, SEASONS, DeclinedError, MapNumbers, unit_numbers
from dipsat.kernel.source import KernelSource
from dipsat.orders import (
    TEXT_FAULTS,
    Move,
    Order,
    SupportMove,
    UnitName,
    reader_for,
    unit_of,
)
from dipsat.rules import (
    BUILDS_IN,
    CAPTURES,
    COUNTS_FOR,
    FACTS,
    Conditions,
    Fact,
    Not,
    Predicate,
    Profile,
    asks_for_places,
)

_UNKNOWN_POWER = 254  # a power that the rules name and the map does not have
MAX_COASTS, MAX_NEXT, MAX_POWERS, MAX_KINDS, MAX_CARRIAGES = 4, 64, 64, 8, 8
_KINDS_OF_PROVINCE = ("land", "coast", "sea")
_COASTS = ("illegal", "first", "amended")
_SUPPORT_COASTS = ("optional", "required", "own", "ignored", "first")
_ADJACENT = ("intent", "explicit", "opposed", "always")
_VIA = ("stays", "by land", "by land without path", "by land as via")
_BUILD = ("home", "any", "any-if-home-owned", "home-any")
_DISORDER = ("owned", "home")
_FAR = 0xFFFF

_MIXER = 0x9E3779B97F4A7C15  # as in `texts.h`

_COUNT, _ADDRESS = ctypes.c_int32, ctypes.c_void_p
Array = tuple[str, str, Iterable[int]]
"""An array: the name of the pointer to it, the letter of its type, and its values."""


def structure(*fields: tuple[str, Any, Any]) -> ctypes.Structure:
    """A structure with these fields in this order, each with name, type and value."""
    shape = type("Shape", (ctypes.Structure,), {"_fields_": [(name, t) for name, t, _ in fields]})
    found: ctypes.Structure = shape(*(value for _, _, value in fields))
    return found


def _bytes_of(name: str) -> int:
    """The number that a name's bytes make, 0 if it is too long."""
    text = name.encode()
    return int.from_bytes(text, "little") if len(text) <= 8 and not {*b" \n\0"} & {*text} else 0


class MapTables:
    """The tables of one map under one profile. Raises `DeclinedError` for a map or convoys that the
    kernel cannot express."""

    def __init__(self, numbers: MapNumbers, profile: Profile, source: KernelSource) -> None:
        self.numbers = numbers
        self.board = numbers.board
        self.kinds = numbers.kinds
        self.provinces, self.locations = numbers.provinces, numbers.locations
        self.powers = numbers.powers
        self.number_of = numbers.number_of
        self.profile = profile
        self.source = source
        self.words = source.layout.place_words
        self._check()
        self._kept: list[array[int]] = []

    def _check(self) -> None:
        carriages = self.profile.words.carriages
        if len(self.powers) > MAX_POWERS:
            raise DeclinedError(f"a map with more than {MAX_POWERS} powers")
        if len(self.kinds) > MAX_KINDS or len(carriages) > MAX_CARRIAGES:
            raise DeclinedError(f"more than {MAX_KINDS} kinds of units or convoys")
        if any(len(province.locations) > MAX_COASTS for province in self.board.provinces.values()):
            raise DeclinedError(f"a province with more than {MAX_COASTS} coasts")
        nearest = max(
            len(self.numbers.next_to(kind, at)) for kind in self.kinds for at in self.locations
        )
        if nearest > MAX_NEXT:
            raise DeclinedError(f"a province with more than {MAX_NEXT} neighbours")

    # --- the structure that the compiled code reads -----------------------------------------------

    @cached_property
    def structure(self) -> ctypes.Structure:
        """The structure `map` of `dipsat/kernel/runtime/board.h`."""
        carriages, number_of_kind = self.profile.words.carriages, self.kinds.index
        cargoes = {number_of_kind(one.cargo) for one in carriages}
        counts = {
            "provinces": self.provinces, "locations": self.locations, "powers": self.powers,
            "kinds": self.kinds, "carriages": carriages, "features": self.source.numbered.features,
            "room": range(self.numbers.most_units),
        }  # fmt: skip
        settings = self._settings()
        place_set = ctypes.c_uint64 * self.words
        by_season: Any = place_set * len(SEASONS)
        carriage: Any = type("Carriage", (ctypes.Structure,), {"_fields_": [
            ("carrier", _COUNT), ("cargo", _COUNT), ("carrying", by_season),
            ("shores", _ADDRESS), ("links", _ADDRESS), ("ashore", _ADDRESS),
        ]})  # fmt: skip
        shown = (
            carriage(
                number_of_kind(one.carrier),
                number_of_kind(one.cargo),
                by_season(*(place_set(*self._carrying(one, letter)) for letter in SEASONS)),
                self.places(net.shores.get(at, ()) for at in self.locations),
                self.places(net.links.get(code, ()) for code in self.provinces),
                None
                if one.cargo.has_coasts
                else self.places(net.ashore_from(code) for code in self.provinces),
            )
            for one in carriages
            for net in [self.board.convoy_net(one)]
        )
        all_carriages = carriage * MAX_CARRIAGES
        return structure(
            *((name, _COUNT, len(counted)) for name, counted in counts.items()),
            ("cargoes", _COUNT, sum(1 << kind for kind in cargoes)),
            ("names", _COUNT, len(self._names)),
            ("neutrals", ctypes.c_uint64, self._powers(self.board.neutrals)),
            ("settings", type(settings), settings),
            ("every_place", place_set, place_set(*self._words(self.provinces))),
            *self._addresses(self._arrays()),
            ("carriage", all_carriages, all_carriages(*shown)),
            *((name, _COUNT, int(count)) for name, count in self._counts_of_games().items()),
            *self._addresses(self._arrays_of_games()),
        )

    def _arrays(self) -> Iterator[Array]:
        board, codes, numbered = self.board, self.provinces, self.source.numbered
        provinces = [board.provinces[code] for code in codes]
        pairs = [(kind, at) for kind in self.kinds for at in self.locations]
        near = [tuple(self._near(*pair)) for pair in pairs]
        targets = Targets(board, self.profile.settings, ())

        def own(kind: UnitKind, location: str, target: str) -> str:
            return targets.own(unit_of("X", kind, location), target)[0]

        yield "province_of", "H", (self.number_of[province_of(at)] for at in self.locations)
        yield "kind_of", "B", (_KINDS_OF_PROVINCE.index(one.kind) for one in provinces)
        yield "supply", "B", (one.supply for one in provinces)
        yield "homes", "Q", (self._powers(board.homes.get(code, ())) for code in codes)
        yield "stands", "B", (self.numbers.stands(*pair) for pair in pairs)
        yield "has_coasts", "B", (kind.has_coasts for kind in self.kinds)
        yield "reached", "Q", self._places(board.reach_provinces(*pair) for pair in pairs)
        beside = (self._padded(self.numbers.next_to(*pair), MAX_NEXT) for pair in pairs)
        yield "next", "H", chain.from_iterable(beside)
        yield "meant", "h", self._each_target(pairs, near, own)
        for power in ("", "X"):  # of another power, and of the unit's own power
            meant = self._supported_target(targets, power)
            yield f"supported{power}", "h", self._each_target(pairs, near, meant)
        yield "coasts_near", "B", chain.from_iterable(starmap(self._coasts_near, pairs))
        yield "landings", "B", self._landings()
        yield "coast_bit", "B", map(self._coast_bit, self.locations)
        coasts = (self._padded(one.locations, MAX_COASTS) for one in provinces)
        yield "coasts", "H", chain.from_iterable(coasts)
        yield "default_coast", "H", (self.number_of[one.default_location] for one in provinces)
        yield "bare", "h", map(self._bare, self.locations)
        yield "along", "Q", self._places(map(self._along, codes))
        yield "water", "Q", self._places(board.water.get(code, ()) for code in codes)
        places, borders, powers = [], [], []
        for name, about in numbered.features:
            places.append([code for code in codes if about == 1 and board.has_feature(name, code)])
            borders += [self._beyond(name, code) if about == 2 else [] for code in codes]
            owners = [p for p in self.powers if about == 0 and board.has_power_feature(name, p)]
            powers.append(self._powers(owners))
        yield "features_of_places", "Q", self._places(places)
        yield "features_of_borders", "Q", self._places(borders)
        yield "features_of_powers", "Q", powers
        yield "code_numbers", "h", (self.number_of.get(code, -1) for code in numbered.codes)
        yield "power_numbers", "h", map(self._power_number, numbered.powers)
        yield "name", "Q", (name for name, _ in self._names)
        yield "named", "H", (number for _, number in self._names)
        yield "name_of", "Q", self._readable
        yield "name_of_kind", "Q", map(_bytes_of, self.kinds)

    def _settings(self) -> ctypes.Structure:
        settings = self.profile.settings
        on_orders = any(
            len(one.indices) == 1 and str(one.indices[0].type) in ("Move", "Support", "Convoy")
            for one in self.profile.legal.values()
        )
        numbers = {
            "coast_of_two": _COASTS.index(settings.coast_of_two_omitted),
            "coast_of_one": _COASTS.index(settings.coast_of_one_omitted),
            "coast_impossible": _COASTS.index(settings.coast_impossible),
            "support_coast": _SUPPORT_COASTS.index(settings.support_coast),
            "adjacent_convoy": _ADJACENT.index(settings.adjacent_convoy),
            "via_without_convoy": _VIA.index(settings.via_without_convoy),
            "path_required": settings.convoy_path == "required",
            "illegal_orders_count": settings.legal != "position",
            "disorder_refused": settings.disorder_support == "refused",
            "implicit_orders": settings.implicit_orders == "deduced",
            "every_province": asks_for_places(self.profile),
            "rules_on_orders": on_orders,
            "nationality_counts": settings.nationality_missing != "valid",
        }
        return structure(*((name, _COUNT, number) for name, number in numbers.items()))

    @cached_property
    def _readable(self) -> list[int]:
        """For each location, the bytes of its name if the reader of orders always takes the name
        for the location; otherwise 0, as for rules with their own words. On your own map, a power
        may be called `F`, or a province `TO`."""
        words, found = self.profile.words, [0] * len(self.locations)
        for at, location in enumerate(self.locations) if not words.kinds + words.attributes else ():
            if all(self._is_read(kind, location) for kind in self.kinds):
                found[at] = _bytes_of(location)
        return found

    def _is_read(self, kind: UnitKind, location: str) -> bool:
        """Whether the reader takes a name for its location everywhere in an order."""
        reader, unit = reader_for(self.board, self.profile.words), UnitName(location, kind)
        meant: dict[str, Order] = {
            f"- {location} VIA": Move(unit, location, True),
            f"S {kind} {location} - {location}": SupportMove(unit, unit, location),
        }
        try:
            return reader.read_unit(f"{kind} {location}") == unit and all(
                reader.read(text) == order and text not in reader.guessed
                for end, order in meant.items()
                for text in [f"{kind} {location} {end}"]
            )
        except TEXT_FAULTS:
            return False

    @cached_property
    def _names(self) -> list[tuple[int, int]]:
        """The table of names, each with its location (see `location_of` in `texts.h`)."""
        slots = 4 << len(self.locations).bit_length()
        found = [(0, 0)] * slots
        for number, name in enumerate(self._readable):
            slot = (name * _MIXER >> 32) % slots
            while found[slot][0]:
                slot = (slot + 1) % slots
            found[slot] = name, number
        return found

    def _landings(self) -> Iterator[int]:
        """For each kind of unit, the locations of each province where a convoy could land."""
        shores = {kind: set[str]() for kind in self.kinds}
        for one in self.profile.words.carriages:
            ashore = self.board.convoy_net(one).shores.items()
            shores[one.cargo].update(at for at, seas in ashore if seas)
        for kind in self.kinds:
            for code in self.provinces:
                landed = (at for at in self._locations(code) if at in shores[kind])
                yield sum(map(self._coast_bit, landed))

    def _beyond(self, name: str, code: str) -> Iterable[str]:
        """The provinces beyond a border with a feature, or those of a word about the map alone."""
        kind, _, fact = name.rpartition(".")
        on_map = FACTS[kind][fact].on_map if kind else None
        if on_map is None:
            return [other for other in self.provinces if self.board.has_feature(name, code, other)]
        return on_map(self.board, code)  # type: ignore[no-any-return]  # provinces

    def _carrying(self, carriage: Carriage, season: str) -> list[int]:
        phase = PhaseName(season, 1, PhaseKind.MOVEMENT)
        return self._words(convoy_places(self.board, phase, self.profile.settings, carriage))

    def _along(self, code: str) -> set[str]:
        """The provinces on those lines of the map that contain a province and that orders
        follow."""
        kinds = self.profile.declared.kinds.values()
        lines = (self.board.lines.get(kind.kind.line) for kind in kinds if kind.kind.line)
        return {
            other
            for line in lines
            if line is not None and code in line.provinces
            for other in line.provinces
        }

    # --- targets ----------------------------------------------------------------------------------

    def _padded(self, places: Collection[str], most: int) -> list[int]:
        numbers = [self.number_of[one] for one in places]
        return numbers + [NOWHERE] * (most - len(numbers))

    def _coasts_near(self, kind: UnitKind, location: str) -> bytearray:
        """For each province, those of its locations that a unit can reach, as bits."""
        found = bytearray(len(self.provinces))
        for near in self.numbers.next_to(kind, location):
            found[self.number_of[province_of(near)]] |= self._coast_bit(near)
        return found

    def _coast_bit(self, location: str) -> int:
        """The bit of a location among those of its province; 0 if it is not one of them."""
        listed = self._locations(province_of(location))
        return 1 << listed.index(location) if location in listed else 0

    def _locations(self, code: str) -> tuple[str, ...]:
        return tuple(self.board.provinces[code].locations)

    def _each_target(
        self,
        pairs: Iterable[tuple[UnitKind, str]],
        near: Iterable[Iterable[str]],
        meant: Callable[[UnitKind, str, str], str],
    ) -> Iterator[int]:
        """The number of the location that each target means, -1 if none. Only the targets `near`
        can mean one."""
        for (kind, location), targets in zip(pairs, near, strict=True):
            row = [-1] * len(self.locations)
            for target in targets:
                with suppress(IllegalError):
                    row[self.number_of[target]] = self.number_of[meant(kind, location, target)]
            yield from row

    def _near(self, kind: UnitKind, location: str) -> Iterator[str]:
        """The locations in provinces that a unit can reach without a convoy, or along a line.

        A unit can only get elsewhere by convoy, which these tables leave out. Checking that for
        each location would take most of the time for making the tables."""
        if not self.numbers.stands(kind, location):
            return iter(())
        near = self.board.reach_provinces(kind, location) | self._along(province_of(location))
        return chain.from_iterable(self._all_locations[code] for code in near)

    @cached_property
    def _all_locations(self) -> dict[str, list[str]]:
        """Province -> the locations in it, including itself."""
        return grouped((province_of(at), at) for at in self.locations)

    def _supported_target(
        self, targets: Targets, power: str
    ) -> Callable[[UnitKind, str, str], str]:
        """Where a supported move leads, for a support by a unit of a power. A province stands for
        any of its coasts."""

        def meant(kind: UnitKind, location: str, target: str) -> str:
            if not kind.has_coasts:
                return self._on_no_coast(kind, location, target)
            by, other = unit_of(power, kind, location), unit_of("X", kind, location)
            return targets.supported(by, target, other)

        return meant

    def _on_no_coast(self, kind: UnitKind, location: str, target: str) -> str:
        """Where the supported move of a unit leads by land, if the unit's kind has no coasts."""
        place = province_of(target)
        known = self.board.reach_provinces(kind, location) | self._along(province_of(location))
        if self._bare(target) < 0 or place not in known:
            raise IllegalError("", "")
        return place

    def _bare(self, target: str) -> int:
        """The province meant by the target of a unit whose kind has no coasts."""
        if coast_of(target):
            try:
                refuse_irrelevant(coast_of(target), self.profile.settings)
            except IllegalError:
                return -1
        return self.number_of[province_of(target)]

    def _power_number(self, name: str) -> int:
        return self.numbers.number_of_power.get(name, _UNKNOWN_POWER) if name else NOBODY

    # --- arrays -----------------------------------------------------------------------------------

    def _powers(self, names: Iterable[str]) -> int:
        return sum(1 << self.numbers.number_of_power[name] for name in names)

    def _words(self, codes: Iterable[str]) -> list[int]:
        """A set of provinces."""
        mask = sum(1 << self.number_of[code] for code in codes)
        return [mask >> 64 * at & (2**64 - 1) for at in range(self.words)]

    def _places(self, sets: Iterable[Iterable[str]]) -> Iterator[int]:
        return (word for codes in sets for word in self._words(codes))

    def places(self, sets: Iterable[Iterable[str]]) -> int:
        """The address of sets of provinces."""
        return self.array("Q", self._places(sets))

    def _addresses(self, arrays: Iterable[Array]) -> Iterator[tuple[str, Any, int]]:
        """The fields that point to arrays."""
        return ((name, _ADDRESS, self.array(kind, values)) for name, kind, values in arrays)

    def array(self, kind: str, values: Iterable[int]) -> int:
        """The address of an array that lives as long as these tables."""
        found = array(kind, values) or array(kind, (0,))
        self._kept.append(found)
        return found.buffer_info()[0]

    # --- what later phases and whole games need ------------------------------------------------

    def _counts_of_games(self) -> dict[str, int]:
        board, settings, left = self.board, self.profile.settings, what_python_does(self.profile)
        build, disorder = settings.build_where, settings.civil_disorder
        builds = (settings.builds_too_many, settings.builds_in_one_place)
        return {
            "waive": settings.waive == "allowed",
            "to_win": centers_to_win(board, settings) or 0,
            "build_rule": _BUILD.index(board.build if build == "map" else build),
            "change_after_moves": settings.centers_change == "after moves",
            "disorder": (*_DISORDER, disorder).index(disorder),
            "has_summer": bool(self.profile.words.extra_seasons),
            "lists_moves": "orders" not in left,
            "settles_retreats": "retreats" not in left,
            "settles_winters": "adjustments" not in left,
            "first_builds_count": builds == ("first", "first"),
            "first_disbands_count": settings.disbands_too_many == "first",
            "garrison_count": len(board.garrisons),
        }

    def _arrays_of_games(self) -> Iterator[Array]:
        board, numbers = self.board, self.numbers
        builds = [self._builds_in(code) for code in self.provinces]
        yield "builds", "H", (number for own in builds for build in own for number in build)
        yield "first_build", "H", accumulate(map(len, builds), initial=0)
        attributes = self.profile.declared.attributes.values()
        defaults = (one.values.index(one.default) if one.default else 0 for one in attributes)
        yield "default_values", "H", defaults
        yield "distance", "H", self._distances()
        names = [letters_of(board.provinces[code].name) for code in numbers.provinces]
        ranks = {name: rank for rank, name in enumerate(sorted(set(names)))}
        yield "name_rank", "H", (ranks[name] for name in names)
        yield "kind_rank", "B", map(rank_of_kind, numbers.kinds)
        garrisons = starmap(unit_reader(board, self.profile.words), board.garrisons)
        yield (
            "garrisons",
            "H",
            (number for unit in garrisons for number in unit_numbers(numbers, unit)),
        )

    def _builds_in(self, code: str) -> list[tuple[int, int]]:
        """The possible builds in a province, as numbers of kind and location, in the order of
        `dipsat.game.order_choices`."""
        province = self.board.provinces[code]
        return [
            (at, self.number_of[place])
            for at, kind in enumerate(self.kinds)
            if kind.stands_in(province.kind)
            for place in (province.locations if kind.has_coasts else (code,))
        ]

    def _distances(self) -> Iterator[int]:
        """The number of moves from each province to every other, over land and water alike."""
        beside = {code: by_land_or_water(self.board, code) for code in self.provinces}
        for start in self.provinces:
            far, reached = {start: 0}, [start]
            for at in reached:
                for near in beside[at]:
                    if near not in far:
                        far[near] = far[at] + 1
                        reached.append(near)
            yield from (far.get(code, _FAR) for code in self.provinces)


def what_python_does(profile: Profile) -> dict[str, str]:
    """The work that compiled code leaves to dipsat's Python under a profile, with the reason."""
    settings, found = profile.settings, dict[str, str]()
    conditions = settings.conditions or Conditions({}, {})
    if settings.convoy_path == "required":
        found["orders"] = "moves by convoy need a path, and paths have no codes"
    if any(one.cargo.has_coasts for one in profile.words.carriages):
        found["orders"] = "units that stand on coasts can be convoyed"
    if conditions.are_about("Retreat"):
        found["retreats"] = "the rules have conditions on retreats"
    elif _is_unlike_standard(profile):
        found["retreats"] = "`retreat_succeeds` differs from the standard rules"
    if COUNTS_FOR in conditions:
        found["phases"] = f"the rules have a condition `{COUNTS_FOR}`"
    for name in (CAPTURES, BUILDS_IN):
        if name in conditions:
            found["adjustments"] = f"the rules have a condition `{name}`"
    if conditions.are_about("Build"):
        found["adjustments"] = "the rules have conditions on builds"
    if not all(one.default for one in profile.declared.attributes.values()):
        found["adjustments"] = "new units have attributes without a default"
    return found


def _is_unlike_standard(profile: Profile) -> bool:
    """Whether retreats do not simply succeed if, and only if, no other unit retreats to the same
    province."""
    result = profile.results.get("retreat_succeeds")
    match result and result.expression:
        case Not(part=Predicate(op="some", domains=(Fact(name="rivals"),))):
            return False
    return True
