"""The outlines of today's countries, on the sheet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from geometry.projection import HEIGHT, WIDTH, Points, project

_WINDOW = shapely.box(-75, 10, 120, 88)
"""The longitudes and latitudes of which some part may be on the sheet. What lies farther away is
cut off before it is projected, for there the projection turns over."""
_LONGEST = 0.5  # degrees of a line that is projected by its ends; longer ones get points between

SHEET = shapely.box(0, 0, WIDTH, HEIGHT)


def read_countries(path: Path) -> dict[str, BaseGeometry]:
    """Name -> outline, for each country of which some part is on the sheet. Neighbours have the
    same points along their common border."""
    data = json.loads(path.read_text(encoding="utf-8"))
    arcs = _arcs(data)
    found: dict[str, BaseGeometry] = {}
    around = SHEET.buffer(60)
    for entry in data["objects"]["countries"]["geometries"]:
        kind = entry["type"]
        polygons = [entry["arcs"]] if kind == "Polygon" else entry.get("arcs", [])
        parts = [part for rings in polygons if (part := _polygon(arcs, rings)) is not None]
        outline = shapely.union_all([shapely.make_valid(part) for part in parts])
        outline = outline.intersection(around) if outline.intersects(SHEET) else None
        if outline is not None:
            found[entry["properties"]["name"]] = outline
    return found


def sheet_line(degrees: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Longitudes and latitudes -> points of the sheet."""
    return [(float(x), float(y)) for x, y in project(np.array(degrees, dtype=float))]


def _arcs(data: dict[str, Any]) -> list[Points]:
    """The lines of a TopoJSON file, in degrees: each point is stored as the step to it."""
    scale, offset = (np.array(data["transform"][key]) for key in ("scale", "translate"))
    return [np.cumsum(np.array(arc), axis=0) * scale + offset for arc in data["arcs"]]


def _polygon(arcs: list[Points], rings: list[list[int]]) -> BaseGeometry | None:
    """A polygon on the sheet; None if it is far from it."""
    lines = [
        np.concatenate([arcs[i] if i >= 0 else arcs[~i][::-1] for i in ring]) for ring in rings
    ]
    for line in lines:
        if line[:, 0].min() < -170 and line[:, 0].max() > 100:  # it crosses the date line: Russia
            line[line[:, 0] < 0, 0] += 360
    polygon = shapely.Polygon(lines[0], lines[1:])
    if not polygon.intersects(_WINDOW):
        return None
    if not shapely.contains(_WINDOW, polygon):
        polygon = shapely.make_valid(polygon).intersection(_WINDOW)
    dense = shapely.segmentize(polygon, _LONGEST)
    return shapely.transform(dense, project)
