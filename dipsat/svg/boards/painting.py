"""The parts of a scene as markup: provinces, centres, orders, units and signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from dipsat.game.unit import Unit
from dipsat.svg.boards.curves import Curve, spot
from dipsat.svg.boards.glyphs import BURST, CROSS, FRAME, HOLD, SIGNS, placed, unit_shape
from dipsat.svg.boards.ground import province_parts
from dipsat.svg.boards.order_lines import Line, Places
from dipsat.svg.boards.scene import DrawnOrder, Scene
from dipsat.svg.markup import number, quoted, words
from dipsat.svg.pictures.picture import Picture, Point, Window
from dipsat.titles import titled

_LOST = 0.72
"""The size of a dislodged unit beside the one that dislodged it."""
_UNSIGNED = frozenset({"", "succeeds", "given", "stands"})
_BEYOND = 20.0
"""How far from what is seen a thing still reaches into it."""


@dataclass(frozen=True, slots=True)
class Painter:
    """Draws the parts of a scene."""

    scene: Scene
    picture: Picture
    places: Places
    numbers: Mapping[str, int]
    """Power -> its number in classes."""
    power: str | None
    """The power whose view it is."""
    focus: frozenset[str] | None = None
    """The units whose orders stand out, None for all."""
    window: Window | None = None
    """The part of the picture that is seen, None for all of it."""

    def provinces(self) -> tuple[str, ...]:
        """The shapes of the provinces in the colours of their owners."""
        found = []
        owners = self.scene.owners
        for code, names, rest in province_parts(self.picture, self.scene.map):
            owner = owners.get(code)
            if owner is None:
                found.append(f'<path class="{names}"{rest}')
            else:
                data = f' data-owner="{quoted(owner)}"'
                found.append(f'<path class="{names} o{self.numbers[owner]}"{data}{rest}')
        return tuple(found)

    def centers(self) -> tuple[str, ...]:
        """The supply centres, with a dot in the colour of the owner."""
        found = []
        for code in self.scene.map.centers:
            point = self.places.centre(code)
            if not self._is_seen(point):
                continue
            owner = self.scene.owners.get(code)
            names = f"center owned p{self.numbers[owner]}" if owner else "center"
            data = f' data-center="{quoted(code)}"'
            found.append(
                placed(
                    '<circle r="4"/><circle class="dot" r="2"/>',
                    point,
                    self.picture.scale,
                    names,
                    data,
                )
            )
        return tuple(found)

    def orders(self, lines: Iterable[Line], names: str = "") -> tuple[str, ...]:
        """The lines of orders: those under others first."""
        return tuple(
            self._order(line, names)
            for line in sorted(lines, key=lambda line: _UNDER[line.kind])
            if self.window is None or self._is_crossed(line)
        )

    def _is_seen(self, point: Point | None) -> TypeGuard[Point]:
        """Whether a point is in the window, or near it; None is nowhere."""
        if point is None or self.window is None:
            return point is not None
        left, top, wide, high = self.window
        beyond = _BEYOND * self.picture.scale
        x, y = point
        return left - beyond < x < left + wide + beyond and top - beyond < y < top + high + beyond

    def _is_crossed(self, line: Line) -> bool:
        """Whether something is drawn of an order in the window."""
        points = [] if line.curve is None else line.curve.spread()
        points += [line.middle] if line.ring and line.middle is not None else []
        return any(map(self._is_seen, points))

    def _order(self, line: Line, names: str) -> str:
        one = line.order
        classes = ["order", line.kind, *filter(None, (_word(one.verdict), names, self._whose(one)))]
        parts = [f"<title>{words(_told(one))}</title>"]
        if line.curve is not None:
            parts += _stroke(line, self.places.radius)
        if line.ring and line.middle is not None:
            x, y = line.middle
            parts.append(
                f'<circle class="ring" cx="{number(x)}" cy="{number(y)}" r="{number(line.ring)}"/>'
            )
        return (
            f'<g class="{" ".join(classes)} p{self.numbers[one.power]}"'
            f"{_data(one)}>{''.join(parts)}</g>"
        )

    def _whose(self, one: DrawnOrder) -> str:
        is_faint = self.focus is not None and one.unit not in self.focus
        return "others" if is_faint or self.power not in (None, one.power) else ""

    def units(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """The units with what becomes of them, and those that are built."""
        position = self.scene.position
        if position is None:
            return ()
        kinds = {(line.order.unit, line.order.is_lost): line for line in lines}
        found = []
        for unit in position.units:
            line = kinds.get((str(unit), False))
            fate = self.scene.fates.get(unit.location, "")
            found.append(self._unit(unit, fate, line))
        for lost in position.dislodged:
            line = kinds.get((str(lost.unit), True))
            fate = line.order.fate if line is not None else ""
            found.append(self._unit(lost.unit, fate, line, is_lost=True))
        found += [self._built(line) for line in lines if line.kind == "build"]
        return tuple(filter(None, found))

    def _unit(self, unit: Unit, fate: str, line: Line | None, is_lost: bool = False) -> str:
        point = self.places.unit(unit.location, is_lost)
        if not self._is_seen(point):
            return ""
        parts, names = [_figure(unit)], ["unit", f"p{self.numbers[unit.power]}"]
        if is_lost:
            names.append("lost")
        if fate:
            names.append(fate)
        if self.focus is not None and str(unit) not in self.focus:
            names.append("others")
        leaves = line is not None and line.kind == "disband" and line.order.verdict != "illegal"
        if fate in ("dislodged", "destroyed") or is_lost or (fate == "disbanded" and not leaves):
            parts.insert(0, BURST)
        if line is not None and line.kind == "hold" and line.order.is_given:
            parts.insert(0, HOLD)
        if fate in ("destroyed", "disbanded") or leaves:
            names.append("leaving")
            parts.append(CROSS)
        told = f"<title>{words(f'{unit} ({titled(unit.power)})')}</title>"
        data = f' data-unit="{quoted(str(unit))}" data-power="{quoted(unit.power)}"'
        scale = self.picture.scale * (_LOST if is_lost else 1)
        return placed(told + "".join(parts), point, scale, " ".join(names), data)

    def _built(self, line: Line) -> str:
        one = line.order
        point = self.places.unit(one.named.location)
        kind = one.named.kind
        if not self._is_seen(point) or kind is None or one.verdict == "illegal":
            return ""
        names = f"unit built p{self.numbers[one.power]}"
        data = f' data-unit="{quoted(one.named.text())}" data-power="{quoted(one.power)}"'
        return placed(FRAME + unit_shape(kind), point, self.picture.scale, names, data)

    def signs(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """The signs of the verdicts, and those of standoffs."""
        found = []
        for line in lines:
            name = _sign(line)
            if name and self._is_seen(line.at):
                whose = self._whose(line.order)
                names = " ".join(filter(None, ("sign", f"sign-{name}", whose)))
                data = f' data-of="{quoted(line.order.text)}"'
                found.append(placed(SIGNS[name], line.at, self.picture.scale, names, data))
        there = self.scene.position.by_province if self.scene.position is not None else {}
        for code in self.scene.contested:
            point = self.places.unit(code)
            if self._is_seen(point):
                if code in there:  # the unit is still drawn where it was
                    point = point[0] - self.places.radius, point[1] - self.places.radius
                data = f' data-standoff="{quoted(code)}"'
                names = "sign sign-standoff"
                found.append(placed(SIGNS["standoff"], point, self.picture.scale, names, data))
        return tuple(found)


_UNDER = {
    name: at
    for at, name in enumerate(
        ("build", "disband", "hold", "other", "convoy", "guard", "support", "retreat", "move")
    )
}
"""Kind of a line -> its place in the pile, from the bottom."""


def _figure(unit: Unit) -> str:
    """The shape of a unit, with the initials of its attributes, such as a colour."""
    shape = unit_shape(unit.kind)
    if not unit.attributes:
        return shape
    initials = "".join(value[:1].upper() for _, value in unit.attributes)
    return f'{shape}<text class="tag" x="9" y="-5">{words(initials)}</text>'


def _sign(line: Line) -> str:
    """The sign of an order, "" if it has none."""
    verdict = line.order.verdict
    if line.kind == "build" and verdict != "illegal":
        return "build"
    if verdict in _UNSIGNED:
        return ""
    if verdict == "available" and line.kind != "convoy":
        return ""
    return verdict if verdict in SIGNS else ""


def _stroke(line: Line, radius: float) -> list[str]:
    """The line of an order with what is at its end: an arrow's head, or a dot."""
    curve = line.curve
    assert curve is not None
    unit = 0.1 * radius
    shaft, tip = curve.path, ""
    if line.kind in ("move", "retreat", "other"):
        size = (8.5 if line.kind == "move" else 7.0) * unit
        shaft, tip = curve.trimmed(0.0, 0.7 * size).path, _head(curve, size)
    elif line.kind != "guard":
        tip = _dot(curve.end, 2.6 * unit)
    found = [f'<path class="halo" d="{shaft}"/>', f'<path class="ink" d="{shaft}"/>']
    return [*found, f'<path class="tip" d="{tip}"/>'] if tip else found


