"""The names that godip's web service gives to variants, powers, provinces and turns:
`rules/godip.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.documents import parse_yaml, read_text
from dipsat.errors import UnknownNameError
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.pages import titled
from dipsat.profiles.defaults import DEFAULT_RULES
from dipsat.resources import data_folder

SEASONS = {"S": "Spring", "F": "Fall", "W": "Fall"}
"""The season of a phase -> that of godip, which has no winter."""
TYPES = {
    "Movement": PhaseKind.MOVEMENT,
    "Retreat": PhaseKind.RETREAT,
    "Adjustment": PhaseKind.ADJUSTMENT,
}
"""Type of a phase -> the kind of dipsat."""
KINDS = {"Army": "A", "Fleet": "F"}
"""Type of a unit -> its kind."""
_YEAR = "Year"


@dataclass(frozen=True, slots=True)
class Stated:
    """What `rules/godip.yaml` says about a variant."""

    map: str
    rules: str
    years: int
    provinces: Mapping[str, str]
    nations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """All that the file says: the variants by name, and the results by type of an order and code of
    its reason."""

    variants: Mapping[str, Stated]
    results: Mapping[str, Mapping[str, str]]


@lru_cache(maxsize=1)
def table() -> Table:
    """What `rules/godip.yaml` says."""
    path = data_folder("rules") / "godip.yaml"
    found: dict[str, Any] = parse_yaml(read_text(path), str(path)).plain()
    variants = {
        name: Stated(
            stated["map"], stated.get("rules", DEFAULT_RULES), stated.get("years", 0),
            stated.get("provinces", {}), stated.get("nations", {}),
        )
        for name, stated in found["variants"].items()
    }  # fmt: skip
    return Table(variants, found["results"])


class Variant:
    """A variant of godip: its map, and what both sides call the same things."""

    def __init__(self, name: str, stated: Stated) -> None:
        self.name = name
        self.rules = stated.rules
        self.years = stated.years
        self.map: Map = load_map(stated.map)
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
        """The location that godip calls so, None if there is none on the map."""
        name, slash, coast = code.partition("/")
        province = self._provinces.get(name)
        if province is None:
            return None
        location = f"{province}/{coast.upper()}" if slash else province
        coasts = self.map.provinces[province].coasts
        return location if not slash or coast.upper() in coasts else None

    def power(self, nation: str, where: str) -> str:
        """The power that godip calls so. Raises `UnknownNameError`."""
        if nation not in self._powers:
            raise UnknownNameError("nation", nation, self._powers, where, list_known=True)
        return self._powers[nation]

    def turn(self, phase: PhaseName) -> tuple[str, int]:
        """The season and the year of a phase."""
        if not self.years:
            return SEASONS[phase.season], phase.year
        turns = 2 * (phase.year - self._first_year) + (phase.season != "S")
        return _YEAR, self._first_year + turns * self.years

    def phase(self, season: str, year: int, kind: PhaseKind) -> PhaseName:
        """The phase of a season and a year. Raises `UnknownNameError`."""
        if season not in self.seasons:
            raise UnknownNameError("season", season, self.seasons, list_known=True)
        is_spring = season == "Spring"
        if self.years:
            turns = (year - self._first_year) // self.years
            year, is_spring = self._first_year + turns // 2, turns % 2 == 0
        letter = "S" if is_spring else "W" if kind is PhaseKind.ADJUSTMENT else "F"
        return PhaseName.parse(f"{letter}{year}{kind.value}")


@lru_cache(maxsize=8)
def find_variant(name: str) -> Variant:
    """The variant that godip calls so. Raises `UnknownNameError`."""
    known = table().variants
    if name not in known:
        raise UnknownNameError("variant", name, known, list_known=True)
    return Variant(name, known[name])
