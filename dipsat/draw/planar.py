"""Which borders can be drawn in a plane without crossing, and in what order round each province."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.board import Map, province_of

Pair = tuple[int, int]


def parts_of(size: int, edges: Iterable[Pair]) -> list[Any]:
    """The connected components of the graph with nodes 0 to `size` - 1 and these edges, each as a
    networkx graph."""
    from networkx import Graph, connected_components  # takes long to import

    graph = Graph(edges)
    graph.add_nodes_from(range(size))
    return [graph.subgraph(part) for part in connected_components(graph)]


def blocks_of(graph: Any) -> list[Any]:
    """The parts of a graph that no single node holds together; the largest come first."""
    from networkx import biconnected_components

    blocks = sorted(map(sorted, biconnected_components(graph)), key=lambda one: (-len(one), one))
    return [graph.subgraph(block) for block in blocks]


def embedding(graph: Any) -> Mapping[int, Sequence[int]]:
    """The neighbours of each node of a planar graph of networkx, in clockwise order round it."""
    from networkx import check_planarity

    is_planar, found = check_planarity(graph)
    assert is_planar
    return {node: [*found.neighbors_cw_order(node)] for node in sorted(graph)}


@dataclass
class Purse:
    """How much more may be tried, in edges that tests look at."""

    left: int


def planar_part(size: int, edges: Sequence[Pair], purse: Purse) -> list[Pair]:
    """As many of the edges as a plane takes, no further one fitting; earlier ones first. What is
    not tried before the purse is empty is left out.

    Halves what does not fit as a whole, so it needs few tests where few edges are too many.
    """
    from networkx import Graph, is_planar

    graph, kept = Graph(), list[Pair]()

    def take(some: Sequence[Pair]) -> None:
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


_ROUNDS = 24
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


def drawable(size: int, borders: Sequence[Pair]) -> list[Pair]:
    """As many of the borders as can be found that a plane takes.

    What did not fit goes first in the next round, which soon brings to light the few borders that
    stand in the way of all the others. If that gains nothing, only some of it goes first.
    """
    purse = Purse(_EDGES)
    most = min(len(borders), 3 * size - 6) if size > 2 else len(borders)  # of a plane (Euler)
    best: list[Pair] = []
    chance, order = random.Random(0), list(borders)
    for _ in range(_ROUNDS):
        found = planar_part(size, order, purse)
        if len(found) > len(best) and (purse.left > 0 or not best):
            best = found
        if purse.left <= 0 or len(best) >= most:
            break
        left_out = _without(order, found)
        if len(found) < len(best):
            left_out = chance.sample(left_out, len(left_out) // 2)
        order = [*left_out, *_without(order, left_out)]
    return best


def _without(some: Sequence[Pair], others: Sequence[Pair]) -> list[Pair]:
    excluded = {*others}
    return [pair for pair in some if pair not in excluded]