def _head(curve: Curve, size: float) -> str:
    """The `d` of a triangle at the end of a curve."""
    (x, y), (dx, dy) = curve.end, curve.heading(1.0)
    back, side = (x - size * dx, y - size * dy), 0.55 * size
    left = back[0] - side * dy, back[1] + side * dx
    right = back[0] + side * dy, back[1] - side * dx
    return f"M{spot((x, y))}L{spot(left)}L{spot(right)}z"


def _dot(point: Point, radius: float) -> str:
    """The `d` of a disc."""
    arc = f"a{number(radius)} {number(radius)} 0 1 0"
    start = spot((point[0] - radius, point[1]))
    return f"M{start}{arc} {number(2 * radius)} 0{arc} {number(-2 * radius)} 0z"


def _word(verdict: str) -> str:
    """A verdict as the name of a class."""
    return verdict.replace(" ", "-")


def _told(one: DrawnOrder) -> str:
    """What is said of an order where one points at it."""
    told = f"{titled(one.power)}: {one.text}"
    if one.verdict:
        told += f": {one.verdict}"
    return f"{told} ({one.reason})" if one.reason else told


def _data(one: DrawnOrder) -> str:
    return (
        f' data-order="{quoted(one.text)}" data-unit="{quoted(one.unit)}"'
        f' data-power="{quoted(one.power)}"'
    )
