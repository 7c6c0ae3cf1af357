"""Which provinces border, and which of the borders a plane takes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.svg.layout.planar import Purse, planar_part

Pair = tuple[int, int]

_ROUNDS = 16
"""How often in vain a smaller set of borders to leave out is looked for."""
_EDGES = 1_000_000
"""Edges that tests for planarity may look at, about ten microseconds each."""
_FRESH = 6
"""Each so many rounds begin from a fresh order."""


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
    stand in the way of all the others.
    """
    purse = Purse(_EDGES)
    best = planar_part(size, borders, purse)
    chance = random.Random(0)
    left_out = _without(borders, best)
    in_vain = 0
    while in_vain < _ROUNDS and len(best) < len(borders) - 1 and purse.left > 0:
        if in_vain % _FRESH == _FRESH - 1:
            jumps = [at + chance.random() * len(borders) / 2 for at in range(len(borders))]
            order = [borders[at] for at in sorted(range(len(borders)), key=jumps.__getitem__)]
        else:
            order = [*left_out, *_without(borders, left_out)]
        found = planar_part(size, order, purse)
        left_out = _without(order, found)
        in_vain += 1
        if len(found) > len(best):
            best, in_vain = found, 0
    return best


def _without(some: Sequence[Pair], others: Sequence[Pair]) -> list[Pair]:
    excluded = set(others)
    return [pair for pair in some if pair not in excluded]
