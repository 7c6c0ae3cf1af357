"""What a board shows, and where the lines of orders run: arrows are bent apart, supports lead to
the middle of the supported move, convoyed armies follow their fleets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import dist, hypot, inf

from dipsat.base import data_folder, read_text
from dipsat.board import Map, UnitKind, province_of
from dipsat.draw.map_picture import Picture, Point
from dipsat.draw.markup import element, number, words
from dipsat.draw.places import COAST_SIZE, name_box
from dipsat.draw.raster import Box
from dipsat.game import Position
from dipsat.orders import (
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)

_NO_UNIT = UnitName("")


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An order to be drawn, with its result if it has been judged."""

    power: str
    """The power that gave it."""
    unit: str
    """The ordered unit, such as `A PAR`; "" if it has none."""
    order: Order
    """The order itself."""
    text: str
    """Its text."""
    verdict: str = ""
    """The verdict in the words of `OrderOutcome.verdict`; "" if it has not been judged."""
    fate: str = ""
    """The fate of the unit in the words of `OrderOutcome.fate`."""
    reason: str = ""
    """The reason, for people."""
    is_given: bool = True
    """Whether the power gave it; units without orders hold or disband."""
    by_sea: bool = False
    """Whether it is a move by convoy."""
    is_lost: bool = False
    """Whether the unit stands beside the one that dislodged it."""

    @property
    def location(self) -> str:
        """The location of the unit; "" if there is none."""
        return self.unit.rpartition(" ")[2]

    @property
    def named(self) -> UnitName:
        """The unit as the order names it."""
        return _NO_UNIT if isinstance(self.order, Waive) else self.order.unit


@dataclass(frozen=True)
class Scene:
    """What a board shows."""

    map: Map
    """The map."""
    position: Position | None
    """The position; None for a map alone."""
    owners: Mapping[str, str]
    """Supply centre -> the power that owns it."""
    orders: tuple[DrawnOrder, ...] = ()
    """The orders of the phase."""
    last: tuple[DrawnOrder, ...] = ()
    """The orders of the phase before, with their results."""
    contested: tuple[str, ...] = ()
    """The provinces that a standoff left vacant."""
    title: str = ""
    """The map and the phase in words."""
    fates: Mapping[str, str] = field(default_factory=dict)
    """Location -> the fate of the unit there in the phase."""
    holders: Mapping[str, str] = field(default_factory=dict)
    """Land without a supply centre -> the power whose unit was last there."""

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Power -> its number in the names of classes."""
        return {name: at for at, name in enumerate(self.map.powers)}


# --- curves ---------------------------------------------------------------------------------------

# Curves for arrows: cubic Bezier curves end to end, in units of the picture.


Cubic = tuple[Point, Point, Point, Point]

_SHARES = tuple(share / 9 for share in range(1, 9))


@dataclass(frozen=True, slots=True)
class Curve:
    """Cubic Bezier curves, each beginning where the previous one ends, or at the opposite side edge
    of a round world."""

    parts: tuple[Cubic, ...]

    @property
    def path(self) -> str:
        """The curve as the `d` of an SVG path."""
        steps, at = "", None
        for part in self.parts:
            steps += "" if part[0] == at else f"M{spot(part[0])}"
            steps += f"C{' '.join(map(spot, part[1:]))}"
            at = part[3]
        return steps

    @property
    def start(self) -> Point:
        """Where it begins."""
        return self.parts[0][0]

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self.parts[-1][3]

    def at(self, share: float) -> Point:
        """The point at a share of the curve from 0 to 1, in which all parts count equally."""
        (a, b, c, d), t = self._part(share)
        s = 1 - t
        one, two, three, four = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        return (
            one * a[0] + two * b[0] + three * c[0] + four * d[0],
            one * a[1] + two * b[1] + three * c[1] + four * d[1],
        )

    def spread(self) -> list[Point]:
        """Points along the curve at equal steps, without its ends."""
        return [self.at(share) for share in _SHARES]

    def heading(self, share: float) -> Point:
        """The direction at a share of the curve, as a vector of length 1."""
        (a, b, c, d), t = self._part(share)
        s = 1 - t
        x = s * s * (b[0] - a[0]) + 2 * s * t * (c[0] - b[0]) + t * t * (d[0] - c[0])
        y = s * s * (b[1] - a[1]) + 2 * s * t * (c[1] - b[1]) + t * t * (d[1] - c[1])
        length = hypot(x, y)
        return (x / length, y / length) if length else (1.0, 0.0)

    def trimmed(self, start: float, end: float) -> Curve:
        """The curve, shortened by about these lengths at its start and end."""
        first, last = self.parts[0], self.parts[-1]
        if len(self.parts) == 1:
            length = chord(first) or 1.0
            low, high = min(start / length, 0.35), min(end / length, 0.45)
            _, rest = _split(first, low)
            kept, _ = _split(rest, 1 - high / (1 - low))
            return Curve((kept,))
        _, head = _split(first, min(start / (chord(first) or 1.0), 0.45))
        tail, _ = _split(last, 1 - min(end / (chord(last) or 1.0), 0.45))
        return Curve((head, *self.parts[1:-1], tail))

    def within(self, width: float, height: float) -> Curve:
        """The curve with its control points, and so itself, kept inside a board of this size."""

        def kept(point: Point) -> Point:
            return min(max(point[0], 0.0), width), min(max(point[1], 0.0), height)

        return Curve(tuple((a, kept(b), kept(c), d) for a, b, c, d in self.parts))

    def _part(self, share: float) -> tuple[Cubic, float]:
        scaled = min(max(share, 0.0), 1.0) * len(self.parts)
        index = min(int(scaled), len(self.parts) - 1)
        return self.parts[index], scaled - index


def spot(point: Point) -> str:
    """A point as SVG writes it."""
    return f"{number(point[0])} {number(point[1])}"


def bent(start: Point, end: Point, bend: float) -> Curve:
    """A curve whose middle is `bend` units to the left of the straight line on the screen, looking
    along it."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    off = bend * 4 / 3 / length  # the middle of a cubic lies at 3/4 of its control points
    ox, oy = dy * off, -dx * off
    one = start[0] + dx / 3 + ox, start[1] + dy / 3 + oy
    two = start[0] + dx * 2 / 3 + ox, start[1] + dy * 2 / 3 + oy
    return Curve(((start, one, two, end),))


