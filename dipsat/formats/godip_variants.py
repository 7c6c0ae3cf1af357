"""The variants of godip, and what its programs call powers, provinces and turns, from
`rules/godip.yaml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from dipsat.base import data_folder, parse_yaml, read_text, titled
from dipsat.board import Map, coast_of, load_map, province_of
from dipsat.errors import UnknownNameError
from dipsat.game import PhaseKind, PhaseName
from dipsat.rules import DEFAULT_RULES, load_profile

_SEASONS = {"S": "Spring", "F": "Fall", "W": "Fall"}
"""The season of a phase -> its season in godip, which has no winter."""
GODIP_TYPES = {
    "Movement": PhaseKind.MOVEMENT,
    "Retreat": PhaseKind.RETREAT,
    "Adjustment": PhaseKind.ADJUSTMENT,
}
"""Type of a phase in godip -> its kind."""
GODIP_KINDS = {"Army": "A", "Fleet": "F"}
"""Type of a unit in godip -> its kind."""
_YEAR = "Year"


@dataclass(frozen=True, slots=True)
class Stated:
    """What `rules/godip.yaml` says about a variant."""

    map: str
    rules: str = DEFAULT_RULES
    years: int = 0
    provinces: Mapping[str, str] = field(default_factory=dict)
    nations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GodipTable:
    """The whole file: the variants by name, and the results by type of order and code of the
    reason."""

    variants: Mapping[str, Stated]
    results: Mapping[str, Mapping[str, str]]


@lru_cache(maxsize=1)
def godip_table() -> GodipTable:
    """What `rules/godip.yaml` says."""
    path = data_folder("rules") / "godip.yaml"
    found: dict[str, Any] = parse_yaml(read_text(path), str(path)).plain()
    variants = {name: Stated(**stated) for name, stated in found["variants"].items()}
    return GodipTable(variants, found["results"])


class GodipVariant:
    """A variant of godip: its map and rules, and its names for things on the map."""

    def __init__(self, name: str, stated: Stated) -> None:
        self.name = name
        self.map: Map = load_map(stated.map)
        self.rules = load_profile(stated.rules)
        self.years = stated.years
        self.nations = {
            power: stated.nations.get(power, titled(power)) for power in self.map.powers
        }
        self._powers = {nation: power for power, nation in self.nations.items()}
        self._codes = {
            code: stated.provinces.get(code, code.lower()) for code in self.map.provinces
        }
        self._provinces = {code: province for province, code in self._codes.items()}
        self._first_year = PhaseName.parse(self.map.first_phase).year

    @property
    def seasons(self) -> tuple[str, ...]:
        """The seasons of its turns."""
        return (_YEAR,) if self.years else ("Spring", "Fall")

    def code(self, location: str) -> str:
        """What godip calls a location, such as `stp/sc`."""
        coast = coast_of(location)
        code = self._codes[province_of(location)]
        return f"{code}/{coast.lower()}" if coast else code

    def location(self, code: str) -> str | None:
        """The location with a code in godip; None if the map has none."""
        name, slash, coast = code.partition("/")
        province = self._provinces.get(name)
        if province is None:
            return None
        location = f"{province}/{coast.upper()}" if slash else province
        coasts = self.map.provinces[province].coasts
        return location if not slash or coast.upper() in coasts else None

    def located(self, code: str) -> str:
        """The location with a code in godip; the code itself if the map has none."""
        return self.location(code) or code

    def power(self, nation: str, where: str) -> str:
        """The power with a name in godip. Raises `UnknownNameError`."""
        if nation not in self._powers:
            raise UnknownNameError("nation", nation, self._powers, where, list_known=True)
        return self._powers[nation]

    def turn(self, phase: PhaseName) -> tuple[str, int]:
        """The season and the year of a phase in godip."""
        if not self.years:
            return _SEASONS[phase.season], phase.year
        turns = 2 * (phase.year - self._first_year) + (phase.season != "S")
        return _YEAR, self._first_year + turns * self.years

    def phase(self, season: str, year: int, kind: PhaseKind) -> PhaseName:
        """The phase with a season and a year in godip. Raises `UnknownNameError`."""
        if season not in self.seasons:
            raise UnknownNameError("season", season, self.seasons, list_known=True)
        is_spring = season == "Spring"
        if self.years:
            turns = (year - self._first_year) // self.years
            year, is_spring = self._first_year + turns // 2, turns % 2 == 0
        letter = "S" if is_spring else "W" if kind is PhaseKind.ADJUSTMENT else "F"
        return PhaseName.parse(f"{letter}{year}{kind.value}")


@lru_cache(maxsize=8)
def godip_variant(name: str) -> GodipVariant:
    """The variant with a name in godip. Raises `UnknownNameError`."""
    known = godip_table().variants
    if name not in known:
        raise UnknownNameError("variant", name, known, list_known=True)
    return GodipVariant(name, known[name])


def godip_order(variant: GodipVariant, units: Mapping[str, str], words: Sequence[str]) -> str:
    """An order in dipsat's notation: `units` maps provinces to units (`F STP/SC`), `words` are the
    province, the type of the order and its other parts, in godip's codes. Codes that are not on the
    map, and words that godip does not know, stay as they are."""

    def unit(code: str) -> str:
        location = variant.located(code)
        return units.get(province_of(location), location)

    match words:
        case (code, "Hold" | "Disband" as kind):
            return f"{unit(code)} {kind[0]}"
        case (code, "Move" | "MoveViaConvoy" as kind, *_, target):
            return f"{unit(code)} - {variant.located(target)}{' VIA' if kind != 'Move' else ''}"
        case (code, "Support", aided, target) if aided == target:
            return f"{unit(code)} S {unit(aided)}"
        case (code, "Support" | "Convoy" as kind, aided, target):
            return f"{unit(code)} {kind[0]} {unit(aided)} - {variant.located(target)}"
        case (code, "Build", kind, *coasts) if kind in GODIP_KINDS:
            return f"{GODIP_KINDS[kind]} {variant.located([code, *coasts][-1])} B"
    return " ".join(words)
