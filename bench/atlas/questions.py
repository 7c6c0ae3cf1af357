"""What the atlas asks about each map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import dipsat
from bench.atlas import published

MAPS = ("standard",)
"""The maps of the atlas."""
SPLITS = ([17, 17], [15, 17])


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a map."""

    section: str
    asked: dict[str, Any]
    """Arguments of `dipsat.Lines`, or the centres on each side of a split."""
    every: bool = False
    """Whether all lines are wanted."""
    line: str = ""
    """The published line that it is about."""


def questions(board: dipsat.Map) -> Iterator[Asked]:
    """The questions about a map."""
    winning = board.victory or len(board.centers) // 2 + 1
    for centres in range(1, winning):
        yield Asked("sizes", {"centres": centres}, every=True)
    if board.name != "standard":
        return
    powers = [name for name in sorted(board.powers) if board.powers[name].home]
    for power in powers:
        yield Asked("powers", {"power": power})
    for power in powers:
        yield Asked("self_sufficient", {"power": power, "self_sufficient": True})
    for sizes in SPLITS:
        yield Asked("splits", {"split": sizes})
    for line, asked in published.questions():
        yield Asked("published", asked, line=line)
    for power in powers:
        yield Asked("alone", {"power": power, "centres": sorted(board.powers[power].home)})
