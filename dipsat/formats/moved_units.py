"""The board after a phase, for files that say which moves succeed instead of stating it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.base import grouped
from dipsat.board import province_of


def units_after(units: Iterable[tuple[str, str]], moves: Mapping[str, str]) -> dict[str, list[str]]:
    """Power -> its units after the moves that succeed (province -> location), the dislodged ones
    with `*`, as a saved game lists them. `units` are powers and units, such as `F STP/SC`."""
    entered = {province_of(target) for target in moves.values()}
    found = []
    for power, unit in units:
        province = province_of(unit[2:])
        if province in moves:
            found.append((power, f"{unit[:2]}{moves[province]}"))
        else:
            found.append((power, f"*{unit}" if province in entered else unit))
    return grouped(found)
