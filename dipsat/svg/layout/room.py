"""The best places in one province: of its unit, and of what stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot, inf

from dipsat.svg.layout.boxes import box_around, grown, meet
from dipsat.svg.layout.raster import Box, Raster
from dipsat.svg.markup import width_of
from dipsat.svg.pictures.picture import Place, Point

UNIT = 20.0
"""The width and height of a unit; all these measures are multiplied by the picture's `scale`."""
DISLODGED = 14.0
"""The width and height of a dislodged unit, beside the one that dislodged it."""
CENTRE = 4.0
"""The radius of a supply centre."""
NAME_SIZE = 10.0
"""The font size of a name of size 1."""
NAME_HEIGHT = 9.0
"""The height of a name of size 1; it has no letters below the line."""

STICKS_OUT = 60.0
"""The cost of a thing that is outside its province, against its distance."""
_GAP = 0.7  # between things
_CORNER = (UNIT + DISLODGED) / 2 + _GAP  # from a unit to the one it dislodged, across and up
_REACH = 34.0  # from a unit to its name, at most
_BAD = 1000.0  # the cost of a thing that covers another one
_ASTRAY = 40.0  # the cost of a unit dislodged from a coast that is not well inside its province
_WELL = 4.0  # the width of what of it must be inside for that
_LOST_REACH = 26.0  # from a unit to the one that it dislodged, at most


def name_box(middle: Point, code: str, size: float, scale: float) -> Box:
    """The box around a name."""
    return box_around(middle, name_width(code) * size * scale, NAME_HEIGHT * size * scale)


@dataclass(frozen=True)
class Stand:
    """Where the things of a province stand, and how bad that is."""

    cost: float
    unit: Point
    label: Point
    dislodged: Point
    centre: Point
    size: float
    leader: tuple[Point, ...] = ()


