"""A map, and the settings of a profile, as the tables that the compiled code reads.

Every table is made by asking the functions that the Python path asks, so the rules on coasts and
convoys stand in one place.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partialmethod
from itertools import chain, starmap
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
from dipsat.kernel.numbers import NOBODY, NOWHERE, SEASONS, DeclinedError, MapNumbers
from dipsat.kernel.source import KernelSource
from dipsat.orders import unit_of
from dipsat.rules import (
    BUILDS_IN,
    CAPTURES,
    COUNTS_FOR,
    FACTS,
    Fact,
    Not,
    Predicate,
    Profile,
    Quantifier,
    asks_for_places,
)

_UNKNOWN_POWER = 254  # a power that the rules name and the map does not have
MAX_COASTS, MAX_NEXT, MAX_POWERS, MAX_KINDS, MAX_CARRIAGES = 4, 64, 64, 8, 8
_KINDS_OF_PROVINCE = ("land", "coast", "sea")
_COASTS = ("illegal", "first", "amended")
_SUPPORT_COASTS = ("optional", "required", "own", "ignored", "first")
_ADJACENT = ("intent", "explicit", "opposed", "always")
_VIA = ("stays", "by land", "by land without path", "by land as via")


class _Settings(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_int32)
        for name in (
            "coast_of_two", "coast_of_one", "coast_impossible", "support_coast",
            "adjacent_convoy", "via_without_convoy", "path_required", "illegal_orders_count",
            "disorder_refused", "implicit_orders", "every_province", "rules_on_orders",
        )
    ]  # fmt: skip


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
        pointer, place_set = ctypes.c_void_p, ctypes.c_uint64 * self.words
        by_season: Any = place_set * len(SEASONS)
        carriage: Any = type("Carriage", (ctypes.Structure,), {"_fields_": [
            ("carrier", ctypes.c_int32), ("cargo", ctypes.c_int32), ("carrying", by_season),
            ("shores", pointer), ("links", pointer),
        ]})  # fmt: skip
        counts = (
            "provinces", "locations", "powers", "kinds", "carriages", "features", "cargoes",
        )  # fmt: skip
        before = ("province_of", "kind_of", "supply", "homes", "stands", "has_coasts", "reached")
        after = (
            "coasts_near", "landings", "coast_bit", "coasts", "default_coast", "bare", "along",
            "water", "features_of_places", "features_of_borders", "features_of_powers",
            "code_numbers", "power_numbers",
        )  # fmt: skip
        shape = type("MapStructure", (ctypes.Structure,), {"_fields_": [
            *((name, ctypes.c_int32) for name in counts),
            ("neutrals", ctypes.c_uint64),
            ("settings", _Settings),
            ("every_place", place_set),
            *((name, pointer) for name in (*before, "next", "meant")),
            ("supported", pointer * 2),
            *((name, pointer) for name in after),
            ("carriage", carriage * MAX_CARRIAGES),
        ]})  # fmt: skip
        found: ctypes.Structure = shape()
        self._fill(found)
        return found

    def _fill(self, found: Any) -> None:
        board, codes, numbered = self.board, self.provinces, self.source.numbered
        found.provinces, found.locations = len(codes), len(self.locations)
        found.powers, found.kinds = len(self.powers), len(self.kinds)
        found.features = len(numbered.features)
        found.neutrals = self._powers(board.neutrals)
        found.settings = self._settings()
        found.every_place[:] = self._words(self._mask(codes))
        provinces = [board.provinces[code] for code in codes]
        found.province_of = self._u16(self.number_of[province_of(at)] for at in self.locations)
        found.kind_of = self._u8(_KINDS_OF_PROVINCE.index(one.kind) for one in provinces)
        found.supply = self._u8(int(one.supply) for one in provinces)
        found.homes = self._u64(self._powers(board.homes.get(code, ())) for code in codes)
        pairs = [(kind, at) for kind in self.kinds for at in self.locations]
        found.stands = self._u8(int(self.numbers.stands(*pair)) for pair in pairs)
        found.has_coasts = self._u8(int(kind.has_coasts) for kind in self.kinds)
        found.reached = self._places(board.reach_provinces(*pair) for pair in pairs)
        found.next = self._u16(chain.from_iterable(starmap(self._next, pairs)))
        targets = Targets(board, self.profile.settings, ())
        near = [tuple(self._near(*pair)) for pair in pairs]

        def own(kind: UnitKind, location: str, target: str) -> str:
            return targets.own(unit_of("X", kind, location), target)[0]

        found.meant = self._i16(self._each_target(pairs, near, own))
        for at, power in enumerate(("", "X")):  # of another power, and of the unit's own
            found.supported[at] = self._i16(
                self._each_target(pairs, near, self._supported_target(targets, power))
            )
        found.coasts_near = self._u8(chain.from_iterable(starmap(self._coasts_near, pairs)))
        found.coast_bit = self._u8(map(self._coast_bit, self.locations))
        found.coasts = self._u16(number for code in codes for number in self._coasts(code))
        found.default_coast = self._u16(self.number_of[one.default_location] for one in provinces)
        found.bare = self._i16(map(self._bare, self.locations))
        found.along = self._places(map(self._along, codes))
        found.water = self._places(board.water.get(code, ()) for code in codes)
        found.code_numbers = self._i16(self.number_of.get(code, -1) for code in numbered.codes)
        found.power_numbers = self._i16(map(self._power_number, numbered.powers))
        self._fill_features(found)
        self._fill_carriages(found)

    def _settings(self) -> _Settings:
        settings = self.profile.settings
        on_orders = any(
            len(one.indices) == 1 and str(one.indices[0].type) in ("Move", "Support", "Convoy")
            for one in self.profile.legal.values()
        )
        return _Settings(
            _COASTS.index(settings.coast_of_two_omitted),
            _COASTS.index(settings.coast_of_one_omitted),
            _COASTS.index(settings.coast_impossible),
            _SUPPORT_COASTS.index(settings.support_coast),
            _ADJACENT.index(settings.adjacent_convoy),
            _VIA.index(settings.via_without_convoy),
            int(settings.convoy_path == "required"),
            int(settings.legal != "position"),
            int(settings.disorder_support == "refused"),
            int(settings.implicit_orders == "deduced"),
            int(asks_for_places(self.profile)),
            int(on_orders),
        )

    def _fill_features(self, found: Any) -> None:
        board, codes = self.board, self.provinces
        places, borders, powers = [], [], []
        for name, about in self.source.numbered.features:
            places.append([code for code in codes if about == 1 and board.has_feature(name, code)])
            borders += [self._beyond(name, code) if about == 2 else [] for code in codes]
            owners = [p for p in self.powers if about == 0 and board.has_power_feature(name, p)]
            powers.append(self._powers(owners))
        found.features_of_places = self._places(places)
        found.features_of_borders = self._places(borders)
        found.features_of_powers = self._u64(powers)

    def _beyond(self, name: str, code: str) -> Iterable[str]:
        """The provinces beyond such a border, or those of a word that the map alone decides."""
        kind, _, fact = name.rpartition(".")
        on_map = FACTS[kind][fact].on_map if kind else None
        if on_map is None:
            return [other for other in self.provinces if self.board.has_feature(name, code, other)]
        return on_map(self.board, code)  # type: ignore[no-any-return]  # provinces

    def _fill_carriages(self, found: Any) -> None:
        carriages = self.profile.words.carriages
        found.carriages = len(carriages)
        found.cargoes = sum(
            1 << self.kinds.index(kind) for kind in {one.cargo for one in carriages}
        )
        shores = {kind: set[str]() for kind in self.kinds}  # where a convoy could land
        for at, one in enumerate(carriages):
            net, row = self.board.convoy_net(one), found.carriage[at]
            row.carrier, row.cargo = self.kinds.index(one.carrier), self.kinds.index(one.cargo)
            for season, letter in enumerate(SEASONS):
                row.carrying[season][:] = self._words(self._mask(self._carrying(one, letter)))
            shores[one.cargo].update(at for at, seas in net.shores.items() if seas)
            row.shores = self._places(net.shores.get(place, ()) for place in self.locations)
            row.links = self._places(net.links.get(code, ()) for code in self.provinces)
        found.landings = self._u8(
            sum(self._coast_bit(at) for at in self._locations(code) if at in shores[kind])
            for kind in self.kinds
            for code in self.provinces
        )

    def _carrying(self, carriage: Carriage, season: str) -> frozenset[str]:
        phase = PhaseName(season, 1, PhaseKind.MOVEMENT)
        return convoy_places(self.board, phase, self.profile.settings, carriage)

    def _along(self, code: str) -> set[str]:
        """The provinces on the lines of the map on which a province is, where orders follow
        them."""
        kinds = self.profile.declared.kinds.values()
        lines = (self.board.lines.get(kind.kind.line) for kind in kinds if kind.kind.line)
        return {
            other
            for line in lines
            if line is not None and code in line.provinces
            for other in line.provinces
        }

    # --- targets ----------------------------------------------------------------------------------

    def _next(self, kind: UnitKind, location: str) -> list[int]:
        numbers = [self.number_of[one] for one in self.numbers.next_to(kind, location)]
        return numbers + [NOWHERE] * (MAX_NEXT - len(numbers))

    def _coasts_near(self, kind: UnitKind, location: str) -> bytearray:
        """For each province, its locations that a unit can reach, as bits."""
        found = bytearray(len(self.provinces))
        for near in self.numbers.next_to(kind, location):
            found[self.number_of[province_of(near)]] |= self._coast_bit(near)
        return found

    def _coast_bit(self, location: str) -> int:
        """The bit of a location among those in its province; a province without one has none."""
        listed = self._locations(province_of(location))
        return 1 << listed.index(location) if location in listed else 0

    def _coasts(self, code: str) -> list[int]:
        """The locations in a province, as its file lists them."""
        numbers = [self.number_of[one] for one in self._locations(code)]
        return numbers + [NOWHERE] * (MAX_COASTS - len(numbers))

    def _locations(self, code: str) -> tuple[str, ...]:
        return tuple(self.board.provinces[code].locations)

    def _each_target(
        self,
        pairs: Iterable[tuple[UnitKind, str]],
        near: Iterable[Iterable[str]],
        meant: Callable[[UnitKind, str, str], str],
    ) -> Iterator[int]:
        """The number of the location that is meant, -1 if there is none: only the targets `near`
        can mean one."""
        for (kind, location), targets in zip(pairs, near, strict=True):
            row = [-1] * len(self.locations)
            for target in targets:
                with suppress(IllegalError):
                    row[self.number_of[target]] = self.number_of[meant(kind, location, target)]
            yield from row

    def _near(self, kind: UnitKind, location: str) -> Iterator[str]:
        """The locations in provinces that a unit can reach without a convoy, or along a line.

        A unit gets elsewhere by convoy at most, which these tables leave out. To ask about each
        location whether that is so would take most of the time in which the tables are made."""
        if not self.numbers.stands(kind, location):
            return iter(())
        near = self.board.reach_provinces(kind, location) | self._along(province_of(location))
        return chain.from_iterable(self._all_locations[code] for code in near)

    @cached_property
    def _all_locations(self) -> dict[str, list[str]]:
        """Province -> the locations in it, and itself."""
        return grouped((province_of(at), at) for at in self.locations)

    def _supported_target(
        self, targets: Targets, power: str
    ) -> Callable[[UnitKind, str, str], str]:
        """Where a supported move leads, for a support by a unit of a power; a province stands for
        any of its coasts."""

        def meant(kind: UnitKind, location: str, target: str) -> str:
            if not kind.has_coasts:
                return self._on_no_coast(kind, location, target)
            by, other = unit_of(power, kind, location), unit_of("X", kind, location)
            return targets.supported(by, target, other)

        return meant

    def _on_no_coast(self, kind: UnitKind, location: str, target: str) -> str:
        """Where the supported move of a unit that stands on no coast leads by land."""
        place = province_of(target)
        known = self.board.reach_provinces(kind, location) | self._along(province_of(location))
        if self._bare(target) < 0 or place not in known:
            raise IllegalError("", "")
        return place

    def _bare(self, target: str) -> int:
        """The province that is meant by the target of a unit that stands on no coast."""
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

    def _mask(self, codes: Iterable[str]) -> int:
        return sum(1 << self.number_of[code] for code in codes)

    def _words(self, mask: int) -> list[int]:
        return [mask >> 64 * at & (2**64 - 1) for at in range(self.words)]

    def _places(self, sets: Iterable[Iterable[str]]) -> int:
        return self._u64(word for codes in sets for word in self._words(self._mask(codes)))

    def _array(self, kind: str, values: Iterable[int]) -> int:
        """The address of an array that lives as long as these tables."""
        found = array(kind, values) or array(kind, (0,))
        self._kept.append(found)
        return found.buffer_info()[0]

    _u64 = partialmethod(_array, "Q")
    _u16 = partialmethod(_array, "H")
    _i16 = partialmethod(_array, "h")
    _u8 = partialmethod(_array, "B")


_BUILD = ("home", "any", "any-if-home-owned", "home-any")
_DISORDER = ("owned", "home")
_FAR = 0xFFFF
CLASHES = "retreats to one province"

_COUNTS = (
    "waive", "to_win", "build_rule", "change_after_moves", "disorder",
    "has_summer", "lists_moves", "settles_retreats", "settles_clashes",
    "settles_winters", "first_builds_count", "first_disbands_count", "garrison_count",
)  # fmt: skip
_ARRAYS = (
    "builds", "first_build", "default_values", "distance", "name_rank", "kind_rank", "garrisons",
)  # fmt: skip


class _GameMap(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int32) for name in _COUNTS),
        *((name, ctypes.c_void_p) for name in _ARRAYS),
        ("landings", ctypes.c_void_p * MAX_CARRIAGES),
    ]


class GameTables:
    """The structure `game_map` of `dipsat/kernel/runtime/orders.h`, and what Python does."""

    def __init__(self, tables: MapTables, profile: Profile) -> None:
        self.numbers: MapNumbers = tables.numbers
        self.profile = profile
        self._tables = tables
        self.left_to_python: dict[str, str] = what_python_does(profile)
        """What the compiled code does not do -> why (see `Batch.left_to_python`)."""
        self.structure = _GameMap()
        self._fill(self.structure)

    def _fill(self, found: Any) -> None:
        board, settings = self.numbers.board, self.profile.settings
        build = settings.build_where
        found.waive = int(settings.waive == "allowed")
        found.to_win = centers_to_win(board, settings) or 0
        found.build_rule = _BUILD.index(board.build if build == "map" else build)
        found.change_after_moves = int(settings.centers_change == "after moves")
        rule = settings.civil_disorder
        found.disorder = _DISORDER.index(rule) if rule in _DISORDER else len(_DISORDER)
        found.has_summer = int(bool(self.profile.words.extra_seasons))
        found.lists_moves = int("orders" not in self.left_to_python)
        found.settles_retreats = int("retreats" not in self.left_to_python)
        found.settles_clashes = int(CLASHES not in self.left_to_python)
        found.settles_winters = int("adjustments" not in self.left_to_python)
        builds = (settings.builds_too_many, settings.builds_in_one_place)
        found.first_builds_count = int(builds == ("first", "first"))
        found.first_disbands_count = int(settings.disbands_too_many == "first")
        tables = self._tables
        starts, rows = [0], list[int]()
        for code in self.numbers.provinces:
            rows += [number for build in self.builds_in(code) for number in build]
            starts.append(len(rows) // 2)
        found.builds, found.first_build = tables._u16(rows), tables._u16(starts)
        found.default_values = tables._u16(
            one.values.index(one.default) if one.default else 0
            for one in self.profile.declared.attributes.values()
        )
        found.distance = tables._u16(
            far for code in self.numbers.provinces for far in self._distances(code)
        )
        names = [letters_of(board.provinces[code].name) for code in self.numbers.provinces]
        ranks = {name: rank for rank, name in enumerate(sorted(set(names)))}
        found.name_rank = tables._u16(ranks[name] for name in names)
        found.kind_rank = tables._u8(map(rank_of_kind, self.numbers.kinds))
        garrisons = [unit_reader(board, self.profile.words)(*one) for one in board.garrisons]
        found.garrison_count = len(garrisons)
        found.garrisons = tables._u16(
            number
            for unit in garrisons
            for number in (
                self.numbers.number_of_power[unit.power],
                self.numbers.kinds.index(unit.kind),
                self.numbers.number_of[unit.location],
            )
        )
        for at, one in enumerate(self.profile.words.carriages):
            if not one.cargo.has_coasts:
                net = board.convoy_net(one)
                landings = (net.ashore_from(code) for code in self.numbers.provinces)
                found.landings[at] = tables._places(landings)

    def builds_in(self, code: str) -> list[tuple[int, int]]:
        """The units that can be built in a province, as numbers of kind and location, in the order
        of `dipsat.game.order_choices`."""
        province, number = self.numbers.board.provinces[code], self.numbers.number_of
        return [
            (at, number[place])
            for at, kind in enumerate(self.numbers.kinds)
            if kind.stands_in(province.kind)
            for place in (province.locations if kind.has_coasts else (code,))
        ]

    def _distances(self, start: str) -> Iterable[int]:
        """The moves from a province to every other, over land and water alike."""
        board = self.numbers.board
        far, reached = {start: 0}, [start]
        for at in reached:
            for near in by_land_or_water(board, at):
                if near not in far:
                    far[near] = far[at] + 1
                    reached.append(near)
        return [far.get(code, _FAR) for code in self.numbers.provinces]


def what_python_does(profile: Profile) -> dict[str, str]:
    """What the compiled code leaves to dipsat's Python under a profile, with the reason."""
    settings, found = profile.settings, dict[str, str]()
    conditions = settings.conditions
    if settings.convoy_path == "required":
        found["orders"] = "moves by convoy need a path, and paths have no codes"
    if any(one.cargo.has_coasts for one in profile.words.carriages):
        found["orders"] = "units that stand on coasts can be convoyed"
    if conditions is not None and conditions.are_about("Retreat"):
        found["retreats"] = "the rules have conditions on retreats"
    elif not _alone_succeeds(profile):
        found["retreats"] = "`retreat_succeeds` can fail a unit that retreats alone"
    elif not _is_standard(profile):
        found[CLASHES] = "`retreat_succeeds` is not that of the standard rules"
    if conditions is not None and COUNTS_FOR in conditions:
        found["phases"] = f"the rules have a condition `{COUNTS_FOR}`"
    for name in (CAPTURES, BUILDS_IN):
        if conditions is not None and name in conditions:
            found["adjustments"] = f"the rules have a condition `{name}`"
    if conditions is not None and conditions.are_about("Build"):
        found["adjustments"] = "the rules have conditions on builds"
    if not all(one.default for one in profile.declared.attributes.values()):
        found["adjustments"] = "new units have attributes without a default"
    return found


def _alone_succeeds(profile: Profile) -> bool:
    """Whether a retreat surely succeeds if no other unit retreats to the same province."""
    result = profile.results.get("retreat_succeeds")
    if result is None:
        return False
    inner = result.expression
    if isinstance(inner, Quantifier) and inner.op == "all":
        return isinstance(inner.domain, Fact) and inner.domain.name == "rivals"
    return _is_standard(profile)


def _is_standard(profile: Profile) -> bool:
    """Whether a retreat succeeds only if no other unit retreats to the same province."""
    result = profile.results.get("retreat_succeeds")
    if result is None or not isinstance(result.expression, Not):
        return False
    inner = result.expression.part
    if not isinstance(inner, Predicate) or inner.op != "some" or len(inner.domains) != 1:
        return False
    (rivals,) = inner.domains
    return isinstance(rivals, Fact) and rivals.name == "rivals"
