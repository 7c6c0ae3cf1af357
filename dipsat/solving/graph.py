"""The decision graph, with an edge from each decision to those that its equation mentions."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from dipsat.base import grouped, reached
from dipsat.equations import Key

_T = TypeVar("_T", bound=Hashable)

Graph = Mapping[Key, Iterable[Key]]


def connected_subgraphs(graph: Graph) -> tuple[tuple[Key, ...], ...]:
    """The connected subgraphs, each sorted, in the order of their first decisions."""
    groups = {key: [key] for key in graph}
    for key, needed in graph.items():
        for other in needed:
            one, two = groups[key], groups.get(other)
            if two is not None and two is not one:
                few, many = sorted((one, two), key=len)
                many += few
                groups.update(dict.fromkeys(few, many))
    distinct = {id(group): group for group in groups.values()}
    return tuple(sorted(tuple(sorted(group)) for group in distinct.values()))


def decision_cycles(graph: Graph) -> tuple[tuple[Key, ...], ...]:
    """The strongly connected cores that depend on no other undecided decision, each sorted.

    A core is a set of decisions that all depend on themselves indirectly (DATC 5.B.9).
    """
    inside = {
        key: sorted(other for other in needed if other in graph) for key, needed in graph.items()
    }
    found = []
    for core in strong_components({key: inside[key] for key in sorted(inside)}):
        members = set(core)
        if all(other in members for key in core for other in inside[key]):
            found.append(tuple(sorted(core)))
    return tuple(sorted(found))


def strong_components(graph: Mapping[_T, Sequence[_T]]) -> Iterator[list[_T]]:
    """The strongly connected components of a graph whose edges lead only to its own nodes. Each
    comes after those that it leads to (Tarjan 1972, without recursion)."""
    number: dict[_T, int] = {}  # of the nodes seen, in the order of their discovery
    lowest: dict[_T, int] = {}  # the least number reached from a node, while its component is open
    open_nodes: list[_T] = []
    for root in graph:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        open_nodes.append(root)
        path = [(root, iter(graph[root]))]
        while path:
            node, others = path[-1]
            other = next((one for one in others if one not in number or one in lowest), None)
            if other is None:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                if lowest[node] == number[node]:
                    component: list[_T] = []
                    while not component or component[-1] != node:
                        component.append(open_nodes.pop())
                        del lowest[component[-1]]
                    yield component
            elif other in number:
                lowest[node] = min(lowest[node], number[other])
            else:
                number[other] = lowest[other] = len(number)
                open_nodes.append(other)
                path.append((other, iter(graph[other])))


def dependent_on(keys: Iterable[Key], graph: Graph) -> set[Key]:
    """The decisions `keys`, and those whose equations mention them, directly or through others."""
    users = grouped((other, key) for key, needed in graph.items() for other in needed)
    return set(reached(keys, lambda key: users.get(key, ())))


def on_cycles(arrows: Iterable[tuple[_T, _T]]) -> frozenset[_T]:
    """The nodes that lie on cycles of these edges."""
    after = grouped(arrows)
    graph = {node: [other for other in others if other in after] for node, others in after.items()}
    return frozenset(
        node
        for part in strong_components(graph)
        for node in part
        if len(part) > 1 or node in graph[node]
    )


def has_cycle(graph: Mapping[_T, Iterable[_T]], without: Collection[_T]) -> bool:
    """Whether a cycle is left when some nodes are removed; edges to anything else are ignored."""
    left = graph.keys() - without
    return bool(on_cycles((node, other) for node in left for other in graph[node] if other in left))
