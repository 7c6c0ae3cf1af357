"""Positions of any phase as arrays of numbers, and the orders for them."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, fields

from dipsat.kernel.arrays import ArrayType, check_count, new_array, rows_of, zeros
from dipsat.kernel.numbers import MapNumbers
from dipsat.values import brief

RETREAT, DISBAND, BUILD, WAIVE = range(6, 10)
"""The types of orders after those of movement phases."""

KINDS = "MRAX"
"""The kinds of phases, by number."""


@brief()
@dataclass(frozen=True)
class PositionCodes:
    """Positions as arrays of numbers, each with the same room for its units
    (`MapNumbers.most_units`). Made by `Batch.positions`.

    The numbers of provinces, powers and kinds are those of `Batch.numbers`. Units are sorted by the
    numbers of their provinces.
    """

    phases: MutableSequence[int]
    """For each position: the year, the season (0 spring, 1 summer, 2 fall, 3 winter), and the kind
    of phase (0 movement, 1 retreats, 2 adjustments, 3 a phase for orders that rules declare)."""
    counts: MutableSequence[int]
    """For each position: how many units are on the board, and how many are dislodged."""
    units: MutableSequence[int]
    """For each unit: power, kind, location, and a number for each attribute that the rules declare,
    or 0 if they declare none."""
    dislodged: MutableSequence[int]
    """The same for each dislodged unit, with the location from which it was dislodged."""
    retreats: MutableSequence[int]
    """For each dislodged unit, where it may retreat: a bit for each location that it could reach
    without a convoy, in alphabetical order."""
    owners: MutableSequence[int]
    """For each position and each province of the map: the power that owns it as a centre, 255 for
    nobody."""

    def __len__(self) -> int:
        return len(self.counts) // 2


def widths(numbers: MapNumbers) -> dict[str, tuple[ArrayType, int]]:
    """For each array, the type of its numbers, and how many it has for each position."""
    most = numbers.most_units
    return {
        "phases": ("H", 3),
        "counts": ("H", 2),
        "units": ("H", most * numbers.unit_width),
        "dislodged": ("H", most * numbers.unit_width),
        "retreats": ("Q", most),
        "owners": ("B", len(numbers.provinces)),
    }


def positions_as_arrays(codes: PositionCodes, numbers: MapNumbers) -> PositionCodes:
    """The same positions in arrays of their own. Raises `CodeError` for arrays that do not fit
    together."""
    found = {}
    for name, (kind, width) in widths(numbers).items():
        found[name] = new_array(getattr(codes, name), kind, name)
        check_count(name, len(found[name]), width, len(found["phases"]) // 3, "position")
    return PositionCodes(**found)


def repeated(codes: PositionCodes, count: int) -> PositionCodes:
    """The positions so many times."""
    return PositionCodes(*(getattr(codes, one.name) * count for one in fields(codes)))


def selected(codes: PositionCodes, which: Sequence[int], numbers: MapNumbers) -> PositionCodes:
    """Copies of the positions with these numbers."""
    return PositionCodes(
        *(
            rows_of(getattr(codes, name), which, width, kind)
            for name, (kind, width) in widths(numbers).items()
        )
    )


def empty_positions(count: int, numbers: MapNumbers) -> PositionCodes:
    """Room for so many positions, with nothing on the boards."""
    sizes = widths(numbers).values()
    return PositionCodes(*(zeros(kind, count * width) for kind, width in sizes))
