"""An order of places in which neighbours are close to each other, as if one swept over the map.

A solver counts units and centres in this order. What it learns is then about one side of the map:
if the front runs here, at least so many units stand behind it. Counted in the order of their names,
the proof that no line has fewer units takes five to twenty times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_ROUNDS = 2  # for each place


def swept(near: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Places from one end of the map to the other, given the neighbours of each.

    The distances from a place at one end are smoothed: again and again, each becomes the mean of
    itself and the mean of its neighbours'. What lasts longest is the difference between the two
    ends.
    """
    import networkx as nx

    graph = nx.Graph((place, one) for place in sorted(near) for one in sorted(near[place]))
    graph.add_nodes_from(sorted(near))
    steps = nx.single_source_shortest_path_length
    ends = steps(graph, min(near))
    found = steps(graph, max(ends, key=lambda place: (ends[place], place)))
    at = {place: float(found.get(place, len(near))) for place in graph}
    beside = {place: sorted(graph[place]) or [place] for place in graph}
    for _ in range(_ROUNDS * len(near)):
        at = {
            place: (at[place] + sum(at[one] for one in others) / len(others)) / 2
            for place, others in beside.items()
        }
    return tuple(sorted(near, key=lambda place: (at[place], place)))
