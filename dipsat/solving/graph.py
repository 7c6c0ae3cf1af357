"""The decision graph, with an edge from each decision to those that its equation mentions."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

from dipsat.grouped import grouped
from dipsat.terms.term import Key

_T = TypeVar("_T", bound=Hashable)

Graph = Mapping[Key, Iterable[Key]]


def connected_subgraphs(graph: Graph) -> tuple[tuple[Key, ...], ...]:
    """The connected subgraphs, each sorted, in the order of their first decisions."""
    parent: dict[Key, Key] = {key: key for key in graph}

    def root(key: Key) -> Key:
        while parent[key] != key:
            parent[key] = key = parent[parent[key]]
        return key

    for key, needed in graph.items():
        for other in needed:
            if other in parent:
                parent[root(other)] = root(key)
    groups = grouped((root(key), key) for key in sorted(graph))
    return tuple(tuple(group) for group in groups.values())


def decision_cycles(graph: Graph) -> tuple[tuple[Key, ...], ...]:
    """The strongly connected cores that depend on no other undecided decision, each sorted.

    A core is a set of decisions that all depend on themselves indirectly (DATC 5.B.9).
    """
    import networkx  # slow to import, and most phases have no cycle

    digraph = networkx.DiGraph()
    digraph.add_nodes_from(sorted(graph))
    digraph.add_edges_from(
        (key, other) for key in sorted(graph) for other in sorted(graph[key]) if other in graph
    )
    found = []
    for core in networkx.strongly_connected_components(digraph):
        leads_out = any(other not in core for key in core for other in digraph.successors(key))
        if not leads_out:
            found.append(tuple(sorted(core)))
    return tuple(sorted(found))


def dependent_on(keys: Iterable[Key], graph: Graph) -> set[Key]:
    """The decisions whose equations mention one of `keys`, directly or through others."""
    users = grouped((other, key) for key, needed in graph.items() for other in needed)
    found, fringe = set[Key](), list(keys)
    while fringe:
        fresh = [key for key in users.get(fringe.pop(), ()) if key not in found]
        found.update(fresh)
        fringe += fresh
    return found


def on_cycles(arrows: Iterable[tuple[_T, _T]]) -> frozenset[_T]:
    """The nodes that lie on cycles of these edges."""
    after = grouped(arrows)

    def reached(start: _T) -> set[_T]:
        found, fringe = set[_T](), [start]
        while fringe:
            fresh = [n for n in after.get(fringe.pop(), ()) if n not in found]
            found.update(fresh)
            fringe += fresh
        return found

    return frozenset(node for node in after if node in reached(node))


def has_cycle(graph: Mapping[_T, Iterable[_T]], without: Collection[_T]) -> bool:
    """Whether a cycle is left when some nodes are removed; edges to anything else are ignored."""
    left = {
        node: [other for other in needed if other not in without]
        for node, needed in graph.items()
        if node not in without
    }
    while left:
        leaves = [node for node, needed in left.items() if not any(n in left for n in needed)]
        if not leaves:
            return True
        for node in leaves:
            del left[node]
    return False
