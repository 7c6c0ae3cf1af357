"""Where units, names and supply centres stand in provinces of any outline.

Nothing covers anything else on a full board, and all of it lies in its province where there is
room. Where there is none, the name becomes smaller, or stands outside with a line that leads to its
province. The same picture always gives the same places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import hypot, inf

from dipsat.board.map import Map
from dipsat.board.province import Province
from dipsat.svg.layout.raster import Box, Raster, raster
from dipsat.svg.layout.shores import shores
from dipsat.svg.markup import width_of
from dipsat.svg.picture import Picture, Place, Point, Shape

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
SIZES = (1.0, 0.85, 0.72)
"""The sizes of names, the usual one first; a smaller one is for a province without room."""

_GAP = 0.7  # between things
_CORNER = (UNIT + DISLODGED) / 2 + _GAP  # from a unit to the one it dislodged, across and up
_REACH = 34.0  # from a unit to its name, at most
_OUTSIDE = 64.0  # from a province to a name outside, at most
_TRIED = 18  # places of a unit for which all the rest is tried
_STICKS_OUT = 60.0  # the cost of a thing that is outside its province, against its distance
_BAD = 1000.0  # the cost of a thing that covers another one


def with_places(
    picture: Picture,
    map: Map,
    *,
    near: Mapping[str, Point] | None = None,
    names: Mapping[str, Point] | None = None,
) -> Picture:
    """Return the picture with the places of its units, names and supply centres.

    Of the picture's shapes only the rings count; whatever places they have are replaced. `map` says
    which provinces have supply centres and coasts. A coast's fleet stands near the shore that its
    province shares with the seas that only this coast borders; where they share none, on the side
    where these seas lie, or on the side that the coast is named after.

    `near` are places that somebody chose, in units of the picture: location, such as `MUN` or
    `STP/NC`, -> where about its unit stands. `names` are the same for names: province -> the middle
    of its name, which is then taken as it stands.
    """
    return replace(picture, shapes=_Sheet(picture, map, near or {}, names or {}).shapes())


def name_box(middle: Point, code: str, size: float, scale: float) -> Box:
    """The box around a name."""
    return _box(middle, _width_of(code) * size * scale, NAME_HEIGHT * size * scale)


@dataclass(frozen=True)
class _Stand:
    """Where the things of a province stand, and how bad that is."""

    cost: float
    unit: Point
    label: Point
    dislodged: Point
    centre: Point
    size: float
    leader: tuple[Point, ...] = ()


class _Sheet:
    """The provinces of a picture, which get their places one after another: those with the least
    room first, so that what does not fit into them can still stand beside them."""

    def __init__(
        self, picture: Picture, map: Map, near: Mapping[str, Point], names: Mapping[str, Point]
    ) -> None:
        self.picture, self.map, self.near, self.names = picture, map, near, names
        self.scale = picture.scale
        self.rasters = {
            code: raster([picture.outline(ring) for ring in shape.rings], self.scale)
            for code, shape in picture.shapes.items()
        }
        self.taken: list[Box] = []

    def shapes(self) -> dict[str, Shape]:
        """The provinces with their places."""
        rasters = self.rasters
        found = {
            code: self._placed(code)
            for code in sorted(rasters, key=lambda code: (rasters[code].area, code))
        }
        return {code: found[code] for code in self.picture.shapes}

    def _placed(self, code: str) -> Shape:
        province = self.map.provinces[code]
        hall = _Hall(self.rasters[code], self._taken_near(self.rasters[code].bounds), self.scale)
        stand = self._stand(code, province, hall)
        place = Place(stand.unit, stand.dislodged, stand.label)
        boxes = _items(stand, code, province.supply, self.scale)
        self.taken += boxes
        hall.blocked += boxes[1:]  # an army or a fleet of a coast stands here, never both
        coasts = self._coasts(province, hall, stand) if province.coasts else {}
        rings = self.picture.shapes[code].rings
        return Shape(rings, place, stand.centre, coasts, stand.size, stand.leader)

    def _stand(self, code: str, province: Province, hall: _Hall) -> _Stand:
        """The best places in a province: with the usual name, else a smaller one, else outside."""
        best: _Stand | None = None
        for size in SIZES:
            found = hall.stand(
                code, size, province.supply, self.near.get(code), self.names.get(code)
            )
            if found.cost < _STICKS_OUT * 0.35:
                return found
            if best is None or found.cost < best.cost - 10:
                best = found
        assert best is not None  # there are sizes
        bare = hall.stand("", 1.0, province.supply, self.near.get(code), None)
        outside = self._outside(code, bare)
        return outside if outside and outside.cost < best.cost else best

    def _outside(self, code: str, bare: _Stand) -> _Stand | None:
        """The best place for the name outside: on another province that has the room for it."""
        best: _Stand | None = None
        s = self.scale
        own = _items(bare, "", True, s)
        for across, down in _around(UNIT / 2 + 2, _OUTSIDE, 4.0):
            middle = bare.unit[0] + across * s, bare.unit[1] + down * s
            cost = bare.cost + hypot(across, down) + 8
            if best and cost >= best.cost:
                break
            box = name_box(middle, code, 1.0, s)
            if self._is_off(box) or any(_meet(box, other) for other in own):
                continue
            if any(_meet(box, other) for other in self._taken_near(box)):
                continue
            cost += self._cost_of_ground(code, box)
            if best is None or cost < best.cost:
                leader = _leader(bare.unit, box, s)
                best = replace(bare, cost=cost, label=middle, size=1.0, leader=leader)
        return best

    def _is_off(self, box: Box) -> bool:
        picture = self.picture
        return box[0] < 2 or box[1] < 2 or box[2] > picture.width - 2 or box[3] > picture.height - 2

    def _cost_of_ground(self, code: str, box: Box) -> float:
        """How bad it is that a name stands on this ground: water that it lies in wholly is good,
        a small province is not."""
        room = (UNIT * self.scale) ** 2
        for other, cells in self.rasters.items():
            if other != code and cells.covers(_grown(box, self.scale)) > 0.99:
                cost = 0.0 if self.map.provinces[other].kind == "sea" else 14.0
                return cost + (40.0 if cells.area < 8 * room else 0.0)
        return 30.0

    def _coasts(self, province: Province, hall: _Hall, stand: _Stand) -> dict[str, Place]:
        """The places of the fleets on several coasts."""
        found: dict[str, Place] = {}
        towards = shores(self.picture, self.map, province, hall.raster)
        for coast in province.coasts:
            others = [point for other, line in towards.items() if other != coast for point in line]
            wish = self.near.get(f"{province.code}/{coast}")
            place = hall.on_shore(towards[coast], others, stand, wish)
            found[coast] = place
            self.taken += _boxes_of(place, self.scale)
            hall.blocked += _boxes_of(place, self.scale)
        return found

    def _taken_near(self, box: Box) -> list[Box]:
        around = _grown(box, UNIT * self.scale)
        return [other for other in self.taken if _meet(around, other)]


class _Hall:
    """The room that one province has."""

    def __init__(self, raster: Raster, blocked: Sequence[Box], scale: float) -> None:
        self.raster, self.blocked, self.scale = raster, list(blocked), scale

    def stand(
        self, code: str, size: float, supply: bool, wish: Point | None, name: Point | None
    ) -> _Stand:
        """The best places of the unit and what is beside it, without a name if `code` is ""."""
        best: _Stand | None = None
        for cost, unit in self._units(wish):
            if best and cost + _smallness(size) >= best.cost:
                break
            for found in self._beside(unit, cost, code, size, supply, name):
                if best is None or found.cost < best.cost:
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
            cost = self._cost(_box(point, (UNIT + 2) * s, (UNIT + 2) * s))
            wide = 0
            while wide < 4 and cost == 0 and not wish:
                side = (UNIT + 2 + 9 * (wide + 1)) * s
                if raster.covers(_box(point, side, side)) < 1:
                    break
                wide += 1
            away = hypot(point[0] - aim[0], point[1] - aim[1])
            far = 12 * away / spread if not wish else 2 * away / s
            found.append((cost * 1.5 + far + 3.0 * (4 - wide), point))
        if not found:
            return [(0.0, _nearest_inside(raster))]
        found.sort()
        least = found[0][0]
        return [(cost - least, point) for cost, point in _apart(found, s)]

    def _beside(
        self, unit: Point, cost: float, code: str, size: float, supply: bool, name: Point | None
    ) -> Iterator[_Stand]:
        """The ways to stand around a unit, one for each side that its name may stand on."""
        s = self.scale
        own = _box(unit, UNIT * s, UNIT * s)
        wide, high = _width_of(code) * size, NAME_HEIGHT * size
        names: Iterable[tuple[float, Point]] = [(0.0, name or unit)]
        if name is not None and _meet(own, name_box(name, code, size, s)):
            names = [(_BAD, name)]
        if code and name is None:
            names = self._sides(unit, own, wide, high)
        for more, label in names:
            boxes = [own]
            if code:
                boxes.append(_box(label, wide * s, high * s))
            centre, dearer = unit, 0.0
            if supply:
                # Left of the name, as a sign before a word, or right of it.
                beside = (wide / 2 + CENTRE + 1) * s if code else 0.0
                reach = _REACH if name is None else 2 * _REACH
                left, right = (
                    self._best(unit, boxes, 2 * CENTRE, reach, (label[0] + x, label[1]), 1.0)
                    for x in (-beside, beside)
                )
                dearer, centre = left if left[0] < right[0] + 2 else right
                boxes.append(_box(centre, 2 * CENTRE * s, 2 * CENTRE * s))
            aim = unit[0] + _CORNER * s, unit[1] - _CORNER * s
            last, dislodged = self._best(unit, boxes, DISLODGED, 26.0, aim, 0.3)
            total = cost + more + _smallness(size) + dearer + last
            yield _Stand(total, unit, label, dislodged, centre, size)

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
            worse = self._cost(_grown(_box(middle, wide * s, high * s), s)) * 6
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
    ) -> tuple[float, Point]:
        """The cost and the middle of the best square place near the unit, apart from `boxes`."""
        s = self.scale
        best = (inf, unit)
        towards = round(2 * (aim[0] - unit[0]) / s) / 2, round(2 * (aim[1] - unit[1]) / s) / 2
        for cost, across, down in _towards((UNIT + wide) / 2 + _GAP, reach, towards):
            if cost >= best[0]:
                break
            point = unit[0] + across * s, unit[1] + down * s
            roomy = _grown(_box(point, wide * s, wide * s), _GAP * s)
            cost += sum(_BAD for other in boxes if _meet(roomy, other))
            if cost < best[0]:
                cost += self._cost(roomy) * weight
                best = min(best, (cost, point))
        return best

    def _cost(self, box: Box) -> float:
        """How bad it is that a thing stands here: outside the province, or on another thing."""
        cost = _STICKS_OUT * (1 - self.raster.covers(box))
        return cost + sum(_BAD for other in self.blocked if _meet(box, other))

    def on_shore(
        self, shore: Sequence[Point], others: Sequence[Point], stand: _Stand, wish: Point | None
    ) -> Place:
        """Where a fleet stands on one of several coasts."""
        s = self.scale
        main = _box(stand.unit, UNIT * s, UNIT * s)
        middle = (
            sum(x for x, _ in shore) / len(shore),
            sum(y for _, y in shore) / len(shore),
        )
        best = (inf, stand.unit)
        for point in (
            *([wish] if wish else ()),
            *self.raster.points(max(2 * s, self.raster.grain)),
        ):
            box = _box(point, UNIT * s, UNIT * s)
            if wish:
                cost = 2 * hypot(point[0] - wish[0], point[1] - wish[1]) / s
            else:
                away, wrong = _distance(point, shore), _distance(point, others)
                cost = 1.5 * max(away - UNIT / 2 * s, 0) / s - 0.3 * min(wrong / s, 60)
                cost += 0.05 * hypot(point[0] - middle[0], point[1] - middle[1]) / s
            if cost < best[0]:
                cost += self._cost(box) * 0.5 + (25 if _meet(box, main) else 0)
                best = min(best, (cost, point))
        unit = best[1]
        boxes = [_box(unit, UNIT * s, UNIT * s), main]
        aim = unit[0] + _CORNER * s, unit[1] - _CORNER * s
        return Place(unit, self._best(unit, boxes, DISLODGED, 26.0, aim, 0.15)[1])


def _width_of(code: str) -> float:
    """The width of a name of size 1, in bold letters."""
    return round(width_of(code, NAME_SIZE) * 1.03 + 1)


def _items(stand: _Stand, code: str, supply: bool, s: float) -> list[Box]:
    """The boxes of all that stands in a province."""
    found = [*_boxes_of(Place(stand.unit, stand.dislodged), s)]
    if code:
        found.append(name_box(stand.label, code, stand.size, s))
    if supply:
        found.append(_box(stand.centre, 2 * CENTRE * s, 2 * CENTRE * s))
    return found


def _boxes_of(place: Place, s: float) -> tuple[Box, Box]:
    return (
        _box(place.unit, UNIT * s, UNIT * s),
        _box(place.dislodged, DISLODGED * s, DISLODGED * s),
    )


def _leader(unit: Point, box: Box, s: float) -> tuple[Point, ...]:
    """The line from the nearest point of a name to the edge of its unit."""
    start = min(max(unit[0], box[0]), box[2]), min(max(unit[1], box[1]), box[3])
    away = hypot(start[0] - unit[0], start[1] - unit[1])
    part = min((UNIT / 2 - 2) * s / away, 1.0) if away else 1.0
    end = unit[0] + (start[0] - unit[0]) * part, unit[1] + (start[1] - unit[1]) * part
    return start, end


def _nearest_inside(raster: Raster) -> Point:
    """A point of a province so thin that no grid point lies in it."""
    points = list(raster.points(raster.grain))
    return points[len(points) // 2] if points else raster.middle


def _apart(found: Sequence[tuple[float, Point]], s: float) -> list[tuple[float, Point]]:
    """The best places that are not almost the same."""
    kept: list[tuple[float, Point]] = []
    for cost, point in found:
        if all(hypot(point[0] - x, point[1] - y) >= 2.4 * s for _, (x, y) in kept):
            kept.append((cost, point))
            if len(kept) == _TRIED:
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
    own = _box((0.0, 0.0), UNIT + 2 * _GAP, UNIT + 2 * _GAP)
    down_sides = (UNIT + high) / 2 + _GAP
    beside = (UNIT + wide) / 2 + _GAP
    offsets = {*_around(0.0, _REACH, 3.0)}
    offsets |= {(x, sign * down_sides) for x, _ in _around(0.0, _REACH, 3.0) for sign in (1, -1)}
    offsets |= {(sign * beside, y) for _, y in _around(0.0, _REACH, 3.0) for sign in (1, -1)}
    found = []
    for across, down in sorted(offsets):
        if _meet(_box((across, down), wide - 0.01, high - 0.01), own):
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
    offsets = {*_around(least, most, 3.0)}
    if max(abs(aim[0]), abs(aim[1])) >= least:
        offsets.add(aim)
    return tuple(sorted((0.25 * hypot(x - aim[0], y - aim[1]), x, y) for x, y in offsets))


@cache
def _around(least: float, most: float, step: float) -> tuple[Point, ...]:
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


def _box(middle: Point, wide: float, high: float) -> Box:
    x, y = middle
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
