"""Which provinces border, and which of the borders a plane takes."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.board.map import Map
from dipsat.board.province import province_of


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