def through(points: Sequence[Point]) -> Curve:
    """A smooth curve through several points."""
    parts = []
    for at in range(len(points) - 1):
        one, two = points[at], points[at + 1]
        before = points[at - 1] if at else one
        after = points[at + 2] if at + 2 < len(points) else two
        # By the part's own length: beside a much longer part it would bulge far beyond its ends.
        (ax, ay), (bx, by) = _towards(before, two), _towards(one, after)
        third = dist(one, two) / 3
        first = one[0] + ax * third, one[1] + ay * third
        parts.append((one, first, (two[0] - bx * third, two[1] - by * third), two))
    return Curve(tuple(parts))


def _towards(one: Point, other: Point) -> Point:
    """The direction from one point to another as a vector of length 1; (0, 0) between equals."""
    x, y = other[0] - one[0], other[1] - one[1]
    length = hypot(x, y) or 1.0
    return x / length, y / length


def chord(part: Cubic) -> float:
    """The straight distance between the ends of a part."""
    return dist(part[0], part[3])


def _split(part: Cubic, t: float) -> tuple[Cubic, Cubic]:
    """The pieces of a part before and after `t`."""
    a, b, c, d = part
    ab, bc, cd = _between(a, b, t), _between(b, c, t), _between(c, d, t)
    abc, bcd = _between(ab, bc, t), _between(bc, cd, t)
    middle = _between(abc, bcd, t)
    return (a, ab, abc, middle), (middle, bcd, cd, d)


def _between(one: Point, other: Point, t: float) -> Point:
    return one[0] + (other[0] - one[0]) * t, one[1] + (other[1] - one[1]) * t


# --- order lines ----------------------------------------------------------------------------------


_BENDS = (0.0, 0.8, -0.8, 1.7, -1.7, 2.8, -2.8)  # in radiuses of a unit
_STEEPEST = 0.4  # of the length of a line
_MEETING = (0.5, 0.4, 0.6, 0.32, 0.68)  # where supports end on the supported arrow
_STEPS = 12  # lengths of an arrow that are tried until its head hides no name
HEAD = 0.85
"""The length of an arrow's head, in radiuses of a unit; its width is a little more."""
_SIGN = 0.6  # half the width of a sign, in radiuses of a unit
_SIGN_AT = (0.66, 0.52, 0.76, 0.4, 0.58, 0.25)  # where the sign of a verdict may be


