"""Which borders can be drawn in a plane without crossing, and in what order round each province."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dipsat.board import Map, province_of

Near = Sequence[Sequence[int]]
"""The neighbours of each node; in an embedding, in clockwise order."""


def embedding(near: Near) -> list[list[int]] | None:
    """The neighbours of each node in clockwise order round it; None if the graph is not planar. No
    node is its own neighbour or has the same neighbour twice."""
    from networkx import Graph, check_planarity  # takes long to import

    graph = Graph({node: list(around) for node, around in enumerate(near)})
    is_planar, found = check_planarity(graph)
    return [[*found.neighbors_cw_order(node)] for node in range(len(near))] if is_planar else None


@dataclass
class Purse:
    """How much more may be tried, in edges that tests look at."""

    left: int


def planar_part(size: int, edges: Sequence[tuple[int, int]], purse: Purse) -> list[tuple[int, int]]:
    """As many of the edges as a plane takes, no further one fitting; earlier ones first. What is
    not tried before the purse is empty is left out.

    Halves what does not fit as a whole, so it needs few tests where few edges are too many.
    """
    from networkx import Graph, is_planar

    graph, kept = Graph(), list[tuple[int, int]]()

    def take(some: Sequence[tuple[int, int]]) -> None:
        purse.left -= size + len(kept) + len(some)
        if purse.left < 0:
            return
        graph.add_edges_from(some)
        if is_planar(graph):
            kept.extend(some)
            return
        graph.remove_edges_from(some)
        if len(some) > 1:
            take(some[: len(some) // 2])
            take(some[len(some) // 2 :])

    if edges:
        take(edges)
    return kept


def near_of(size: int, edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The neighbours of each node, in the order of the edges."""
    near: list[list[int]] = [[] for _ in range(size)]
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    return near


# --- borders --------------------------------------------------------------------------------------

# Which provinces border, and which of the borders a plane takes.


Pair = tuple[int, int]

_ROUNDS = 30
_EDGES = 500_000
"""Edges that tests for planarity may look at; together they take about four seconds."""


def borders_of(map: Map) -> dict[str, set[str]]:
    """Province -> those it borders, whoever may cross, in whichever direction."""
    found: dict[str, set[str]] = {code: set() for code in map.provinces}
    for ways in (map.army, map.fleet):
        for place, others in ways.items():
            for other in others:
                one, two = province_of(place), province_of(other)
                if one != two:
                    found[one].add(two)
                    found[two].add(one)
    return found


def by_worth(borders: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """The borders, first those that hold a neighbourhood together: whose two provinces have many
    neighbours in common."""
    found = [(one, other) for one, others in borders.items() for other in others if one < other]
    return sorted(found, key=lambda pair: (-len(borders[pair[0]] & borders[pair[1]]), pair))


def drawable(size: int, borders: Sequence[Pair], patience: float = 1.0) -> list[Pair]:
    """As many of the borders as can be found that a plane takes.

    What did not fit goes first in the next round, which soon brings to light the few borders that
    stand in the way of all the others. Some rounds begin from the best so far or from the start,
    shuffled a little.
    """
    purse = Purse(round(_EDGES * patience))
    best = planar_part(size, borders, purse)
    most = min(len(borders) - 1, 3 * size - 6) if size > 2 else len(borders)  # of a plane (Euler)
    chance = random.Random(0)
    order, left_out = list(borders), _without(borders, best)
    for turn in range(round(_ROUNDS * patience)):
        if purse.left <= 0 or len(best) >= most:
            break
        if turn % 4 == 2:
            left_out = _without(borders, best)
            left_out = chance.sample(left_out, -(-2 * len(left_out) // 3))
            order = _shuffled(borders, chance)
        elif turn % 4 == 3:
            left_out, order = [], _shuffled(borders, chance)
        order = [*left_out, *_without(order, left_out)]
        found = planar_part(size, order, purse)
        left_out = _without(order, found)
        if len(found) > len(best) and purse.left > 0:
            best = found
    return best


def _shuffled(borders: Sequence[Pair], chance: random.Random) -> list[Pair]:
    """The borders, none of them far from its old place."""
    jumps = [at + chance.random() * len(borders) / 3 for at in range(len(borders))]
    return [borders[at] for at in sorted(range(len(borders)), key=jumps.__getitem__)]


def _without(some: Sequence[Pair], others: Sequence[Pair]) -> list[Pair]:
    excluded = set(others)
    return [pair for pair in some if pair not in excluded]
