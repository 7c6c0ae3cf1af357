"""Where units, names and supply centres stand in provinces of any outline.

Even on a full board nothing covers anything else, and everything lies in its province where there
is room. Without room, the name becomes smaller, or is outside with a line that leads to its
province. The same picture always gives the same places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, repeat, takewhile
from math import ceil, dist, hypot, inf

from dipsat.board import Map, Province, province_of
from dipsat.draw.map_picture import Picture, Place, Point, Shape
from dipsat.draw.markup import width_of
from dipsat.draw.raster import Box, Raster, bounds_of, box_around, grown, meet, raster

UNIT = 20.0
"""The width and height of a unit. These measures are all multiplied by the picture's `scale`."""
DISLODGED = 14.0
"""The width and height of a dislodged unit, beside the one that dislodged it."""
CENTRE = 4.0
"""The radius of a supply centre."""
NAME_SIZE = 10.0
"""The font size of a name of size 1."""
NAME_HEIGHT = 9.0
"""The height of a name of size 1; no letter goes below the line."""

COAST_SIZE = 0.72
"""The size of the name of a coast."""

STICKS_OUT = 60.0
"""The cost of a thing outside its province, in the units of costs for distance."""
_LOST = (DISLODGED, DISLODGED)
_GAP = 0.7  # between things
_CORNER = (UNIT + DISLODGED) / 2 + _GAP  # from a unit to the one it dislodged, across and up
_REACH = 34.0  # from a unit to its name, at most
_BAD = 1000.0  # the cost of a thing that covers another one
_ASTRAY = 40.0  # the cost of a unit dislodged from a coast if it is not well inside its province
_WELL = 4.0  # the width of the part that must be inside for that
_TRIED = 8  # places of a unit for which everything else is tried
_STEP = 3.0  # between the places that are tried around a unit
_LOST_REACH = 26.0  # from a unit to the one that it dislodged, at most


def name_box(middle: Point, code: str, size: float, scale: float) -> Box:
    """The box around a name."""
    return box_around(middle, name_width(code) * size * scale, NAME_HEIGHT * size * scale)


_Stand = tuple[float, Shape]
"""The cost of an arrangement of a province's things, and the arrangement without outlines."""


