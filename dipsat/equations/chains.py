"""The two questions about shapes that the rule language has built in: rings and chains."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def is_ring(moves: Collection[Any]) -> bool:
    """Whether the moves, and steps along lines, form one closed ring: each enters the province
    that the unit of another leaves."""
    after = {move.unit.province: move.target for move in moves}
    if not after or len(after) != len(moves):
        return False
    start = next(iter(after))
    place, steps = after[start], 1
    while place is not start and place in after and steps < len(after):
        place, steps = after[place], steps + 1
    return place is start and steps == len(after)


def chain_exists(
    water: Mapping[str, Collection[str]], start: str, end: str, nodes: Collection[str]
) -> bool:
    """Whether `nodes` contain a chain of neighbouring waters from province start to end.

    At least one node is needed, and the ends are not nodes of the chain. Takes time linear in the
    borders of the nodes, however many chains there are.
    """
    ends = water.get(end, ())
    reached = [node for node in nodes if node in water.get(start, ())]
    seen = set(reached)
    while reached:
        node = reached.pop()
        if node in ends:
            return True
        for other in nodes:
            if other not in seen and other in water.get(node, ()):
                seen.add(other)
                reached.append(other)
    return False
