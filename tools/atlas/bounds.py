"""Better bounds for unknown answers: proofs that a number of units is not enough."""

from __future__ import annotations

import dipsat
from dipsat.searches import IMPOSSIBLE
from dipsat.searches.line_finder import FOUND
from tools.atlas.answers import Answer, search


def raise_bound(name: str, answered: Answer, limits: dipsat.Limits) -> None:
    """Raise the bound of an answer in steps of one, as long as the limits are enough for each step.
    A search for the fewest units looks for good lines first, which can take all of its time."""
    below = answered["bound"] or 0
    for units in range(max(below, answered["fewest"] // 3), answered["fewest"]):
        found = search(name, {**answered["asked"], "units": units}, limits)
        if found.verdict != IMPOSSIBLE:
            return
        answered["bound"] = units + 1
    answered["verdict"] = FOUND