class _Room:
    """The room that one province has."""

    def __init__(self, raster: Raster, blocked: Sequence[Box], scale: float) -> None:
        self.raster, self.blocked, self.scale = raster, list(blocked), scale

    def stand(
        self, code: str, size: float, supply: bool, wish: Point | None, name: Point | None
    ) -> _Stand:
        """The best places of the unit and the things beside it, without a name if `code` is ""."""
        best: _Stand | None = None
        for cost, unit in self._units(wish):
            limit = best[0] if best else inf
            if cost >= limit:
                break
            found = self._around(unit, cost, code, size, supply, name, limit)
            if found[0] < limit:
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
        sides = [(UNIT + 2 + 9 * wide) * s for wide in (1, 2, 3, 4)]
        for point in (*([wish] if wish else ()), *raster.points(step)):
            cost = self._cost(box_around(point, (UNIT + 2) * s, (UNIT + 2) * s))
            boxes = (box_around(point, side, side) for side in sides if cost == 0 and not wish)
            wide = sum(1 for _ in takewhile(lambda box: raster.covers(box) >= 1, boxes))
            away = dist(point, aim)
            far = 12 * away / spread if not wish else 2 * away / s
            found.append((cost * 1.5 + far + 3.0 * (4 - wide), point))
        if not found:
            points = list(raster.points(raster.grain))  # the province is thin
            return [(0.0, points[len(points) // 2] if points else raster.middle)]
        found.sort()
        least = found[0][0]
        kept: list[tuple[float, Point]] = []
        for cost, point in found:
            if len(kept) < _TRIED and all(dist(point, other) >= 2.4 * s for _, other in kept):
                kept.append((cost - least, point))
        return kept

    def _around(
        self,
        unit: Point,
        cost: float,
        code: str,
        size: float,
        supply: bool,
        name: Point | None,
        limit: float,
    ) -> _Stand:
        """The best arrangement around a unit: first the name, then the centre beside it. An
        arrangement that costs the limit or more is useless."""
        s = self.scale
        boxes = [box_around(unit, UNIT * s, UNIT * s)]
        wide, high = name_width(code) * size if code else 0.0, NAME_HEIGHT * size
        label = name or unit
        if code:
            cost += 40 * (1 - size)
            if name is None:
                aim = unit[0], unit[1] + ceil(UNIT + high + 2 * _GAP) / 2 * s
                more, label = self._best(unit, boxes, (wide, high), _REACH, aim, 6.0, limit - cost)
                cost += more
            elif meet(boxes[0], name_box(name, code, size, s)):
                cost += _BAD
            boxes.append(name_box(label, code, size, s))
        centre = unit
        if supply:  # left of the name, like a sign before a word, or else right of it
            beside = (wide / 2 + CENTRE + 1) * s if code else 0.0
            reach, round_one = _REACH if name is None else 2 * _REACH, (2 * CENTRE, 2 * CENTRE)
            left, right = ((label[0] + side * beside, label[1]) for side in (-1, 1))
            more, centre = self._best(unit, boxes, round_one, reach, left, 1.0, limit - cost)
            if more > 2:
                other = self._best(unit, boxes, round_one, reach, right, 1.0, more - 2)
                if other[0] < more - 2:
                    more, centre = other
            cost += more
            boxes.append(box_around(centre, 2 * CENTRE * s, 2 * CENTRE * s))
        aim = unit[0] + _CORNER * s, unit[1] - _CORNER * s
        more, dislodged = self._best(unit, boxes, _LOST, _LOST_REACH, aim, 0.3, limit - cost)
        place = Place(unit, dislodged, label if code else None)
        return cost + more, Shape((), place, centre, size=size)

    def _best(
        self,
        unit: Point,
        boxes: Sequence[Box],
        size: tuple[float, float],
        reach: float,
        aim: Point,
        weight: float,
        limit: float = inf,
        astray: float = 0.0,
    ) -> tuple[float, Point]:
        """The cost and the middle of the best place of this size near the unit, apart from `boxes`
        and cheaper than the limit. `astray` is the cost of a middle outside the province."""
        s = self.scale
        best = (limit, unit)
        offset = round(2 * (aim[0] - unit[0]) / s) / 2, round(2 * (aim[1] - unit[1]) / s) / 2
        for cost, across, down in towards(size, reach, offset):
            if cost >= best[0]:
                break
            point = unit[0] + across * s, unit[1] + down * s
            roomy = grown(box_around(point, size[0] * s, size[1] * s), _GAP * s)
            cost += sum(_BAD for other in boxes if meet(roomy, other))
            if cost < best[0]:
                cost += self._cost(roomy) * weight
                if astray and self.raster.covers(box_around(point, _WELL * s, _WELL * s)) < 1:
                    cost += astray
                best = min(best, (cost, point))
        return best

    def _cost(self, box: Box) -> float:
        """The cost of a thing in this box: it may be outside the province, or on another thing."""
        cost = STICKS_OUT * (1 - self.raster.covers(box))
        return cost + _BAD * any(meet(box, other) for other in self.blocked)

    def on_shore(
        self,
        shore: Sequence[Point],
        others: Sequence[Point],
        main: Point,
        wish: Point | None,
        lost: Sequence[Box],
    ) -> Place:
        """Where a fleet stands on one of several coasts. Other units stand at `main`. `lost` are
        the places of units dislodged elsewhere in the province: a fleet dislodged here may cover
        them, since only one unit of a province is dislodged at a time."""
        s = self.scale
        taken = box_around(main, UNIT * s, UNIT * s)
        middle = sum(x for x, _ in shore) / len(shore), sum(y for _, y in shore) / len(shore)
        best = (inf, main)
        for point in (*filter(None, [wish]), *self.raster.points(max(2 * s, self.raster.grain))):
            box = box_around(point, UNIT * s, UNIT * s)
            if wish:
                cost = 2 * dist(point, wish) / s
            else:
                away, wrong = _distance(point, shore), _distance(point, others)
                cost = 1.5 * max(away - UNIT / 2 * s, 0) / s - 0.3 * min(wrong / s, 60)
                cost += 0.05 * dist(point, middle) / s
            if cost < best[0]:
                cost += self._cost(box) * 0.5 + (25 if meet(box, taken) else 0)
                best = min(best, (cost, point))
        unit = best[1]
        boxes = [box_around(unit, UNIT * s, UNIT * s), taken]
        aim = unit[0] + _CORNER * s, unit[1] - _CORNER * s
        apart = _Room(self.raster, [box for box in self.blocked if box not in lost], s)
        _, dislodged = apart._best(unit, boxes, _LOST, _LOST_REACH, aim, 0.15, astray=_ASTRAY)
        return Place(unit, dislodged)


def name_width(code: str) -> float:
    """The width of a name of size 1, in bold letters."""
    return round(width_of(code, NAME_SIZE) * 1.03 + 1)


def _items(shape: Shape, code: str, supply: bool, s: float) -> list[Box]:
    """The boxes of all things in a province."""
    found = [*boxes_of(shape.place, s)]
    if shape.place.label is not None:
        found.append(name_box(shape.place.label, code, shape.size, s))
    if supply:
        found.append(box_around(shape.centre, 2 * CENTRE * s, 2 * CENTRE * s))
    return found


def boxes_of(place: Place, s: float) -> tuple[Box, Box]:
    """The boxes of a unit and of the one that it dislodged."""
    return (
        box_around(place.unit, UNIT * s, UNIT * s),
        box_around(place.dislodged, DISLODGED * s, DISLODGED * s),
    )


@lru_cache(4096)
def towards(
    size: tuple[float, float], most: float, aim: Point
) -> tuple[tuple[float, float, float], ...]:
    """The places of a box around a unit, apart from it and at most `most` away in each direction,
    each after its cost. The cost is proportional to the distance from the aim."""
    across, down = ((UNIT + one) / 2 + _GAP for one in size)
    steps = [_STEP * step for step in range(-round(most / _STEP), round(most / _STEP) + 1)]
    found = {(x, y) for x in steps for y in steps} | {aim}
    apart = [(x, y) for x, y in found if abs(x) >= across or abs(y) >= down]
    return tuple(sorted((0.25 * hypot(x - aim[0], y - aim[1]), x, y) for x, y in apart))


def _distance(point: Point, line: Sequence[Point]) -> float:
    return min(map(dist, repeat(point), line), default=inf)


# --- Shores ---------------------------------------------------------------------------------------

_SIDES: Mapping[str, Point] = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}
"""The first letter of a coast's suffix -> the side on which the coast lies; y grows downwards."""

_BESIDE = 12.0  # the width of the area examined around a point of an outline
_WET = 0.2  # how much of that area is water on a shore
_ENOUGH = 80
"""The most points that represent a shore."""


def shores(
    picture: Picture, map: Map, province: Province, rasters: Mapping[str, Raster]
) -> dict[str, list[Point]]:
    """Return coast -> points along its shore, at least one for each coast.

    The shore of a coast is the part of its province's outline beside the seas that only this coast
    borders. `rasters` has the visible parts of the provinces.
    """
    around, beside = _around(picture, picture.shapes[province.code]), _BESIDE * picture.scale
    found: dict[str, list[Point]] = {}
    for coast in province.coasts:
        seas = _seas_of(map, province, coast)
        waters = [rasters[sea] for sea in seas if sea in rasters]
        shore = [
            point
            for point in around
            if any(water.covers(box_around(point, beside, beside)) > _WET for water in waters)
        ]
        shore = shore[:: len(shore) // _ENOUGH + 1]
        found[coast] = shore or [_guess(picture, rasters[province.code], coast, seas)]
    return found


def _seas_of(map: Map, province: Province, coast: str) -> list[str]:
    """The seas that only this coast of the province borders, or else all seas that it borders."""
    own = {province_of(place) for place in map.fleet.get(f"{province.code}/{coast}", ())}
    others = {
        province_of(place)
        for other in province.coasts
        if other != coast
        for place in map.fleet.get(f"{province.code}/{other}", ())
    }
    seas = {code for code in own if map.provinces[code].kind == "sea"}
    return sorted(seas - others or seas or own - others or own)


def _around(picture: Picture, shape: Shape) -> list[Point]:
    """Points along all outlines of a province, close enough to measure distances to."""
    points: list[Point] = []
    for outline in map(picture.outline, shape.rings):
        for (x, y), (to_x, to_y) in pairwise((*outline, outline[0])):
            parts = max(1, ceil(hypot(to_x - x, to_y - y) / (8 * picture.scale)))
            points += [
                (x + (to_x - x) * part / parts, y + (to_y - y) * part / parts)
                for part in range(parts)
            ]
    return points


def _guess(picture: Picture, raster: Raster, coast: str, seas: list[str]) -> Point:
    """Where a coast that touches none of its seas may lie: where its name says, or towards them."""
    left, top, right, bottom = raster.bounds
    x, y = raster.middle
    points = [
        picture.outline(picture.shapes[sea].rings[0])[0] for sea in seas if sea in picture.shapes
    ]
    to_x, to_y = points[0] if points else (x, y)
    away = dist((x, y), (to_x, to_y)) or 1.0
    way = _SIDES.get(coast[:1].upper(), ((to_x - x) / away, (to_y - y) / away))
    return x + way[0] * (right - left) / 2, y + way[1] * (bottom - top) / 2


# --- All provinces --------------------------------------------------------------------------------

SIZES = (1.0, 0.85, 0.72)
"""The sizes of names, the usual one first; a smaller one is for a province without room."""

_OUTSIDE = 64.0  # from a province to a name outside, at most


def with_places(
    picture: Picture,
    map: Map,
    *,
    near: Mapping[str, Point] | None = None,
    names: Mapping[str, Point] | None = None,
    is_layered: bool = False,
) -> Picture:
    """Return the picture with the places of its units, names and supply centres.

    Only the rings of the picture's shapes count; any places that they have are replaced. `map` says
    which provinces have supply centres and coasts. A coast's fleet stands near the shore that its
    province shares with the seas that only this coast borders; without such a shore, on the side
    where these seas lie, or on the side that the coast is named after.

    `near` has chosen places in units of the picture: location, such as `MUN` or `STP/NC`, -> where
    its unit stands, approximately. `names` has chosen places of names: province -> the middle of
    its name, which is used exactly. `is_layered` says that provinces may cover earlier ones, and
    blank land may cover any: things are placed where a province is visible.
    """
    sheet = _Sheet(picture, map, near or {}, names or {}, is_layered)
    by_area = sorted(sheet.rasters, key=lambda code: (sheet.rasters[code].area, code))
    found = {code: sheet.placed(code) for code in by_area}
    placed = replace(picture, shapes={code: found[code] for code in picture.shapes})
    return with_coast_names(placed, map)


def with_coast_names(picture: Picture, map: Map) -> Picture:
    """The picture with the names of coasts, if a province has several, each beside its fleet: in
    the province if there is room, else in the sea, where it covers nothing."""
    s, shapes = picture.scale, dict(picture.shapes)
    taken = []
    for code, shape in shapes.items():
        taken += _items(shape, code, map.provinces[code].supply, s)
        taken += [box for place in shape.coasts.values() for box in boxes_of(place, s)]
        taken += [name_box(label, code, shape.size, s) for label in shape.again]
    for code, shape in picture.shapes.items():
        cells = raster([picture.outline(ring) for ring in shape.rings], s)
        coasts = {}
        for coast, place in shape.coasts.items():
            size = name_width(coast) * COAST_SIZE, NAME_HEIGHT * COAST_SIZE
            around = box_around(place.unit, 4 * _REACH * s, 4 * _REACH * s)
            near = [box for box in taken if meet(box, around)]
            best = (inf, place.unit)
            for cost, across, down in towards(size, _REACH, (0.0, (UNIT + NAME_HEIGHT) / 2)):
                if cost >= best[0]:
                    break
                point = place.unit[0] + across * s, place.unit[1] + down * s
                box = grown(box_around(point, size[0] * s, size[1] * s), _GAP * s)
                is_off = min(box) < 0 or box[2] > picture.width or box[3] > picture.height
                cost += _BAD * (is_off or any(meet(box, other) for other in near))
                inside = cells.covers(box)
                best = min(best, (cost + 4 * (1 - inside) + 12 * (0 < inside < 1), point))
            taken.append(box_around(best[1], size[0] * s, size[1] * s))
            coasts[coast] = replace(place, label=best[1])
        shapes[code] = replace(shape, coasts=coasts)
    return replace(picture, shapes=shapes)


class _Sheet:
    """Gives the provinces of a picture their places one after another. Those with the least room
    come first, so that whatever does not fit into them can still be beside them."""

    def __init__(
        self,
        picture: Picture,
        map: Map,
        near: Mapping[str, Point],
        names: Mapping[str, Point],
        is_layered: bool,
    ) -> None:
        self.picture, self.map, self.near, self.names = picture, map, near, names
        self.scale = picture.scale
        outlines = {
            code: [picture.outline(ring) for ring in shape.rings]
            for code, shape in picture.shapes.items()
        }
        blank = [[picture.outline(ring)] for ring in picture.blank]
        drawn = [*outlines.values(), *blank] if is_layered else []
        boxes = [bounds_of(rings) for rings in drawn]

        def above(at: int) -> list[list[list[Point]]]:
            later = range(at + 1, len(drawn))
            return [drawn[other] for other in later if meet(boxes[other], boxes[at])]

        self.rasters = {
            code: raster(rings, self.scale, above(at))
            for at, (code, rings) in enumerate(outlines.items())
        }
        self.taken: list[Box] = []

    def placed(self, code: str) -> Shape:
        """A province with its places."""
        province, cells = self.map.provinces[code], self.rasters[code]
        room = _Room(cells, self._taken_near(cells.bounds), self.scale)
        shape = self._stand(code, province, room)
        boxes = _items(shape, code, province.supply, self.scale)
        self.taken += boxes
        room.blocked += boxes[1:]  # the province has an army or a fleet on a coast, never both
        coasts = self._coasts(province, room, shape.place) if province.coasts else {}
        return replace(shape, rings=self.picture.shapes[code].rings, coasts=coasts)

    def _stand(self, code: str, province: Province, room: _Room) -> Shape:
        """The best places in a province: with the name in its usual size, smaller, or outside."""
        near, name = self.near.get(code), self.names.get(code)
        stands = []
        for size in SIZES:
            stands.append(room.stand(code, size, province.supply, near, name))
            if stands[-1][0] < STICKS_OUT * 0.35:
                return stands[-1][1]
        bare = room.stand("", 1.0, province.supply, near, None)
        return self._outside(code, bare, min(stands, key=lambda stand: stand[0]))

    def _outside(self, code: str, bare: _Stand, best: _Stand) -> Shape:
        """The best arrangement with the name outside, on another province that has room for it;
        `best` if there is none."""
        s, picture, (least, shape) = self.scale, self.picture, bare
        x, y = unit = shape.place.unit
        around = box_around(unit, 3 * _OUTSIDE * s, 3 * _OUTSIDE * s)
        taken = [*_items(shape, "", True, s), *self._taken_near(around)]
        size = name_width(code), NAME_HEIGHT
        for far, across, down in towards(size, _OUTSIDE, (0.0, (UNIT + NAME_HEIGHT) / 2 + 1)):
            cost = least + 4 * far + 8
            if cost >= best[0]:
                break
            middle = x + across * s, y + down * s
            box = name_box(middle, code, 1.0, s)
            is_off = min(box) < 2 or box[2] > picture.width - 2 or box[3] > picture.height - 2
            if is_off or any(meet(box, other) for other in taken):
                continue
            cost += self._cost_of_ground(code, box)
            if cost < best[0]:
                place = replace(shape.place, label=middle)
                best = cost, replace(shape, place=place, leader=_leader(unit, box, s))
        return best[1]

    def _cost_of_ground(self, code: str, box: Box) -> float:
        """The cost of a name on this ground: low if wholly in water, high in a small province."""
        for other, cells in self.rasters.items():
            if other != code and cells.covers(grown(box, self.scale)) > 0.99:
                cost = 0.0 if self.map.provinces[other].kind == "sea" else 14.0
                return cost + (40.0 if cells.area < 8 * (UNIT * self.scale) ** 2 else 0.0)
        return 30.0

    def _coasts(self, province: Province, room: _Room, main: Place) -> dict[str, Place]:
        """The places of the fleets on several coasts."""
        found: dict[str, Place] = {}
        lines = shores(self.picture, self.map, province, self.rasters)
        lost = [boxes_of(main, self.scale)[1]]
        for coast, line in lines.items():
            others = [point for other in lines if other != coast for point in lines[other]]
            wish = self.near.get(f"{province.code}/{coast}")
            found[coast] = room.on_shore(line, others, main.unit, wish, lost)
            boxes = boxes_of(found[coast], self.scale)
            self.taken += boxes
            room.blocked += boxes
            lost.append(boxes[1])
        return found

    def _taken_near(self, box: Box) -> list[Box]:
        region = grown(box, UNIT * self.scale)
        return [one for one in self.taken if meet(one, region)]


def _leader(unit: Point, box: Box, s: float) -> tuple[Point, ...]:
    """The line from a name, at its point nearest to the unit, to the edge of the unit."""
    x, y = min(max(unit[0], box[0]), box[2]), min(max(unit[1], box[1]), box[3])
    part = min((UNIT / 2 - 2) * s / (dist(unit, (x, y)) or 1.0), 1.0)
    return (x, y), (unit[0] + (x - unit[0]) * part, unit[1] + (y - unit[1]) * part)
