"""Outlines cut into the arcs that neighbours share, as a picture keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from dipsat.draw.map_picture import Point, Ring

Segment = tuple[Point, Point]
"""Two neighbouring points of an outline, the smaller one first."""


class Topology:
    """The arcs of outlines in which neighbours have the same points along their common borders."""

    def __init__(self, outlines: Mapping[str, Iterable[Sequence[Point]]]) -> None:
        """`outlines` are the closed rings of each area, whose last point repeats the first."""
        self.arcs: list[tuple[Point, ...]] = []
        self.rings: dict[str, tuple[Ring, ...]] = {}
        self._index: dict[tuple[Point, ...], int] = {}
        rings = {name: [_distinct(ring) for ring in found] for name, found in outlines.items()}
        joints = _joints(rings)
        for name, found in sorted(rings.items()):
            whole = sorted((ring for ring in found if len(ring) > 3), key=_size, reverse=True)
            self.rings[name] = tuple(self._ring(ring, joints) for ring in whole)

    def _ring(self, ring: Sequence[Point], joints: set[Point]) -> Ring:
        """The arcs of a ring, cut at its joints. Whatever its direction and start were, it now
        turns the usual way and starts at its least joint, or at its least point without joints."""
        points = list(ring[:-1])
        if _doubled_area(ring) < 0:
            points.reverse()
        ends = [point for point in points if point in joints] or points
        start = points.index(min(ends))
        turned = [*points[start:], *points[: start + 1]]
        cuts = [0, *(at for at in range(1, len(points)) if turned[at] in joints), len(points)]
        return tuple(self._arc(tuple(turned[a : b + 1])) for a, b in pairwise(cuts))

    def _arc(self, line: tuple[Point, ...]) -> int:
        if line in self._index:
            return self._index[line]
        if line[::-1] in self._index:
            return ~self._index[line[::-1]]
        self._index[line] = len(self.arcs)
        self.arcs.append(line)
        return self._index[line]


def _doubled_area(ring: Sequence[Point]) -> float:
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise(ring))


def _size(ring: Sequence[Point]) -> tuple[float, Point]:
    return abs(_doubled_area(ring)), min(ring)


def _distinct(ring: Iterable[Point]) -> list[Point]:
    """A ring without points that repeat the previous point."""
    found: list[Point] = []
    for point in ring:
        if not found or found[-1] != point:
            found.append(point)
    return found


def _joints(rings: Mapping[str, Sequence[Sequence[Point]]]) -> set[Point]:
    """The points where arcs begin and end, because the areas on the two sides of a line change."""
    sides: dict[Segment, list[str]] = {}
    for name, found in rings.items():
        for ring in found:
            for one, other in pairwise(ring):
                sides.setdefault((min(one, other), max(one, other)), []).append(name)
    lines: dict[Point, list[tuple[str, ...]]] = {}
    for segment, names in sides.items():
        for point in segment:
            lines.setdefault(point, []).append(tuple(sorted(names)))
    return {
        point for point, meeting in lines.items() if len(meeting) != 2 or len(set(meeting)) != 1
    }