@dataclass(frozen=True, slots=True)
class Line:
    """An order on the board."""

    order: DrawnOrder
    """The order."""
    kind: str
    """What is drawn: `move`, `support`, `guard` (support to hold), `convoy`, `retreat`, `hold`,
    `build`, `disband` or `other`."""
    at: Point
    """Where the sign of its verdict is."""
    curve: Curve | None = None
    """Its line, if it has one."""
    ring: float = 0.0
    """The radius of a ring around the supported unit, or 0 without a ring."""
    middle: Point | None = None
    """The middle of that ring."""


class _Layer:
    """The lines laid so far."""

    def __init__(self, scene: Scene, orders: Sequence[DrawnOrder], picture: Picture) -> None:
        self.scene, self.orders = scene, orders
        self.moves = {
            _key(one.location, one.order.target) for one in orders if isinstance(one.order, Move)
        }
        self.picture, self.radius = picture, picture.radius
        self.lost = {province_of(location) for location in scene.fates}
        self.units = _Cells(2 * self.radius)
        self.samples = _Cells(self.radius)
        self.signs = _Cells(2 * self.radius)
        self.names = _Cells(2 * self.radius)
        self.boxes = dict(_boxes_of_names(picture))
        for label in self.boxes:
            self.names.add(label)
        self.curves: dict[tuple[str, str], Curve] = {}
        self.meetings: dict[tuple[str, str], int] = {}
        self.rings: dict[str, int] = {}
        starts = [(one.location, one.is_lost) for one in orders]
        if scene.position is not None:
            starts += ((unit.location, False) for unit in scene.position.units)
            starts += ((lost.unit.location, True) for lost in scene.position.dislodged)
        for place in dict.fromkeys(starts):
            point = picture.unit(*place)
            if point is not None:
                self.units.add(point)

    def lay(self, start: Point, end: Point, favourite: float = 0.0, target: str = "") -> Curve:
        """The curve between two points that meets the fewest units and lines. With a `target` it is
        an arrow's, and avoids hiding names too."""
        radius, least, best = self.radius, 0.0, list[Point]()
        chosen: Curve | None = None
        legs = self.picture.legs((start, end))
        steepest = _STEEPEST * min(dist(*leg) for leg in legs)
        for bend in sorted(_BENDS, key=lambda bend: abs(bend - favourite)):
            if bend and abs(bend) * radius > steepest:
                continue
            parts = (part for a, b in legs for part in bent(a, b, bend * radius).parts)
            curve = Curve(tuple(parts))
            points = curve.spread()
            cost = abs(bend - favourite) * 0.6 + self._meets(points, start, end)
            if target:
                curve = self._arrow(curve, target)
                cost += 9.0 * self._hides_name(curve)
            if chosen is None or cost < least:
                chosen, best, least = curve, points, cost
            if least <= abs(bend - favourite) * 0.6:
                break
        assert chosen is not None
        self.keep(best)
        return chosen

    def _through(self, points: Sequence[Point]) -> Curve:
        """The smooth curve through several points, around a round world where that is shorter."""
        legs = self.picture.legs(points)
        curve = Curve(tuple(part for leg in legs for part in through(leg).parts))
        return curve.within(self.picture.width, self.picture.height)

    def keep(self, points: Iterable[Point]) -> None:
        """Make later lines avoid these points."""
        for point in points:
            self.samples.add(point)

    def _meets(self, points: Iterable[Point], start: Point, end: Point) -> float:
        cost = 0.0
        line, unit = 0.5 * self.radius, 1.3 * self.radius
        for point in points:
            cost += 0.5 * len(self.samples.near(point, line))
            for one in self.units.near(point, unit):
                cost += 2.5 * (one not in (start, end))
        return cost

    def sign(self, curve: Curve, shares: Sequence[float] = _SIGN_AT) -> Point:
        """A place for a sign on a curve, if possible on its last part, away from its head, other
        signs and units, and if possible from names."""
        last = len(curve.parts) - 1
        head = 1 - 1.7 * self.radius / (chord(curve.parts[-1]) or 1.0)
        parts = range(last, -1, -1)
        free = [part + at for part in parts for at in shares if part < last or at < head]
        points = [curve.at(at / (last + 1)) for at in free or (0.3,)]
        point = min(points, key=self._hidden)  # the first of those that hide least
        self.signs.add(point)
        return point

    def _hidden(self, point: Point) -> float:
        """The cost of what a sign at a point would hide: hiding a name costs less than hiding a
        unit or another sign."""
        near = self.signs.near(point, 1.1 * self.radius)
        near += self.units.near(point, 1.4 * self.radius)
        x, y = point
        gaps = (
            hypot(max(a - x, x - c, 0.0), max(b - y, y - d, 0.0))
            for a, b, c, d in self._names_near(point)
        )
        return 2 * bool(near) + max(1 - min(gaps, default=inf) / (_SIGN * self.radius), 0.0)

    def move(self, one: DrawnOrder) -> Line | None:
        order = one.order
        if not isinstance(order, Move) or one.is_lost:
            return None
        start, end = self._start(one), self.picture.unit(order.target)
        if start is None or end is None:
            return None
        path = self._route(one) if one.by_sea else ()
        fleets = [point for code in path if (point := self.picture.unit(code)) is not None]
        if fleets:
            curve = self._through((start, *fleets, end))
            self.keep(curve.spread())
            curve = self._arrow(curve, order.target)
        else:
            is_swap = _key(order.target, one.location) in self.moves
            curve = self.lay(start, end, 0.8 if is_swap else 0.0, order.target)
        self.curves[_key(one.location, order.target)] = curve
        is_signed = one.verdict not in ("", "succeeds", "given", "stands")
        return Line(one, "move", self.sign(curve) if is_signed else curve.at(0.5), curve)

    def retreat(self, one: DrawnOrder) -> Line | None:
        order = one.order
        if not (isinstance(order, Retreat) or (isinstance(order, Move) and one.is_lost)):
            return None
        start, end = self.picture.unit(one.location, True), self.picture.unit(order.target)
        if start is None or end is None:
            return None
        curve = self.lay(start, end, target=order.target)
        return Line(one, "retreat", self.sign(curve), curve)

    def convoy(self, one: DrawnOrder) -> Line | None:
        order = one.order
        if not isinstance(order, Convoy):
            return None
        start = self._start(one)
        arrow = self._supported(order.army.location, order.target)
        if start is None or arrow is None:
            return None
        radius = self.radius
        badge = self._corner(start)
        ends = (end for part in arrow.parts for end in (part[0], part[3]))
        if any(dist(end, start) < 0.5 * radius for end in ends):  # it runs through
            return Line(one, "convoy", badge)
        # A line to a nearer point would look like a stray dot.
        end = min(arrow.spread(), key=lambda at: (dist(at, start) < 2.5 * radius, dist(at, start)))
        curve = self.lay(start, end).trimmed(1.15 * radius, 0.0)
        return Line(one, "convoy", badge, curve)

    def support(self, one: DrawnOrder) -> Line | None:
        order = one.order
        if not isinstance(order, SupportMove):
            return None
        start = self._start(one)
        arrow = self._supported(order.supported.location, order.target)
        if start is None or arrow is None:
            return None
        key = _key(order.supported.location, order.target)
        met = self.meetings[key] = self.meetings.get(key, 0) + 1
        last = 1 / len(arrow.parts)
        end = arrow.at(1 - last + last * _MEETING[(met - 1) % len(_MEETING)])
        curve = self.lay(start, end).trimmed(1.15 * self.radius, 0.0)
        return Line(one, "support", self.sign(curve, (0.5, 0.38, 0.62)), curve)

    def guard(self, one: DrawnOrder) -> Line | None:
        order = one.order
        if not isinstance(order, SupportHold):
            return None
        start, end = self._start(one), self.picture.unit(order.supported.location)
        if start is None or end is None:
            return None
        code = province_of(order.supported.location)
        count = self.rings[code] = self.rings.get(code, 0) + 1
        ring = _ring(count) * self.radius
        whole = self.lay(start, end)
        curve = whole.trimmed(1.15 * self.radius, ring)
        return Line(one, "guard", self.sign(curve, (0.5, 0.38, 0.62)), curve, ring, whole.end)

    def other(self, one: DrawnOrder) -> Line | None:
        order = one.order
        ends = [self.picture.unit(place) for place in _places_in(order)]
        known = [end for end in ends if end is not None]
        point = self._start(one) or next(iter(known), None)  # the order of a power names no unit
        if point is None:
            return None
        others = [end for end in known if end != point]
        if others:
            curve = self._through((point, *others))
            curve = curve.trimmed(1.15 * self.radius, 0.3 * self.radius)
            self.keep(curve.spread())
            return Line(one, "other", self.sign(curve), curve)
        return Line(one, _PLAIN.get(type(order), "other"), self._corner(point))

    def _start(self, order: DrawnOrder) -> Point | None:
        """Where the unit of an order stands."""
        return self.picture.unit(order.location or order.named.location, order.is_lost)

    def _supported(self, start: str, target: str) -> Curve | None:
        """The arrow that is supported or convoyed, or where it would be if none is drawn."""
        known = self.curves.get(_key(start, target))
        if known is not None:
            return known
        one, two = self.picture.unit(start), self.picture.unit(target)
        return None if one is None or two is None else self._through((one, two))

    def _arrow(self, curve: Curve, target: str) -> Curve:
        """The part of a curve that the arrow of a move takes; if possible, its head hides no
        name."""
        least = self._free_end(curve, target)
        lengths = (least + 0.25 * step * self.radius for step in range(_STEPS))
        arrows = [curve.trimmed(1.15 * self.radius, length) for length in lengths]
        return next((one for one in arrows if not self._hides_name(one)), arrows[0])

    def _hides_name(self, arrow: Curve) -> bool:
        """Whether the head of an arrow lies on a name."""
        (x, y), (dx, dy) = arrow.end, arrow.heading(1.0)
        if not (boxes := self._names_near(arrow.end)):
            return False
        long, wide = HEAD * self.radius, 0.55 * HEAD * self.radius
        points = [
            (x - back * long * dx - side * back * wide * dy,
             y - back * long * dy + side * back * wide * dx)
            for back in (0.0, 0.35, 0.7, 1.0) for side in (-1.0, -0.5, 0.0, 0.5, 1.0)
        ]  # fmt: skip
        return any(a < px < c and b < py < d for a, b, c, d in boxes for px, py in points)

    def _names_near(self, point: Point) -> list[Box]:
        """The boxes of the names whose middles are near a point."""
        return [self.boxes[label] for label in self.names.near(point, 3 * self.radius)]

    def _free_end(self, curve: Curve, target: str) -> float:
        """How far from its target an arrow ends, to stay clear of the unit there or the heads of
        other arrows."""
        code = province_of(target)
        if self.units.near(curve.end, 0.5 * self.radius):
            usual = (1.9 if code in self.lost else 1.3) * self.radius
            return max(usual, self._before_rings(curve, code))
        rivals = [
            one
            for one in self.orders
            if isinstance(one.order, Move | Retreat) and province_of(one.order.target) == code
        ]
        return (0.7 if len(rivals) > 1 else 0.15) * self.radius

    def _before_rings(self, curve: Curve, code: str) -> float:
        """How far from a unit an arrow ends so that the rings of the unit's supports do not hide
        its head, if there is room for an arrow."""
        count = sum(
            isinstance(one.order, SupportHold) and province_of(one.order.supported.location) == code
            for one in self.orders
        )
        room = chord(curve.parts[-1]) - 2.4 * self.radius
        return min(_ring(count) * self.radius + 0.1 * self.radius, room) if count else 0.0

    def _route(self, one: DrawnOrder) -> tuple[str, ...]:
        """The fleets along which an army moves: those of its written path, otherwise a shortest
        route of the fleets ordered to convoy it, if possible without disrupted fleets."""
        assert isinstance(one.order, Move)
        board = self.scene.map
        start, end = _key(one.location, one.order.target)
        if one.order.path:
            return one.order.path
        fleets = {
            province_of(other.location): other.verdict in ("", "available")
            for other in self.orders
            if isinstance(other.order, Convoy)
            and other.verdict != "illegal"
            and _key(other.order.army.location, other.order.target) == (start, end)
        }
        good = [code for code, is_good in fleets.items() if is_good]
        return _shortest(board, start, end, good) or _shortest(board, start, end, list(fleets))

    def _corner(self, point: Point) -> Point:
        """The corner of a unit."""
        return point[0] + self.radius, point[1] - 0.9 * self.radius


