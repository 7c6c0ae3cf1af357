"""The numbers by which boards are coded: of locations, powers, kinds of units and attributes.

They depend only on the map and the rules, so codes mean the same in every process and every run.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from hashlib import sha256

from dipsat.base import brief, checked, kept_on_first
from dipsat.board import Map, UnitKind, coast_of, province_of
from dipsat.orders import Unit, unit_of
from dipsat.rules import Profile


class DeclinedError(Exception):
    """Stops compiling rules or encoding a board, which is then left to dipsat's Python."""


NOBODY, NOWHERE = 255, 0xFFFF
"""The owner of a province that nobody owns; the location of a unit that is gone."""
UNKNOWN = 254
"""The owner, in the codes of boards, of a province whose owner is unknown."""

VERDICTS = (
    "succeeds", "fails", "given", "cut", "available", "disrupted", "stands", "illegal", "invalid",
    "unknown",
)  # fmt: skip
"""The verdicts on orders, by number."""

UNIQUE, BY_RULE, OPEN = 0, 1, 2
"""How a board was settled: by the only resolution, by a rule for decision cycles, or not at all."""

NO_ORDER, HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY = range(6)
"""The types of orders."""

SEASONS = "SUFW"
"""The letters of the seasons, by number."""


@brief("board")
class MapNumbers:
    """The numbers of one map under one profile. Two are equal only if they are the same object.

    Provinces are numbered in the alphabetical order of their codes. A province has the same number
    as a location, and coasts come after all provinces. Powers are in the order of the map; kinds of
    units and values of attributes are in the order of the rules."""

    def __init__(self, board: Map, profile: Profile) -> None:
        self.board = board
        self.provinces: tuple[str, ...] = tuple(sorted(board.provinces))
        """The provinces, by number."""
        coasts = sorted(board.locations - set(self.provinces))
        self.locations: tuple[str, ...] = (*self.provinces, *coasts)
        """The locations, by number."""
        self.powers: tuple[str, ...] = tuple(board.powers)
        """The powers, by number."""
        self.kinds: tuple[UnitKind, ...] = profile.words.units
        """The kinds of units, by number."""
        self.attributes: dict[str, tuple[str, ...]] = {
            name: one.values for name, one in profile.declared.attributes.items()
        }
        """Attribute declared by the rules -> its values, by number."""

    @cached_property
    def name(self) -> str:
        """The map and a digest of the meanings of the numbers. Codes keep it, because they can only
        be used where it is the same."""
        near = [self.next_to(kind, at) for kind in self.kinds for at in self.locations]
        said = self.locations, self.powers, [*map(str, self.kinds)], self.attributes, near
        return f"{self.board.name}:{sha256(repr(said).encode()).hexdigest()[:8]}"

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Location -> its number."""
        return {location: at for at, location in enumerate(self.locations)}

    @cached_property
    def number_of_power(self) -> dict[str, int]:
        """Power -> its number."""
        return {power: at for at, power in enumerate(self.powers)}

    @cached_property
    def units(self) -> tuple[tuple[Unit, ...], tuple[str, ...], tuple[bytes, ...]]:
        """All units without attributes, in the order of a position's units and, at one place, by
        kind and power; their texts; and their codes."""
        places = sorted(self.locations)
        units = [unit_of(p, kind, at) for at in places for kind in self.kinds for p in self.powers]
        codes = [array("H", (*unit_numbers(self, unit), 0)).tobytes() for unit in units]
        return tuple(units), tuple(map(str, units)), tuple(codes)

    @cached_property
    def ranks(self) -> list[list[list[int]]]:
        """The index of a unit in `units`, by power, kind and location."""
        place, kinds = {at: n for n, at in enumerate(sorted(self.locations))}, len(self.kinds)
        firsts, powers = [place[at] * kinds for at in self.locations], len(self.powers)
        return [
            [[(first + kind) * powers + power for first in firsts] for kind in range(kinds)]
            for power in range(powers)
        ]

    @cached_property
    def unit_width(self) -> int:
        """The count of a unit's numbers: power, kind, location, and at least one for attributes."""
        return 3 + max(1, len(self.attributes))

    @property
    def unit_words(self) -> int:
        """The number of 64-bit words in a set of units. On maps with at most 64 centres it is one:
        more units are rare there, and a board with more is left to dipsat's Python. On other maps
        it is the same as for a set of provinces, which has room for any number of units."""
        return 1 if len(self.board.centers) <= 64 else self.place_words

    @property
    def most_units(self) -> int:
        """The most units that a board can have in the codes for whole games."""
        return min(64 * self.unit_words, len(self.provinces))

    @cached_property
    def place_words(self) -> int:
        """The number of 64-bit words in a set of provinces."""
        return _words(max(len(self.provinces), 65))

    @checked
    def stands(self, kind: UnitKind, location: str) -> bool:
        """Whether a unit of a kind can stand at a location."""
        province = self.board.provinces.get(province_of(location))
        if province is None or not kind.stands_in(province.kind):
            return False
        return location in province.locations if kind.has_coasts else not coast_of(location)

    @checked
    def next_to(self, kind: UnitKind, location: str) -> tuple[str, ...]:
        """The locations that a unit can reach without a convoy, in the order of the bits of
        retreats."""
        return next_to(self.board, kind, location)


@kept_on_first(4_096)
def next_to(board: Map, kind: UnitKind, location: str) -> tuple[str, ...]:
    """The same, for a map."""
    return tuple(sorted(board.reach(kind, location)))


def unit_numbers(numbers: MapNumbers, unit: Unit) -> tuple[int, int, int]:
    """The numbers of a unit's power, kind and location."""
    kind, location = numbers.kinds.index(unit.kind), numbers.number_of[unit.location]
    return numbers.number_of_power[unit.power], kind, location


def _words(bits: int) -> int:
    """The number of words that hold `bits` bits: a power of two."""
    words = 1
    while 64 * words < bits:
        words *= 2
    return words
