"""Writes `rules/pictures/standard.json`: `python -m geometry.build COUNTRIES_JSON`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import shapely
import yaml

from dipsat.board import load_map
from dipsat.draw import Picture
from dipsat.draw.map_picture import Place, Shape, with_places_at
from dipsat.draw.places import with_places
from geometry.changes import change
from geometry.countries import read_countries
from geometry.faces import BLANK, provinces
from geometry.projection import HEIGHT, WIDTH
from geometry.topology import Topology

SHIPPED = Path(__file__).parents[1] / "rules" / "pictures" / "standard.json"
POSITIONS = Path(__file__).with_name("positions.yaml")

_DETAIL = 0.7
"""The simplification of outlines: about the size of the smallest bend that is drawn."""
_LEAST_AREA = 1.0
"""Of what a ring encloses; less is only rounding."""
_NOWHERE = Place((0.0, 0.0), (0.0, 0.0))


def standard_picture(countries: Path) -> Picture:
    """The picture of the standard board, from the file `countries-50m.json` of world-atlas."""
    areas = provinces(change(read_countries(countries)))
    simple = shapely.coverage_simplify(list(areas.values()), _DETAIL)
    outlines = {
        name: [
            [(round(x, 1), round(y, 1)) for x, y in ring.coords]
            for part in shapely.get_parts(area)
            for ring in (part.exterior, *part.interiors)
            if shapely.Polygon(ring).area >= _LEAST_AREA
        ]
        for name, area in zip(areas, simple, strict=True)
    }
    topology = Topology(outlines)
    map = load_map("standard")
    picture = Picture(
        name="standard",
        width=WIDTH,
        height=HEIGHT,
        scale=1.3,
        arcs=tuple(topology.arcs),
        shapes={code: Shape(topology.rings[code], _NOWHERE, (0.0, 0.0)) for code in map.provinces},
        blank=topology.rings[BLANK],
    )
    return with_places_at(with_places(picture, map), yaml.safe_load(POSITIONS.read_text("utf-8")))


def main() -> None:
    """Build the picture and write it."""
    if len(sys.argv) != 2:
        raise SystemExit("Usage: python -m geometry.build COUNTRIES_JSON")
    picture = standard_picture(Path(sys.argv[1]))
    SHIPPED.parent.mkdir(exist_ok=True)
    text = json.dumps(picture.to_dict(), separators=(",", ":"))
    SHIPPED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
