"""What the compiled code needs to know of a map and a profile besides `MapTables`: to list legal
orders, and for retreats, builds and victory."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

from dipsat.game.distance import by_land_or_water, letters_of, rank_of_kind
from dipsat.game.next_phase import centers_to_win
from dipsat.game.position import unit_reader
from dipsat.kernel.numbers import MapNumbers
from dipsat.kernel.tables import MAX_CARRIAGES, MapTables
from dipsat.language.syntax import Fact, Not, Predicate, Quantifier
from dipsat.profiles.profile import Profile
from dipsat.profiles.settings import BUILDS_IN, CAPTURES, COUNTS_FOR

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
        of `dipsat.game.legal_orders`."""
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
