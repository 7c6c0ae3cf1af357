"""What can be reached step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def reachable(starts: Iterable[str], step: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The starts, and all that can be reached from them in any number of steps."""
    waiting = list(starts)
    seen = set(waiting)
    while waiting:
        fresh = {place for place in step(waiting.pop()) if place not in seen}
        seen |= fresh
        waiting += fresh
    return frozenset(seen)
