"""Which borders can be drawn in a plane without crossing, and their order round each province."""

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
    """The parts of a graph that stay connected without any one node; the largest come first."""
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
    """How much work is left, in edges that tests look at."""

    left: int


def planar_part(size: int, edges: Sequence[Pair], purse: Purse) -> list[Pair]:
    """A part of the edges that fits in a plane and to which no other edge can be added; earlier
    edges go first. Edges not tried before the purse is empty are left out.

    Edges that do not all fit are halved, so few tests are needed if few edges are too many.
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
    """Province -> those it borders, for any kind of unit and in either direction."""
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
    """The borders, beginning with those that hold a neighbourhood together: their two provinces
    have many neighbours in common."""
    found = [(one, other) for one, others in borders.items() for other in others if one < other]
    return sorted(found, key=lambda pair: (-len(borders[pair[0]] & borders[pair[1]]), pair))


def drawable(size: int, borders: Sequence[Pair]) -> list[Pair]:
    """As many borders that fit in a plane together as can be found.

    Borders that did not fit go first in the next round, which soon reveals the few borders that
    prevent all the others. If that gains nothing, only some of them go first.
    """
    purse = Purse(_EDGES)
    most = min(len(borders), 3 * size - 6) if size > 2 else len(borders)  # in a plane (Euler)
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
