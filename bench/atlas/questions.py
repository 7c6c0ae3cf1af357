"""What the atlas asks about each map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dipsat

MAPS = ("standard",)
"""The maps of the atlas."""


def questions(board: dipsat.Map) -> Iterator[tuple[str, dict[str, Any]]]:
    """The questions about a map, each with its section: arguments of `dipsat.Lines`."""
    winning = board.victory or len(board.centers) // 2 + 1
    for centres in range(1, winning):
        yield "sizes", {"centres": centres}
    for power in sorted(board.powers):
        if board.powers[power].home:
            yield "powers", {"power": power}
            yield "alone", {"power": power, "centres": sorted(board.powers[power].home)}
            yield "self_sufficient", {"power": power, "self_sufficient": True}
