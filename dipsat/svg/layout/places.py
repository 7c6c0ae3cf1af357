"""Where units, names and supply centres stand in provinces of any outline.

Nothing covers anything else on a full board, and all of it lies in its province where there is
room. Where there is none, the name becomes smaller, or stands outside with a line that leads to its
province. The same picture always gives the same places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import hypot

from dipsat.board.map import Map
from dipsat.board.province import Province
from dipsat.svg.layout.boxes import Boxes, grown, meet
from dipsat.svg.layout.raster import Box, bounds_of, raster
from dipsat.svg.layout.room import (
    CENTRE,
    DISLODGED,
    STICKS_OUT,
    UNIT,
    Room,
    Stand,
    boxes_of,
    items,
    name_box,
    offsets_around,
)  # fmt: skip
from dipsat.svg.layout.shores import shores
from dipsat.svg.pictures.picture import Picture, Place, Point, Shape

__all__ = ["CENTRE", "DISLODGED", "SIZES", "UNIT", "name_box", "with_places"]

SIZES = (1.0, 0.85, 0.72)
"""The sizes of names, the usual one first; a smaller one is for a province without room."""

_TRIED = 12  # places of a unit for which all the rest is tried
_TRIED_IN_LARGE = 2  # the same where there are many provinces: they may all be without room
_LARGE = 300  # provinces; the largest shipped map has 269
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

    Of the picture's shapes only the rings count; whatever places they have are replaced. `map` says
    which provinces have supply centres and coasts. A coast's fleet stands near the shore that its
    province shares with the seas that only this coast borders; where they share none, on the side
    where these seas lie, or on the side that the coast is named after.

    `near` are places that somebody chose, in units of the picture: location, such as `MUN` or
    `STP/NC`, -> where about its unit stands. `names` are the same for names: province -> the middle
    of its name, which is then taken as it stands. `is_layered` says that provinces may cover
    earlier ones, and blank land all of them: things stand where a province is seen.
    """
    sheet = _Sheet(picture, map, near or {}, names or {}, is_layered)
    return replace(picture, shapes=sheet.shapes())


class _Sheet:
    """The provinces of a picture, which get their places one after another: those with the least
    room first, so that what does not fit into them can still stand beside them."""

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
        self.bounds = {code: cells.bounds for code, cells in self.rasters.items()}
        self.taken = Boxes(_OUTSIDE * self.scale)

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
        room = Room(
            self.rasters[code],
            self._taken_near(self.bounds[code]),
            self.scale,
            _TRIED if len(self.rasters) <= _LARGE else _TRIED_IN_LARGE,
        )
        stand = self._stand(code, province, room)
        place = Place(stand.unit, stand.dislodged, stand.label)
        boxes = items(stand, code, province.supply, self.scale)
        self.taken.add(boxes)
        room.blocked += boxes[1:]  # an army or a fleet of a coast stands here, never both
        coasts = self._coasts(province, room, stand) if province.coasts else {}
        rings = self.picture.shapes[code].rings
        return Shape(rings, place, stand.centre, coasts, stand.size, stand.leader)

    def _stand(self, code: str, province: Province, room: Room) -> Stand:
        """The best places in a province: with the usual name, else a smaller one, else outside."""
        best: Stand | None = None
        for size in SIZES:
            found = room.stand(
                code, size, province.supply, self.near.get(code), self.names.get(code)
            )
            if found.cost < STICKS_OUT * 0.35:
                return found
            if best is None or found.cost < best.cost - 10:
                best = found
        assert best is not None  # there are sizes
        bare = room.stand("", 1.0, province.supply, self.near.get(code), None)
        outside = self._outside(code, bare)
        return outside if outside and outside.cost < best.cost else best

    def _outside(self, code: str, bare: Stand) -> Stand | None:
        """The best place for the name outside: on another province that has the room for it."""
        best: Stand | None = None
        s = self.scale
        own = items(bare, "", True, s)
        for across, down in offsets_around(UNIT / 2 + 2, _OUTSIDE, 4.0):
            middle = bare.unit[0] + across * s, bare.unit[1] + down * s
            cost = bare.cost + hypot(across, down) + 8
            if best and cost >= best.cost:
                break
            box = name_box(middle, code, 1.0, s)
            if self._is_off(box) or any(meet(box, other) for other in own):
                continue
            if any(meet(box, other) for other in self._taken_near(box)):
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
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for other, cells in self.rasters.items():
            left, top, right, bottom = self.bounds[other]
            if not (left < x < right and top < y < bottom):
                continue
            if other != code and cells.covers(grown(box, self.scale)) > 0.99:
                cost = 0.0 if self.map.provinces[other].kind == "sea" else 14.0
                return cost + (40.0 if cells.area < 8 * room else 0.0)
        return 30.0

    def _coasts(self, province: Province, room: Room, stand: Stand) -> dict[str, Place]:
        """The places of the fleets on several coasts."""
        found: dict[str, Place] = {}
        towards = shores(self.picture, self.map, province, self.rasters)
        lost = [boxes_of(Place(stand.unit, stand.dislodged), self.scale)[1]]
        for coast in province.coasts:
            others = [point for other, line in towards.items() if other != coast for point in line]
            wish = self.near.get(f"{province.code}/{coast}")
            place = room.on_shore(towards[coast], others, stand, wish, lost)
            found[coast] = place
            boxes = boxes_of(place, self.scale)
            self.taken.add(boxes)
            room.blocked += boxes
            lost.append(boxes[1])
        return found

    def _taken_near(self, box: Box) -> list[Box]:
        return self.taken.near(grown(box, UNIT * self.scale))


def _leader(unit: Point, box: Box, s: float) -> tuple[Point, ...]:
    """The line from the nearest point of a name to the edge of its unit."""
    start = min(max(unit[0], box[0]), box[2]), min(max(unit[1], box[1]), box[3])
    away = hypot(start[0] - unit[0], start[1] - unit[1])
    part = min((UNIT / 2 - 2) * s / away, 1.0) if away else 1.0
    end = unit[0] + (start[0] - unit[0]) * part, unit[1] + (start[1] - unit[1]) * part
    return start, end
