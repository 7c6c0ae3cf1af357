"""The outlines of today's countries, on the sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from geometry.projection import Points, Projection
from geometry.source import Degrees, Source

_LONGEST = 0.5  # degrees of a line projected by its ends only; longer lines get points in between


_POLE = -89.9  # the pole itself is a ring, the lower edge of a rectangle


def read_countries(
    path: Path, projection: Projection, sheet: BaseGeometry
) -> dict[str, BaseGeometry]:
    """Name -> outline, for each country that is at least partly on the sheet. Neighbours have the
    same points along their common border."""
    data = json.loads(path.read_text(encoding="utf-8"))
    arcs = _arcs(data)
    found: dict[str, BaseGeometry] = {}
    around = sheet.buffer(60)
    for entry in data["objects"]["countries"]["geometries"]:
        kind = entry["type"]
        polygons = [entry["arcs"]] if kind == "Polygon" else entry.get("arcs", [])
        found_parts = (_polygon(arcs, rings, projection) for rings in polygons)
        parts = [part for part in found_parts if part is not None]
        outline = shapely.union_all([shapely.make_valid(part) for part in parts])
        outline = outline.intersection(around) if outline.intersects(sheet) else None
        if outline is not None:
            found[entry["properties"]["name"]] = outline
    return found


def _arcs(data: dict[str, Any]) -> list[Points]:
    """The lines of a TopoJSON file in degrees; the file stores each point as a step to it."""
    scale, offset = (np.array(data["transform"][key]) for key in ("scale", "translate"))
    return [np.cumsum(np.array(arc), axis=0) * scale + offset for arc in data["arcs"]]


def _polygon(
    arcs: list[Points], rings: list[list[int]], projection: Projection
) -> BaseGeometry | None:
    """A polygon on the sheet, or None if it is far from the sheet."""
    lines = [
        np.concatenate([arcs[i] if i >= 0 else arcs[~i][::-1] for i in ring]) for ring in rings
    ]
    shell, *holes = (_unbroken(line) for line in lines if line[:, 1].max() > _POLE)
    window, found = shapely.box(*projection.window), []
    for turn in np.array([(0, 0), (-360, 0), (360, 0)]):
        polygon = shapely.Polygon(shell + turn, [hole + turn for hole in holes])
        if polygon.intersects(window):
            is_whole = shapely.contains(window, polygon)
            found.append(polygon if is_whole else shapely.make_valid(polygon).intersection(window))
    if not found:
        return None
    polygon = found[0] if len(found) == 1 else shapely.union_all(found)
    dense = shapely.segmentize(polygon, _LONGEST)
    return shapely.transform(dense, projection.sheet)


def _unbroken(ring: Points) -> Points:
    """A ring whose longitudes do not jump at the date line (Russia), and that goes to the pole if
    it leads around the pole (Antarctica)."""
    ring = np.column_stack((np.unwrap(ring[:, 0], period=360), ring[:, 1]))
    if abs(ring[-1, 0] - ring[0, 0]) < 180:
        return ring
    return np.concatenate((ring, [(ring[-1, 0], -90), (ring[0, 0], -90)]))


# --- where the board differs from nature ----------------------------------------------------------


def change(
    countries: Mapping[str, BaseGeometry], source: Source, projection: Projection
) -> dict[str, BaseGeometry]:
    """The countries as a board needs them: straits closed or kept open, islets left out."""

    def circle(middle: Degrees, radius: float) -> BaseGeometry:
        return shapely.Point(projection.line([middle])[0]).buffer(radius)

    found = {name: outline for name, outline in countries.items() if name not in source.left_out}
    lost = [circle(one[:2], one[2]) for one in source.erased]
    for strait in source.closed:
        first = strait["countries"][0]
        both = shapely.union_all([found[name] for name in strait["countries"]])
        if "area" in strait:
            around = filled = shapely.Polygon(projection.line(strait["area"]))
        else:
            around, reach = circle(strait["at"], strait["around"]), strait["reach"]
            filled = both.intersection(around.buffer(4 * reach)).buffer(reach).buffer(-reach)
        others = [found[name] for name in found if name != first]
        others = [one for one in others if one.intersects(around)]
        whole = found[first].union(filled.intersection(around))
        found[first] = whole.difference(shapely.union_all(others))
    for channel in source.channels:
        lost.append(shapely.LineString(projection.line(channel["line"])).buffer(channel["half"]))
    gone = shapely.union_all(lost)
    found = {name: outline.difference(gone) for name, outline in found.items()}
    ground: Sequence[BaseGeometry] = shapely.get_parts(shapely.union_all([*found.values()]))
    kept = shapely.STRtree([part for part in ground if part.area >= source.islands])
    return {name: _on(kept, outline) for name, outline in found.items()}


def _on(ground: shapely.STRtree, outline: BaseGeometry) -> BaseGeometry:
    """The parts of an outline that lie on drawn ground."""
    parts = [part for part in shapely.get_parts(outline) if part.geom_type == "Polygon"]
    return shapely.union_all(
        [part for part in parts if len(ground.query(part, predicate="intersects"))]
    )
