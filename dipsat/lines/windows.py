"""Parts of a large map in which a first line is looked for.

Anywhere on a large map, the first line that a solver finds has three times as many units as are
needed, and it takes minutes to halve them. Where the enemy has all but a window of the map, the
question is as small as that about a small map, and the best line of the best window is often the
smallest at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from dipsat.lines.placement import PlacementModel

_LARGE = 100
"""A map with more provinces has windows; on smaller ones a search takes seconds without."""
_LEAST = 40  # provinces of a window, about half of the standard map
_AROUND = 1.7
"""A window has so many times the provinces that would have as many centres on average."""
_STEP = 5
"""One in so many of a window's provinces, those in its middle, are the middle of no other."""


def windows(model: PlacementModel) -> Iterator[tuple[int, ...]]:
    """For each window of a large map, what says that the enemy has the rest of the map."""
    terms, provinces = model.terms, model.provinces
    supply = terms.map.centers
    centres = terms.centres or len(terms.protect.intersection(supply))
    size = max(_LEAST, int(_AROUND * len(provinces) * centres / max(1, len(supply))))
    if len(provinces) <= _LARGE or size >= len(provinces):
        return
    done = set[str]()
    for province in provinces:
        if province not in done:
            window = _around(province, model.near, size)
            done.update(window[: size // _STEP])
            inside = frozenset(window)
            if terms.protect <= inside:
                yield tuple(model.outside[one] for one in provinces if one not in inside)


def _around(province: str, near: Mapping[str, Set[str]], size: int) -> list[str]:
    """So many provinces, the nearest first."""
    found, seen = [province], {province}
    for one in found:
        for other in sorted(near[one] - seen):
            if len(found) < size:
                seen.add(other)
                found.append(other)
    return found
