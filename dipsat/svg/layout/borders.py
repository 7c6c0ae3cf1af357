"""Which provinces border, and which of the borders a plane takes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.svg.layout.planar import Purse, planar_part

Pair = tuple[int, int]

_ROUNDS = 60
_EDGES = 1_000_000
"""Edges that tests for planarity may look at; together they take about three seconds."""


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
