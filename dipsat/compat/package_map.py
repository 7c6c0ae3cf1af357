"""Maps as the package `diplomacy` describes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any

from dipsat.base import grouped
from dipsat.board import DEFAULT_MAP, Map as Board, coast_of, load_map, province_of
from dipsat.compat.missing_names import missing
from dipsat.formats import PROGRAM, short_name, variant_of
from dipsat.game import SEASON_WORDS, PhaseKind, PhaseName

_TYPES = {"land": "LAND", "coast": "COAST", "sea": "WATER"}
_SHUT = "SHUT"
_KIND_WORDS = {"M": "MOVEMENT", "R": "RETREATS", "A": "ADJUSTMENTS"}
_SEQUENCE = (("S", "M"), ("S", "R"), ("F", "M"), ("F", "R"), ("W", "A"))
_UNKNOWN_PHASE = "?????"
_SHORT_WORDS = {
    "ARMY": "A", "FLEET": "F", "SUPPORT": "S", "SUPPORTS": "S", "CONVOY": "C", "CONVOYS": "C",
    "HOLD": "H", "HOLDS": "H", "RETREAT": "R", "RETREATS": "R", "BUILD": "B", "BUILDS": "B",
    "DISBAND": "D", "DISBANDS": "D", "REMOVE": "D", "THE": "", "TO": "", "-": "",
}  # fmt: skip


class Map:
    """The places, borders and powers of a map.

    Among the neighbours of a coastal province, places that only armies can reach are in lower case.
    So are provinces with several coasts as places for armies.
    """

    def __init__(self, name: str = DEFAULT_MAP, use_cache: bool = True) -> None:
        self.name = self.root_map = name
        self.board = board = _board(name)
        self.powers = list(board.powers)
        setups = [board.powers[power] for power in self.powers]
        self.homes = {one.name: list(one.home) for one in setups}
        self.centers = {one.name: list(one.centers) for one in setups}
        self.units = {one.name: list(one.start) for one in setups}
        homes = [code for owned in self.homes.values() for code in owned]
        self.scs = [*dict.fromkeys((*homes, *board.centers))]
        majority = len(board.centers) // 2 + 1
        self.victory = None if board.victory in (None, majority) else [board.victory]
        first = PhaseName.parse(board.first_phase)
        self.phase, self.first_year = long_name(first), first.year
        self.abbrev: dict[str, str] = {}
        self.owns: list[str] = []
        self.inhabits: list[str] = []
        self.dummies = sorted(board.neutrals)
        self.rules: list[str] = []
        self.error: list[str] = []
        self.files = [name]
        self.flow = ["SPRING:MOVEMENT,RETREATS", "FALL:MOVEMENT,RETREATS", "WINTER:ADJUSTMENTS"]
        self.seq = [
            "NEWYEAR",
            *(f"{SEASON_WORDS[s].upper()} {_KIND_WORDS[k]}" for s, k in _SEQUENCE),
        ]
        self.flow_sign = 1
        self.phase_abbrev = dict(_KIND_WORDS)
        self.unit_names = {"A": "ARMY", "F": "FLEET"}
        self.unclear: dict[str, str] = {}
        self.pow_name = {power: power for power in self.powers}
        self.own_word = {one.name: next(iter(one.aliases), one.name).upper() for one in setups}

    def __repr__(self) -> str:
        return f"Map({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: object) -> Map:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return map_named, (self.name,)

    def __getattr__(self, name: str) -> Any:
        raise missing("Map", name)

    # --- places -----------------------------------------------------------------------------------

    @cached_property
    def locs(self) -> list[str]:
        """Every place. A province with several coasts comes after its coasts, in lower case."""
        found: list[str] = []
        for one in self.board.provinces.values():
            found += [*one.locations, one.code.lower()] if one.coasts else [one.code]
        return [*found, *self.board.impassable]

    @cached_property
    def places(self) -> list[str]:
        """The same in upper case."""
        return [place.upper() for place in self.locs]

    @cached_property
    def near_coasts(self) -> dict[str, dict[str, list[str]]]:
        """Unit -> the provinces with several coasts that it can reach without a convoy, each with
        the coasts that a fleet reaches."""
        found: dict[str, dict[str, list[str]]] = {}
        for at, near in self.board.army.items():
            found[f"A {at}"] = {to: [] for to in near if self.board.provinces[to].coasts}
        for at, near in self.board.fleet.items():
            coasts = ((province_of(to), to) for to in sorted(near) if "/" in to)
            found[f"F {at}"] = grouped(coasts)
        return found

    @cached_property
    def loc_type(self) -> dict[str, str]:
        """Place, as in `locs` -> LAND, COAST, WATER, or SHUT for land that no unit can enter."""
        provinces = self.board.provinces
        return {
            place: _SHUT if place in self.board.impassable
            else _TYPES[provinces[province_of(place.upper())].kind]
            for place in self.locs
        }  # fmt: skip

    @cached_property
    def loc_coasts(self) -> dict[str, list[str]]:
        """Place in upper case -> all places of its province."""
        found = {
            place: [*one.locations, one.code] if one.coasts else [one.code]
            for one in self.board.provinces.values()
            for place in dict.fromkeys((*one.locations, one.code))
        }
        return {**found, **{code: [code] for code in self.board.impassable}}

    @cached_property
    def loc_name(self) -> dict[str, str]:
        """Name in upper case -> place."""
        board = self.board
        found: dict[str, str] = {}
        for one in board.provinces.values():
            name = one.name.upper().replace(".", "")
            for coast in one.coasts:
                words = [word for word in board.coast_names[coast] if word.endswith(" coast")]
                found[f"{name} ({words[0].upper() if words else coast})"] = f"{one.code}/{coast}"
            found[name] = one.code
        return {**found, **{name.upper(): code for code, name in board.impassable.items()}}

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Every name that people type, in upper case -> place."""
        found = {
            alias.upper(): one.code
            for one in self.board.provinces.values()
            for alias in (one.name, *one.aliases)
        }
        return {**found, **self.loc_name}

    @cached_property
    def loc_abut(self) -> dict[str, list[str]]:
        """Place, as in `locs` -> its neighbours."""
        return {place: self._neighbours(place) for place in self.locs}

    def _neighbours(self, place: str) -> list[str]:
        board, code = self.board, province_of(place.upper())
        if code in board.impassable:
            return []
        by_land = board.army.get(code, frozenset())
        if place.islower():  # a province with several coasts
            seas = {s for own in board.provinces[code].locations for s in board.fleet.get(own, ())}
            return sorted({*by_land, *(s for s in seas if s in board.seas)})
        by_sea = board.fleet.get(place, frozenset())
        found = set(by_sea)
        if "/" not in place:
            reached = {province_of(one) for one in by_sea}
            for other in by_land - reached:
                are_coastal = board.provinces[code].kind == board.provinces[other].kind == "coast"
                found.add(other.lower() if are_coastal else other)
        return sorted(found, key=str.upper)

    @cached_property
    def dest_with_coasts(self) -> dict[str, list[str]]:
        """Place in upper case -> the places of its neighbours."""
        return {
            place: [*dict.fromkeys(
                one for near in self.abut_list(place) for one in self.find_coasts(near)
            )]
            for place in self.loc_coasts
        }  # fmt: skip

    def find_coasts(self, loc: str) -> list[str]:
        """Return all places in the province of a place."""
        return self.loc_coasts.get(loc.upper(), [])

    def area_type(self, loc: str) -> str | None:
        """Return the type of a place, as in `loc_type`."""
        return self.loc_type.get(loc.upper()) or self.loc_type.get(loc.lower())

    def abut_list(self, site: str, incl_no_coast: bool = False) -> list[str]:
        """Return the neighbours of a place, perhaps with the provinces of coasts among them."""
        found = self.loc_abut.get(site, self.loc_abut.get(site.lower(), []))
        if not incl_no_coast:
            return [*found]
        return [*dict.fromkeys((*found, *(province_of(one) for one in found)))]

    def abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> int:
        """Return 1 if a unit (A, F, or ? for either) can reach a place for a move (-), a support
        (S) or a convoy (C), else 0."""
        board, here, there = self.board, unit_loc.upper(), other_loc.upper()
        if order_type == "C":
            near = self.abut_list(here)
            if unit_type != "A" and here in board.fleet and there in near:
                return int(unit_type == "?" or self.area_type(there) != "LAND")
            can_stand = unit_type != "F" and here not in board.seas
            provinces = {province_of(one).upper() for one in near}
            return int(can_stand and not coast_of(here) and there in provinces)
        reached = set[str]()
        if unit_type in ("F", "?"):
            reached |= board.fleet.get(here, frozenset())
        if unit_type in ("A", "?"):
            reached |= board.army.get(here, frozenset())
        if order_type == "S":
            return int(province_of(there) in {province_of(one) for one in reached})
        return int(there in reached)

    def is_valid_unit(self, unit: str, no_coast_ok: int = 0, shut_ok: int = 0) -> bool:
        """Return whether a unit such as `A PAR` can be in its place."""
        kind, _, place = unit.upper().partition(" ")
        province = self.board.provinces.get(province_of(place))
        if province is None:
            return bool(shut_ok) and place in self.board.impassable
        if kind == "A":
            return province.kind != "sea" and not coast_of(place)
        if kind != "F" or province.kind == "land":
            return False
        return place in province.locations or (bool(no_coast_ok) and place == province.code)

    def default_coast(self, word: Sequence[str]) -> list[str]:
        """Return the words of a fleet's move, with the coast added if it can reach only one."""
        found = [*word]
        if len(found) == 4 and found[0] == "F" and found[2] == "-" and not coast_of(found[3]):
            near = self.board.fleet.get(found[1], frozenset())
            reached = [one for one in near if province_of(one) == found[3]]
            if len(reached) == 1:
                found[3] = reached[0]
        return found

    # --- names ------------------------------------------------------------------------------------

    def norm(self, phrase: str) -> str:
        """Return a phrase in capitals, with letters in place of the words for units and orders."""
        text = re.sub(r"[.,:;]", "", phrase.upper())
        text = re.sub(r"([()/])", lambda sign: f" {sign[0]}{'' if sign[0] == '/' else ' '}", text)
        words = [
            _SHORT_WORDS.get(word, f"/{word}" if word in self.board.coast_names else word)
            for word in text.replace("-", " - ").split()
        ]
        return " ".join(filter(None, words))

    def norm_power(self, power: str) -> str:
        """Return the name of a power in capitals."""
        name = power.strip().upper()
        if name in self.powers:
            return name
        named = {theirs: ours for ours, theirs in variant_of(PROGRAM, self.name).powers.items()}
        return named.get(name, name.replace(" ", ""))

    # --- phases -----------------------------------------------------------------------------------

    def find_next_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Return the long name of the next phase, perhaps the next of a kind (M, R, A), after
        skipping `skip` of them."""
        return self._beside(phase, phase_type, skip, 1)

    def find_previous_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Return the long name of the previous phase, like `find_next_phase`."""
        return self._beside(phase, phase_type, skip, -1)

    def _beside(self, phase: str, phase_type: str | None, skip: int, step: int) -> str:
        now = PhaseName.find(phase)
        if now is None:
            return phase
        number = now.year * len(_SEQUENCE) + _SEQUENCE.index((now.season, now.kind.value))
        while True:
            number += step
            year, index = divmod(number, len(_SEQUENCE))
            season, kind = _SEQUENCE[index]
            if phase_type in (None, kind):
                if skip <= 0:
                    return long_name(PhaseName(season, year, PhaseKind(kind)))
                skip -= 1

    @staticmethod
    def phase_abbr(phase: str, default: str = _UNKNOWN_PHASE) -> str:
        """Return the short name of a phase."""
        if phase in ENDS:
            return phase
        found = PhaseName.find(phase)
        return default if found is None else short_name(str(found))

    def phase_long(self, phase_abbr: str, default: str = _UNKNOWN_PHASE) -> str:
        """Return the long name of a phase."""
        if phase_abbr in ENDS:
            return phase_abbr
        found = PhaseName.find(phase_abbr)
        return default if found is None else long_name(found)

    def compare_phases(self, phase1: str, phase2: str) -> int:
        """Return -1, 0 or 1 if the first phase is earlier, the same or later."""
        first, second = self._number(phase1), self._number(phase2)
        return (first > second) - (first < second)

    def _number(self, phase: str) -> int:
        if phase in ENDS:
            return -1 if phase == ENDS[0] else 10**9
        found = PhaseName.parse(phase)
        return found.year * len(_SEQUENCE) + _SEQUENCE.index((found.season, found.kind.value))


ENDS = ("FORMING", "COMPLETED")
"""The names used as phases before and after a game."""


def long_name(phase: PhaseName) -> str:
    """The name of a phase in words, in capitals."""
    return f"{SEASON_WORDS[phase.season].upper()} {phase.year} {_KIND_WORDS[phase.kind.value]}"


@lru_cache(maxsize=16)
def map_named(name: str) -> Map:
    """The map with a name, which games share."""
    return Map(name)


def _board(name: str) -> Board:
    """The map with a name in the package or in dipsat. A variant that begins with other units than
    its map has no map here."""
    found = variant_of(PROGRAM, name)
    return load_map(name if found.rules else found.map)


def places_in(locations: Iterable[str]) -> list[str]:
    """The provinces of locations, sorted."""
    return sorted({province_of(one) for one in locations})
