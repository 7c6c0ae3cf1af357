"""The two questions about shapes that the rule language has built in: rings and chains."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Links:
    """The nodes of a possible chain: `starts` and `ends` are those beside its two ends, `near` has
    for each the others that it is linked with. All are numbers."""

    starts: list[int]
    ends: list[int]
    near: list[list[int]]


def links_of(
    water: Mapping[str, Collection[str]], start: Any, end: Any, members: Sequence[Any]
) -> Links:
    """How objects that stand in provinces could make a chain from province start to end.

    Convoys do so as their kind has it; other objects over neighbouring `water`. The ends are not
    nodes of the chain.
    """
    places = [member.province.code for member in members]
    nets = [getattr(member, "net", None) for member in members]
    near = [
        [
            at
            for at, other in enumerate(places)
            if other in (water if net is None else net.links).get(here, ()) and nets[at] is net
        ]
        for here, net in zip(places, nets, strict=True)
    ]
    return Links(_beside(water, start, members), _beside(water, end, members), near)


def _beside(water: Mapping[str, Collection[str]], place: Any, members: Sequence[Any]) -> list[int]:
    around = water.get(place.code, ())
    return [
        at
        for at, member in enumerate(members)
        if (member.borders(place) if hasattr(member, "net") else member.province.code in around)
    ]


def chain_exists(
    water: Mapping[str, Collection[str]], start: Any, end: Any, members: Sequence[Any]
) -> bool:
    """Whether there is a chain of the members (`links_of`). At least one is needed. Takes time
    linear in their borders, however many chains there are."""
    if not members:
        return False
    links = links_of(water, start, end, members)
    reached = list(links.starts)
    seen = set(reached)
    while reached:
        node = reached.pop()
        if node in links.ends:
            return True
        fresh = [other for other in links.near[node] if other not in seen]
        seen.update(fresh)
        reached += fresh
    return False