class Room:
    """The room that one province has."""

    def __init__(
        self, raster: Raster, blocked: Sequence[Box], scale: float, tried: int = 12
    ) -> None:
        """`tried` is the number of places of a unit for which all the rest is tried."""
        self.raster, self.blocked, self.scale = raster, list(blocked), scale
        self.tried = tried

    def stand(
        self, code: str, size: float, supply: bool, wish: Point | None, name: Point | None
    ) -> Stand:
        """The best places of the unit and what is beside it, without a name if `code` is ""."""
        best: Stand | None = None
        for cost, unit in self._units(wish):
            if best and cost + _smallness(size) >= best.cost:
                break
            limit = best.cost if best else inf
            for found in self._beside(unit, cost, code, size, supply, name, limit):
                best = found
        assert best is not None  # every province has a middle
        return best

    def _units(self, wish: Point | None) -> list[tuple[float, Point]]:
        """Where the unit could stand, the best places first, each with its cost."""
        raster, s = self.raster, self.scale
        step = max(raster.grain, 2.5 * s, (raster.area / 400) ** 0.5)
        aim = wish or (raster.middle[0], raster.middle[1] - 5 * s)
        spread = max(raster.area**0.5, UNIT * s)
        found = []
        for point in (*([wish] if wish else ()), *raster.points(step)):
            cost = self._cost(box_around(point, (UNIT + 2) * s, (UNIT + 2) * s))
            wide = 0
            while wide < 4 and cost == 0 and not wish:
                side = (UNIT + 2 + 9 * (wide + 1)) * s
                if raster.covers(box_around(point, side, side)) < 1:
                    break
                wide += 1
            away = hypot(point[0] - aim[0], point[1] - aim[1])
            far = 12 * away / spread if not wish else 2 * away / s
            found.append((cost * 1.5 + far + 3.0 * (4 - wide), point))
        if not found:
            return [(0.0, _nearest_inside(raster))]
        found.sort()
        least = found[0][0]
        return [(cost - least, point) for cost, point in _apart(found, s, self.tried)]

    def _beside(
        self,
        unit: Point,
        cost: float,
        code: str,
        size: float,
        supply: bool,
        name: Point | None,
        limit: float,
    ) -> Iterator[Stand]:
        """The ways to stand around a unit, with the name on one side or another, that cost less
        than the limit: each less than the one before."""
        s = self.scale
        own = box_around(unit, UNIT * s, UNIT * s)
        wide, high = name_width(code) * size, NAME_HEIGHT * size
        names: Iterable[tuple[float, Point]] = [(0.0, name or unit)]
        if name is not None and meet(own, name_box(name, code, size, s)):
            names = [(_BAD, name)]
        if code and name is None:
            names = self._sides(unit, own, wide, high)
        cost += _smallness(size)
        for more, label in names:
            if cost + more >= limit:
                break
            boxes = [own]
            if code:
                boxes.append(box_around(label, wide * s, high * s))
            centre, dearer = unit, 0.0
            if supply:
                # Left of the name, as a sign before a word, or right of it.
                beside = (wide / 2 + CENTRE + 1) * s if code else 0.0
                reach = _REACH if name is None else 2 * _REACH
                aim = label[0] - beside, label[1]
                dearer, centre = self._best(unit, boxes, 2 * CENTRE, reach, aim, 1.0)
                if dearer > 2:
                    aim = label[0] + beside, label[1]
                    right = self._best(unit, boxes, 2 * CENTRE, reach, aim, 1.0, dearer - 2)
                    if right[0] < dearer - 2:
                        dearer, centre = right
                boxes.append(box_around(centre, 2 * CENTRE * s, 2 * CENTRE * s))
            aim = unit[0] + _CORNER * s, unit[1] - _CORNER * s
            left = limit - cost - more - dearer
            last, dislodged = self._best(unit, boxes, DISLODGED, _LOST_REACH, aim, 0.3, left)
            if last < left:
                limit = cost + more + dearer + last
                yield Stand(limit, unit, label, dislodged, centre, size)

    def _sides(
        self, unit: Point, own: Box, wide: float, high: float
    ) -> Iterator[tuple[float, Point]]:
        """The best place for a name on each of the best sides of the unit."""
        s = self.scale
        best: dict[tuple[int, int], tuple[float, Point]] = {}
        free = set()
        for cost, side, across, down in _name_places(wide, high):
            if side in best and best[side][0] <= cost:
                continue
            middle = unit[0] + across * s, unit[1] + down * s
            worse = self._cost(grown(box_around(middle, wide * s, high * s), s)) * 6
            if side not in best or cost + worse < best[side][0]:
                best[side] = cost + worse, middle
            if not worse:
                free.add(side)
                if len(free) == 3:
                    break
        yield from sorted(best.values())[:4]

    def _best(
        self,
        unit: Point,
        boxes: Sequence[Box],
        wide: float,
        reach: float,
        aim: Point,
        weight: float,
        limit: float = inf,
        astray: float = 0.0,
    ) -> tuple[float, Point]:
        """The cost and the middle of the best square place near the unit, apart from `boxes`; a
        place that costs the limit or more is none. `astray` is the cost of a middle outside."""
        s = self.scale
        best = (limit, unit)
        towards = round(2 * (aim[0] - unit[0]) / s) / 2, round(2 * (aim[1] - unit[1]) / s) / 2
        for cost, across, down in _towards((UNIT + wide) / 2 + _GAP, reach, towards):
            if cost >= best[0]:
                break
            point = unit[0] + across * s, unit[1] + down * s
            roomy = grown(box_around(point, wide * s, wide * s), _GAP * s)
            cost += sum(_BAD for other in boxes if meet(roomy, other))
            if cost < best[0]:
                cost += self._cost(roomy) * weight
                if astray and self.raster.covers(box_around(point, _WELL * s, _WELL * s)) < 1:
                    cost += astray
                best = min(best, (cost, point))
        return best

    def _cost(self, box: Box) -> float:
        """How bad it is that a thing stands here: outside the province, or on another thing."""
        cost = STICKS_OUT * (1 - self.raster.covers(box))
        return cost + sum(_BAD for other in self.blocked if meet(box, other))

    def on_shore(
        self,
        shore: Sequence[Point],
        others: Sequence[Point],
        stand: Stand,
        wish: Point | None,
        lost: Sequence[Box],
    ) -> Place:
        """Where a fleet stands on one of several coasts. `lost` are the places of units dislodged
        elsewhere in the province: a fleet dislodged here may cover them, since only one unit of a
        province is dislodged at a time."""
        s = self.scale
        main = box_around(stand.unit, UNIT * s, UNIT * s)
        middle = (
            sum(x for x, _ in shore) / len(shore),
            sum(y for _, y in shore) / len(shore),
        )
        best = (inf, stand.unit)
        for point in (
            *([wish] if wish else ()),
            *self.raster.points(max(2 * s, self.raster.grain)),
        ):
            box = box_around(point, UNIT * s, UNIT * s)
            if wish:
                cost = 2 * hypot(point[0] - wish[0], point[1] - wish[1]) / s
            else:
                away, wrong = _distance(point, shore), _distance(point, others)
                cost = 1.5 * max(away - UNIT / 2 * s, 0) / s - 0.3 * min(wrong / s, 60)
                cost += 0.05 * hypot(point[0] - middle[0], point[1] - middle[1]) / s
            if cost < best[0]:
                cost += self._cost(box) * 0.5 + (25 if meet(box, main) else 0)
                best = min(best, (cost, point))
        unit = best[1]
        boxes = [box_around(unit, UNIT * s, UNIT * s), main]
        aim = unit[0] + _CORNER * s, unit[1] - _CORNER * s
        apart = Room(self.raster, [box for box in self.blocked if box not in lost], s)
        _, dislodged = apart._best(unit, boxes, DISLODGED, _LOST_REACH, aim, 0.15, astray=_ASTRAY)
        return Place(unit, dislodged)


