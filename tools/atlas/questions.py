"""The questions of the atlas about each map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import dipsat
from tools import atlas_borders
from tools.atlas import published

MAPS = atlas_borders.MAPS
"""The maps of the atlas."""
EVERY = (
    "standard", "1900", "ancient_mediterranean", "hundred", "northseawars", "renaissance", "sailho",
    "threekingdoms", "vietnamwar", "year1908",
)  # fmt: skip
"""The maps for which the atlas counts all minimal lines and not only the fewest units."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a map."""

    section: str
    asked: dict[str, Any]
    """Arguments of `dipsat.searches.Lines`, or sets of which a line must not hold all centres."""
    every: bool = False
    """Whether all lines are wanted."""
    line: str = ""
    """The published line that it is about."""


def sizes(board: dipsat.Map) -> range:
    """The numbers of centres that do not win the game."""
    return range(1, board.victory or len(board.centers) // 2 + 1)


def questions(board: dipsat.Map) -> Iterator[Asked]:
    """The questions about a map."""
    for centres in sizes(board):
        yield Asked("sizes", {"centres": centres}, every=board.name in EVERY)
    if board.name != "standard":
        return
    powers = [name for name in sorted(board.powers) if board.powers[name].home]
    for power in powers:
        yield Asked("powers", {"power": power})
    for power in powers:
        yield Asked("self_sufficient", {"power": power, "self_sufficient": True})
    homes = [sorted(board.powers[power].home) for power in ("ENGLAND", "TURKEY")]
    yield Asked("claims", {"not_all": homes, "self_sufficient": True})
    for line, asked in published.questions():
        yield Asked("published", asked, line=line)
    for power in powers:
        yield Asked("alone", {"power": power, "centres": sorted(board.powers[power].home)})
