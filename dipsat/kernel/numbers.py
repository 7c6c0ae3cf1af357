"""The numbers by which boards are coded: of locations, powers, kinds of units and attributes.

They depend on the map and the rules only, so codes mean the same in every process and every run.
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
    """Stops the compiling of rules, or the encoding of a board; dipsat's Python answers then."""


NOBODY, NOWHERE = 255, 0xFFFF
"""The power that owns a province that nobody owns; the location of a unit that is gone."""
UNKNOWN = 254
"""The power that owns a province whose owner is unknown, in the codes of boards."""

VERDICTS = (
    "succeeds", "fails", "given", "cut", "available", "disrupted", "stands", "illegal", "invalid",
    "unknown",
)  # fmt: skip
"""The verdicts on orders, by number."""

UNIQUE, BY_RULE, OPEN = 0, 1, 2
"""How a board was settled: by the only resolution, by a rule for decision cycles, or not."""

NO_ORDER, HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY = range(6)
"""The types of orders."""

SEASONS = "SUFW"
"""The letters of the seasons, by number."""


@brief("board")
class MapNumbers:
    """The numbers of one map under one profile. Two are equal only if they are the same object.

    Provinces are numbered by their codes in alphabetical order. Locations follow: a province has
    its number as a location, and the coasts come after all provinces. Powers have the order of the
    map, kinds of units and the values of attributes that of the rules."""

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
        """Attribute that the rules declare for units -> its values, by number."""

    @cached_property
    def name(self) -> str:
        """The map and a digest of what the numbers mean, which codes keep: they are of use only
        where it is the same."""
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
        """All units without attributes in the order in which a position lists its own, those at
        one place by kind and power; their texts; and their codes."""
        places = sorted(self.locations)
        units = [unit_of(p, kind, at) for at in places for kind in self.kinds for p in self.powers]
        codes = [array("H", (*unit_numbers(self, unit), 0)).tobytes() for unit in units]
        return tuple(units), tuple(map(str, units)), tuple(codes)

    @cached_property
    def ranks(self) -> list[list[list[int]]]:
        """The place of a unit among these, by power, kind and location."""
        place, kinds = {at: n for n, at in enumerate(sorted(self.locations))}, len(self.kinds)
        firsts, powers = [place[at] * kinds for at in self.locations], len(self.powers)
        return [
            [[(first + kind) * powers + power for first in firsts] for kind in range(kinds)]
            for power in range(powers)
        ]

    @cached_property
    def unit_width(self) -> int:
        """The numbers of a unit: power, kind, location, and its attributes, at least one."""
        return 3 + max(1, len(self.attributes))

    @property
    def unit_words(self) -> int:
        """The words of 64 bits in a set of units: one on maps with no more centres than that, where
        more units are rare and a board with more is left to dipsat's Python; else as many as in a
        set of provinces, so that there is room for any number of units."""
        return 1 if len(self.board.centers) <= 64 else self.place_words

    @property
    def most_units(self) -> int:
        """The most units that a board with codes for whole games has."""
        return min(64 * self.unit_words, len(self.provinces))

    @cached_property
    def place_words(self) -> int:
        """The words of 64 bits in a set of provinces."""
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
        """The locations that a unit can reach without a convoy, in the order of the retreats'
        bits."""
        return next_to(self.board, kind, location)


@kept_on_first(4_096)
def next_to(board: Map, kind: UnitKind, location: str) -> tuple[str, ...]:
    """The same on a map."""
    return tuple(sorted(board.reach(kind, location)))


def unit_numbers(numbers: MapNumbers, unit: Unit) -> tuple[int, int, int]:
    """The numbers of a unit's power, kind and location."""
    kind, location = numbers.kinds.index(unit.kind), numbers.number_of[unit.location]
    return numbers.number_of_power[unit.power], kind, location


def _words(bits: int) -> int:
    """How many words hold so many bits: a power of two."""
    words = 1
    while 64 * words < bits:
        words *= 2
    return words