def _boxes_of_names(picture: Picture) -> Iterator[tuple[Point, Box]]:
    """The middle of each name, of provinces and coasts, and the box around it."""
    for code, shape in picture.shapes.items():
        for label in (shape.place.label, *shape.again):
            if label is not None:
                yield label, name_box(label, code, shape.size, picture.scale)
        for coast, place in shape.coasts.items():
            if place.label is not None:
                yield place.label, name_box(place.label, coast, COAST_SIZE, picture.scale)


class _Cells:
    """Points in square cells, which makes it quick to find those near a point."""

    def __init__(self, size: float) -> None:
        self.size = size
        self.cells: dict[tuple[int, int], list[Point]] = {}

    def add(self, point: Point) -> None:
        """Add a point."""
        key = int(point[0] // self.size), int(point[1] // self.size)
        self.cells.setdefault(key, []).append(point)

    def near(self, point: Point, within: float) -> list[Point]:
        """The points within a distance, which should not be much more than the width of a cell."""
        x, y = point
        size, cells = self.size, self.cells
        columns = range(int((x - within) // size), int((x + within) // size) + 1)
        rows = range(int((y - within) // size), int((y + within) // size) + 1)
        found = []
        for column in columns:
            for row in rows:
                for one in cells.get((column, row), ()):
                    if (one[0] - x) ** 2 + (one[1] - y) ** 2 < within * within:
                        found.append(one)
        return found


def lines_of(scene: Scene, orders: Sequence[DrawnOrder], picture: Picture) -> tuple[Line, ...]:
    """The lines of orders, in the order given, without those for places not in the picture."""
    layer = _Layer(scene, orders, picture)
    found: dict[int, Line] = {}
    for drawing in (layer.move, layer.retreat, layer.convoy, layer.support, layer.guard,
                    layer.other):  # fmt: skip
        for at, order in enumerate(orders):
            if at not in found and (line := drawing(order)) is not None:
                found[at] = line
    return tuple(found[at] for at in sorted(found))


def _key(location: str, target: str) -> tuple[str, str]:
    return province_of(location), province_of(target)


def _ring(count: int) -> float:
    """The radius of a ring around a unit, in radiuses of a unit. `count` is 1 for the innermost."""
    return 1.3 + 0.3 * count


def _shortest(board: Map, start: str, end: str, fleets: Sequence[str]) -> tuple[str, ...]:
    ways: dict[str, tuple[str, ...]] = {start: ()}
    known = [start]
    for code in known:  # the loop adds to this list
        near = board.water.get(code, frozenset())
        if end in near and code != start:
            return ways[code]
        for fleet in fleets:
            if fleet in near and fleet not in ways:
                ways[fleet] = (*ways[code], fleet)
                known.append(fleet)
    return ()


_PLAIN: Mapping[type, str] = {Hold: "hold", Build: "build", Disband: "disband"}


def _places_in(order: Order) -> list[str]:
    """The locations, other than its unit's, that an order of a declared kind names; units'
    locations come first."""
    if not isinstance(order, DeclaredOrder):
        return []
    fields = sorted(order.fields, key=lambda field: isinstance(field[1], str))
    return [value if isinstance(value, str) else value.location for _, value in fields]


# --- shapes ---------------------------------------------------------------------------------------


@cache
def shapes() -> Mapping[str, str]:
    """Name -> the shape of a unit, a sign or something around a unit, in `rules/shapes.svg`."""
    text = read_text(data_folder("rules") / "shapes.svg")
    return dict(re.findall(r'<g id="([^"]*)">(.*)</g>', text))


def placed(markup: str, at: Point, scale: float, **attributes: object) -> str:
    """A group with a shape at a point and these attributes."""
    size = "" if scale == 1 else f" scale({scale:g})"
    return element("g", markup, **attributes, transform=f"translate({spot(at)}){size}")


def unit_shape(kind: UnitKind | str) -> str:
    """The shape of a unit: a gun for armies, a ship for fleets, else a letter."""
    if isinstance(kind, UnitKind):
        return shapes()["army" if kind is UnitKind.ARMY else "fleet"]
    return shapes()["other"] + element("text", words(str(kind)), class_="letter", y=3.6)
