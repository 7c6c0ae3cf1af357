"""Where the boxes of a graph with cycles stand, and the arrows between them.

The boxes go clockwise along the arrows. Those that are equally far along stand side by side, so
that a circular movement, in which each move depends on the next in several ways, is still a ring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import dist, hypot

from dipsat.grouped import grouped
from dipsat.svg.markup import element, number
from dipsat.svg.pictures.picture import Point

_GAP = (30.0, 46.0)  # between boxes side by side, and between rows
_BETWEEN = 64.0  # columns
_BENDS = (0.0, 0.14, -0.14, 0.3, -0.3, 0.5, -0.5, 0.8, -0.8, 1.15, -1.15, 1.5, -1.5)
"""How far an arrow may bend aside, as parts of its length."""
_MOST_IN_TWO_COLUMNS = 8
_CLEAR = 4.0  # between an arrow and a box that it leads to
_APART = 8.0  # between an arrow and a box that it passes, or the arrow back
_HEAD = 9.0
_SAMPLES = 48
_COST = 60.0  # of a sample in a box, as the length that an arrow may bend aside for it

Link = tuple[int, int]
"""An arrow, as the numbers of two boxes."""
Curve = tuple[Point, Point, Point]
"""Where an arrow starts, the point towards which it starts and from which it arrives, its end."""


@dataclass(frozen=True, slots=True)
class Ring:
    """The middles of boxes of one size, and the arrows between them."""

    middles: tuple[Point, ...]
    box: tuple[float, float]
    """The width and the height of a box."""
    curves: Mapping[Link, Curve]
    """The arrows."""
    size: tuple[float, float]
    """The width and the height of what the boxes and the arrows take."""


_MARGIN = 12.0


def ring_of(count: int, box: tuple[float, float], links: Iterable[Link]) -> Ring:
    """Boxes of a size along their links, as numbers of two boxes."""
    known = frozenset(links)
    groups = _along(count, known)
    places = _around([len(group) for group in groups], box)
    found: dict[int, Point] = {}
    for group, (x, y) in zip(groups, places, strict=True):
        step = box[0] + _GAP[0]
        for at, member in enumerate(group):
            found[member] = x + (at - (len(group) - 1) / 2) * step, y
    ways: dict[Link, Point] = {}
    for link in sorted(known):
        ways[link] = _way(found, box, link, ways)
    curves = {link: _between(found, box, link, way) for link, way in ways.items()}
    ends = [(x + side * box[0] / 2, y + side * box[1] / 2)
            for x, y in found.values() for side in (-1, 1)]  # fmt: skip
    ends += [_on(curve, 0.5) for curve in curves.values()]
    left, top = (min(end[at] for end in ends) - _MARGIN for at in (0, 1))
    right, bottom = (max(end[at] for end in ends) + _MARGIN for at in (0, 1))

    def moved(point: Point) -> Point:
        return point[0] - left, point[1] - top

    return Ring(
        tuple(moved(found[at]) for at in range(count)),
        box,
        {link: (moved(a), moved(b), moved(c)) for link, (a, b, c) in curves.items()},
        (right - left, bottom - top),
    )


def _way(
    middles: Mapping[int, Point], box: tuple[float, float], link: Link, ways: Mapping[Link, Point]
) -> Point:
    """The point towards which an arrow starts: straight on, unless a box, or the arrow back, is in
    its way. `ways` has those of the arrows before."""
    source, target = link
    start, end = middles[source], middles[target]
    if source == target:
        return start[0], start[1] + box[1] / 2 + 56
    others = [middle for at, middle in middles.items() if at not in link]
    length, back = dist(start, end), ways.get((target, source))
    costs: list[tuple[float, Point]] = []
    for bend in _BENDS:
        way = _aside(start, end, bend)
        is_apart = back is None or dist(way, back) > 2 * _APART
        met = _met((start, way, end), others, box)
        costs.append((abs(bend) * length + _COST * met + (0 if is_apart else length), way))
    return min(costs, key=lambda one: one[0])[1]


def _between(
    middles: Mapping[int, Point], box: tuple[float, float], link: Link, way: Point
) -> Curve:
    """The arrow between two boxes, or from one to itself."""
    start, end = (middles[at] for at in link)
    if link[0] == link[1]:
        bottom = end[1] + box[1] / 2
        return (end[0] - 26, bottom), way, (end[0] + 26, bottom + _CLEAR)
    return _at_box(start, way, box, 0.0), way, _at_box(end, way, box, _CLEAR)


def _on(curve: Curve, part: float) -> Point:
    """A point of a curve."""
    x, y = (
        (1 - part) ** 2 * a + 2 * part * (1 - part) * b + part**2 * c
        for a, b, c in zip(*curve, strict=True)
    )
    return x, y


def _along(count: int, links: frozenset[Link]) -> list[list[int]]:
    """The boxes by their distance from the first, along the longest way without going round."""
    after: Mapping[int, list[int]] = grouped(sorted(links))
    degree = [sum(at in link for link in links) for at in range(count)]
    order: list[int] = []  # each after those that it leads to, unless it closes a circle
    state = dict.fromkeys(range(count), 0)
    forward: dict[int, list[int]] = {at: [] for at in range(count)}

    def visit(at: int) -> None:
        state[at] = 1
        for other in after.get(at, ()):
            if state[other] != 1:
                forward[at].append(other)
            if not state[other]:
                visit(other)
        state[at] = 2
        order.append(at)

    for at in sorted(range(count), key=lambda at: (-degree[at], at)):
        if not state[at]:
            visit(at)
    far = dict.fromkeys(range(count), 0)
    for at in reversed(order):
        for other in forward[at]:
            far[other] = max(far[other], far[at] + 1)
    by_distance = grouped((far[at], at) for at in range(count))
    return [by_distance[distance] for distance in sorted(by_distance)]


def _around(members: Sequence[int], box: tuple[float, float]) -> list[Point]:
    """The middles of groups with so many members, clockwise from the top left."""
    count = len(members)
    is_broad = count > _MOST_IN_TWO_COLUMNS
    top = 1 if is_broad and count > 2 else 0  # groups between the two columns
    low = top - (count % 2) if top else 0
    right = (count - top - low) // 2
    columns = [
        [0, *range(count - 1, top + right + low, -1)],
        list(range(1, 1 + top)) + list(range(top + right + 1, top + right + low + 1)),
        list(range(top + 1, top + right + 1)),
    ]
    has_groups = max(members) > 1 and not is_broad
    rows = max(map(len, columns)) + 2 * has_groups
    left, found = 0.0, {}
    for at, column in enumerate(columns):
        if not column:
            continue
        widest = max(members[one] for one in column)
        width = widest * box[0] + (widest - 1) * _GAP[0]
        # The groups between the columns stand above and below, and the left column reaches
        # further up and down than the right one if arrows lead past one member to another.
        is_spread = at == 1 or (at == 0 and has_groups and len(column) > 1)
        for nth, one in enumerate(column):
            row = nth + (rows - len(column)) / 2
            if is_spread:
                row = nth * (rows - 1) / max(len(column) - 1, 1)
            found[one] = left + width / 2, row * (box[1] + _GAP[1])
        left += width + _BETWEEN
    return [found[at] for at in range(count)]


def arrow(curve: Curve, colour: str, *, bar: bool, **more: object) -> str:
    """An arrow, which ends in a head or in a bar."""
    first, way, last = curve
    along = (last[0] - way[0], last[1] - way[1])
    length = hypot(*along) or 1.0
    ahead = (along[0] / length, along[1] / length)
    aside = (-ahead[1], ahead[0])
    neck = last if bar else _moved(last, ahead, -_HEAD)
    path = f"M{_text(first)}Q{_text(way)} {_text(neck)}"
    line = element("path", d=path, fill="none", stroke=colour, stroke_width=1.8)
    if bar:
        ends = [_text(_moved(last, aside, side * 7.5)) for side in (-1, 1)]
        tip = element("path", d=f"M{ends[0]}L{ends[1]}", stroke=colour, stroke_width=3.2)
    else:
        ends = [_text(_moved(neck, aside, side * 4.5)) for side in (-1, 1)]
        tip = element("path", d=f"M{ends[0]}L{_text(last)}L{ends[1]}Z", fill=colour)
    return element("g", line, tip, **more)


def _aside(start: Point, end: Point, bend: float) -> Point:
    across, down = end[0] - start[0], end[1] - start[1]
    return (start[0] + end[0]) / 2 + bend * down, (start[1] + end[1]) / 2 - bend * across


def _met(curve: Curve, others: Sequence[Point], box: tuple[float, float]) -> int:
    """How much of a curve is in boxes or close to them."""
    found = 0
    for at in range(1, _SAMPLES):
        x, y = _on(curve, at / _SAMPLES)
        for middle in others:
            beside, above = abs(x - middle[0]) - box[0] / 2, abs(y - middle[1]) - box[1] / 2
            found += beside < _APART and above < _APART
    return found


def _moved(point: Point, way: Point, by: float) -> Point:
    return point[0] + way[0] * by, point[1] + way[1] * by


def _at_box(middle: Point, towards: Point, box: tuple[float, float], clear: float) -> Point:
    """Where the line from the middle of a box to a point leaves the box."""
    across, down = towards[0] - middle[0], towards[1] - middle[1]
    parts = [
        (size / 2 + clear) / abs(way)
        for size, way in zip(box, (across, down), strict=True)
        if abs(way) > 1e-9
    ]
    part = min(parts, default=0.0)
    return middle[0] + across * part, middle[1] + down * part


def _text(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
