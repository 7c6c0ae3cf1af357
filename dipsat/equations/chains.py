"""The two shapes that the rule language can ask about: rings and chains."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.terms.term import reach


def is_ring(moves: Collection[Any]) -> bool:
    """Whether the moves, and steps along lines, form one closed ring: each enters the province that
    another's unit leaves."""
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
    """The nodes of a possible chain, as numbers: `starts` and `ends` are those beside its two ends,
    `near` lists the neighbours of each node."""

    starts: list[int]
    ends: list[int]
    near: list[list[int]]


def links_of(
    water: Mapping[str, Collection[str]], start: Any, end: Any, members: Sequence[Any]
) -> Links:
    """How objects in provinces could make a chain from province `start` to `end`.

    Convoys are linked by the network of their kind, other objects by neighbouring `water`. The ends
    are not nodes of the chain.
    """
    numbered = list(enumerate(members))
    return Links(
        [at for at, one in numbered if _is_beside(water, one, start)],
        [at for at, one in numbered if _is_beside(water, one, end)],
        [[at for at, other in numbered if _are_linked(water, one, other)] for one in members],
    )


def convoy_path_exists(move: Any, convoys: Sequence[Any]) -> bool:
    """Whether convoys that match a move make a path for it."""
    links = links_of({}, move.origin, move.target, convoys)
    return reach([True] * len(convoys), links.starts, links.ends, links.near) is True


def _is_beside(water: Mapping[str, Collection[str]], one: Any, place: Any) -> bool:
    if hasattr(one, "net"):
        borders: bool = one.borders(place)
        return borders
    return one.province.code in water.get(place.code, ())


def _are_linked(water: Mapping[str, Collection[str]], one: Any, other: Any) -> bool:
    """Whether one can follow the other in a chain; convoys of different kinds cannot."""
    net = getattr(one, "net", None)
    if net is not getattr(other, "net", None):
        return False
    links = water if net is None else net.links
    return other.province.code in links.get(one.province.code, ())
