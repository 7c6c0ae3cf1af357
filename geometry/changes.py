"""Where the board differs from nature: straits that are closed or kept open, islets left out."""

from __future__ import annotations

from collections.abc import Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from geometry.countries import sheet_line
from geometry.land import Degrees

_LEAST_ISLAND = 14.0
"""The area, in units of the picture, of the smallest island that is drawn."""

_LEFT_OUT = ("Greenland",)
_JAN_MAYEN = (-8.3, 71.0)


def change(countries: dict[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """The countries as the board needs them."""
    found = {name: outline for name, outline in countries.items() if name not in _LEFT_OUT}
    found["Norway"] = found["Norway"].difference(_circle(_JAN_MAYEN, 40))
    # Baltic Sea and Skagerrak do not touch, and Denmark borders Sweden: the straits are closed.
    for reach, middle, around in ((4.0, (9.72, 55.5), 7), (7.0, (10.98, 55.36), 9)):  # the Belts
        found["Denmark"] = _closed(found["Denmark"], reach, middle, around)
    found["Denmark"] = found["Denmark"].difference(found["Germany"])
    both = _closed(found["Denmark"].union(found["Sweden"]), 3.0, (12.65, 56.05), 10)
    found["Denmark"] = both.difference(found["Sweden"])
    # Fleets do not pass from the Aegean to the Black Sea: Constantinople closes the Bosporus.
    found["Turkey"] = _closed(found["Turkey"], 5.0, (29.05, 41.1), 16)
    found["Turkey"] = found["Turkey"].difference(
        _channel(((25.9, 39.95), (26.3, 40.1), (26.55, 40.32), (27.1, 40.6)), 1.3)
    )
    # Sicily belongs to Naples.
    found["Italy"] = _closed(found["Italy"], 3.0, (15.6, 38.2), 14)
    channel = _channel(((36.6, 44.95), (36.5, 45.25), (36.7, 45.6)), 1.6)  # of Kerch
    return {name: _without_islets(outline.difference(channel)) for name, outline in found.items()}


def _closed(outline: BaseGeometry, reach: float, middle: Degrees, around: float) -> BaseGeometry:
    """The outline with all straits near the middle closed narrower than 2 * `reach`."""
    circle = _circle(middle, around)
    filled = outline.intersection(circle.buffer(4 * reach)).buffer(reach).buffer(-reach)
    return outline.union(filled.intersection(circle))


def _circle(middle: Degrees, radius: float) -> BaseGeometry:
    return shapely.Point(sheet_line([middle])[0]).buffer(radius)


def _channel(line: Sequence[Degrees], half: float) -> BaseGeometry:
    return shapely.LineString(sheet_line(line)).buffer(half)


def _without_islets(outline: BaseGeometry) -> BaseGeometry:
    parts = shapely.get_parts(outline)
    return shapely.union_all(
        [part for part in parts if part.geom_type == "Polygon" and part.area >= _LEAST_ISLAND]
    )