def name_width(code: str) -> float:
    """The width of a name of size 1, in bold letters."""
    return round(width_of(code, NAME_SIZE) * 1.03 + 1)


def items(stand: Stand, code: str, supply: bool, s: float) -> list[Box]:
    """The boxes of all that stands in a province."""
    found = [*boxes_of(Place(stand.unit, stand.dislodged), s)]
    if code:
        found.append(name_box(stand.label, code, stand.size, s))
    if supply:
        found.append(box_around(stand.centre, 2 * CENTRE * s, 2 * CENTRE * s))
    return found


def boxes_of(place: Place, s: float) -> tuple[Box, Box]:
    """The boxes of a unit and of the one that it dislodged."""
    return (
        box_around(place.unit, UNIT * s, UNIT * s),
        box_around(place.dislodged, DISLODGED * s, DISLODGED * s),
    )


def _nearest_inside(raster: Raster) -> Point:
    """A point of a province so thin that no grid point lies in it."""
    points = list(raster.points(raster.grain))
    return points[len(points) // 2] if points else raster.middle


def _apart(found: Sequence[tuple[float, Point]], s: float, most: int) -> list[tuple[float, Point]]:
    """The best places that are not almost the same."""
    kept: list[tuple[float, Point]] = []
    for cost, point in found:
        if all(hypot(point[0] - x, point[1] - y) >= 2.4 * s for _, (x, y) in kept):
            kept.append((cost, point))
            if len(kept) == most:
                break
    return kept


def _smallness(size: float) -> float:
    """The cost of a name that is smaller than usual."""
    return 40 * (1 - size)


@cache
def _name_places(
    wide: float, high: float
) -> tuple[tuple[float, tuple[int, int], float, float], ...]:
    """Where a name may stand around a unit: the cost, the side and the offset, the best first."""
    own = box_around((0.0, 0.0), UNIT + 2 * _GAP, UNIT + 2 * _GAP)
    down_sides = (UNIT + high) / 2 + _GAP
    beside = (UNIT + wide) / 2 + _GAP
    grid = offsets_around(0.0, _REACH, 4.0)
    offsets = {*grid}
    offsets |= {(x, sign * down_sides) for x, _ in grid for sign in (1, -1)}
    offsets |= {(sign * beside, y) for _, y in grid for sign in (1, -1)}
    found = []
    for across, down in sorted(offsets):
        if meet(box_around((across, down), wide - 0.01, high - 0.01), own):
            continue
        # Below is usual; what is far from the unit, above it or not in line with it is less good.
        beyond = max(abs(across) - wide / 2, 0) + max(abs(down) - high / 2, 0) - UNIT / 2
        cost = 0.9 * beyond + 0.12 * abs(across) + (3 if down < 0 else 0)
        found.append((cost, (_side(across, wide / 2), _side(down, high / 2)), across, down))
    found.sort()
    return tuple((cost - found[0][0], side, across, down) for cost, side, across, down in found)


@lru_cache(4096)
def _towards(least: float, most: float, aim: Point) -> tuple[tuple[float, float, float], ...]:
    """The points around a unit, each after its cost, which is its distance to the aim."""
    offsets = {*offsets_around(least, most, 3.0)}
    if max(abs(aim[0]), abs(aim[1])) >= least:
        offsets.add(aim)
    return tuple(sorted((0.25 * hypot(x - aim[0], y - aim[1]), x, y) for x, y in offsets))


@cache
def offsets_around(least: float, most: float, step: float) -> tuple[Point, ...]:
    """The points of a grid around (0, 0), the nearest first: not nearer than `least`, nor farther
    than `most`, in one direction at least."""
    count = round(most / step)
    points = [
        (across * step, down * step)
        for across in range(-count, count + 1)
        for down in range(-count, count + 1)
        if max(abs(across), abs(down)) * step >= least
    ]
    return tuple(sorted(points, key=lambda point: (hypot(*point), point)))


def _side(step: float, half: float) -> int:
    return 0 if abs(step) <= half else 1 if step > 0 else -1


def _distance(point: Point, line: Sequence[Point]) -> float:
    return min((hypot(point[0] - x, point[1] - y) for x, y in line), default=inf)
