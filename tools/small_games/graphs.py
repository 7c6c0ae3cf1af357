"""Maps with few provinces: connected graphs, one of each shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

Borders = tuple[int, ...]
"""For each province, the set of its neighbours as bits."""


@cache
def maps(size: int) -> tuple[Borders, ...]:
    """Every connected map with this number of provinces, one of those that differ only in names."""
    pairs = list(combinations(range(size), 2))
    number = {pair: 1 << at for at, pair in enumerate(pairs)}
    renamed = [
        [number[min(new[one], new[other]), max(new[one], new[other])] for one, other in pairs]
        for new in permutations(range(size))
    ]
    seen = set[int]()
    found = []
    for edges in range(1 << len(pairs)):
        if edges in seen:
            continue
        seen.update(sum(new[at] for at in range(len(pairs)) if edges >> at & 1) for new in renamed)
        borders = _borders(size, [pair for pair in pairs if edges & number[pair]])
        if _is_connected(borders):
            found.append(borders)
    return tuple(found)


def _borders(size: int, pairs: Sequence[tuple[int, int]]) -> Borders:
    borders = [0] * size
    for one, other in pairs:
        borders[one] |= 1 << other
        borders[other] |= 1 << one
    return tuple(borders)


def _is_connected(borders: Borders) -> bool:
    reached, before = 1, 0
    while reached != before:
        before = reached
        for at in members(before):
            reached |= borders[at]
    return reached == (1 << len(borders)) - 1


def members(provinces: int) -> list[int]:
    """The provinces of a set."""
    return [at for at in range(provinces.bit_length()) if provinces >> at & 1]


def subsets(provinces: int) -> Iterator[int]:
    """Every subset of a set, from the whole set to none."""
    some = provinces
    while some:
        yield some
        some = (some - 1) & provinces
    yield 0
