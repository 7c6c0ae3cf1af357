"""Curved lines for borders whose provinces do not touch in the picture."""

from __future__ import annotations

import math

from dipsat.svg.picture import Point

_GAP = 13.0
"""From the middle of a province to where its line begins."""
_STEPS = 12


def curve(start: Point, end: Point, scale: float = 1.0, bend: float = 0.16) -> tuple[Point, ...]:
    """A line from one place to another, bent so that two between the same places stay apart."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 - bend * dy, (start[1] + end[1]) / 2 + bend * dx)
    gap = min(_GAP * scale / (math.hypot(dx, dy) or 1.0), 0.3)
    line: list[Point] = []
    for step in range(_STEPS + 1):
        t = gap + (1 - 2 * gap) * step / _STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        x = a * start[0] + b * middle[0] + c * end[0]
        y = a * start[1] + b * middle[1] + c * end[1]
        line.append((round(x, 1), round(y, 1)))
    return tuple(line)
