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
    links: dict[str, set[str]] = {place: set() for place in sorted(near)}
    for place, others in near.items():
        for one in others:
            links.setdefault(one, set()).add(place)
            links[place].add(one)
    ends = _steps(links, min(near))
    found = _steps(links, max(ends, key=lambda place: (ends[place], place)))
    at = {place: float(found.get(place, len(near))) for place in links}
    beside = {place: sorted(others) or [place] for place, others in links.items()}
    for _ in range(_ROUNDS * len(near)):
        at = {
            place: (at[place] + sum(at[one] for one in others) / len(others)) / 2
            for place, others in beside.items()
        }
    return tuple(sorted(near, key=lambda place: (at[place], place)))


def _steps(links: Mapping[str, Iterable[str]], start: str) -> dict[str, int]:
    """How many steps each place is away, if it can be reached."""
    found, edge = {start: 0}, [start]
    while edge:
        reached = {one for place in edge for one in links[place]} - found.keys()
        found |= dict.fromkeys(reached, found[edge[0]] + 1)
        edge = sorted(reached)
    return found
