"""The picture of the standard board: the borders of the map and no others, and room for all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import combinations
from math import hypot
from pathlib import Path

import pytest

import dipsat
from dipsat.base import data_folder
from dipsat.board import province_of
from dipsat.draw import Picture
from dipsat.draw.map_picture import Point, Shape
from dipsat.draw.picture_choice import shipped_picture
from dipsat.draw.places import UNIT, name_box
from tests.draw.picture_geometry import area, contains, meet, never_both, things
from tests.exhaustive import exhaustive

MAP = dipsat.load_map("standard")
FILE = data_folder("rules") / "pictures" / "standard.json"
COUNTRIES = os.environ.get("DIPSAT_COUNTRIES", "")
"""The path of `countries-50m.json` of the npm package world-atlas, from which it is built."""


@pytest.fixture(scope="module")
def picture() -> Picture:
    return shipped_picture("standard")


def test_provinces_touch_where_the_map_has_borders_and_nowhere_else(picture: Picture) -> None:
    borders = {
        frozenset((province_of(place), province_of(near)))
        for reached in (MAP.army, MAP.fleet)
        for place, all_near in reached.items()
        for near in all_near
    }
    assert len(borders) == 206
    assert picture.touching == borders
    assert picture.links == ()


def test_the_file_is_small() -> None:
    assert FILE.stat().st_size < 120_000


def test_provinces_cover_the_sheet_without_overlapping(picture: Picture) -> None:
    rings = [*picture.blank, *(ring for shape in picture.shapes.values() for ring in shape.rings)]
    sides = Counter(max(arc, ~arc) for ring in rings for arc in ring)
    assert sides.keys() == set(range(len(picture.arcs)))
    assert max(sides.values()) == 2
    total = sum(area(picture, shape.rings) for shape in picture.shapes.values())
    total += area(picture, picture.blank)
    assert total == pytest.approx(picture.width * picture.height, rel=1e-6)


def test_no_impassable_land_is_a_province(picture: Picture) -> None:
    assert picture.shapes.keys() == MAP.provinces.keys()
    # Switzerland is the blank land between these provinces.
    around = [frozenset(_beside(picture, ring)) for ring in picture.blank]
    assert around.count(frozenset({"BUR", "MAR", "MUN", "PIE", "TYR"})) == 1
    assert "SWI" in MAP.impassable


@pytest.mark.parametrize(
    ("location", "sea"),
    [
        ("BUL/EC", "BLA"),
        ("BUL/SC", "AEG"),
        ("SPA/NC", "MAO"),
        ("SPA/SC", "WES"),
        ("STP/NC", "BAR"),
        ("STP/SC", "BOT"),
    ],
)
def test_fleets_on_coasts_stand_in_their_province_beside_their_sea(
    picture: Picture, location: str, sea: str
) -> None:
    code, coast = location.split("/")
    shape = picture.shapes[code]
    unit = shape.coasts[coast].unit
    assert contains(picture, shape, unit)
    seas = [near for near in MAP.seas if frozenset({code, near}) in picture.touching]
    away = {near: _distance(picture, shape, picture.shapes[near], unit) for near in seas}
    assert min(away, key=away.__getitem__) == sea
    assert away[sea] < 1.5 * UNIT * picture.scale


def test_nothing_covers_anything_on_a_full_board(picture: Picture) -> None:
    everything = list(things(picture, MAP))
    assert [
        (one, other)
        for (one, box), (other, other_box) in combinations(everything, 2)
        if meet(box, other_box) and not never_both(one, other)
    ] == []


def test_names_and_middles_lie_in_their_provinces(picture: Picture) -> None:
    for code, shape in picture.shapes.items():
        places = [shape.place, *shape.coasts.values()]
        points = [place.unit for place in places]
        if MAP.provinces[code].supply:
            points.append(shape.centre)
        assert shape.place.label is not None
        letters = name_box(shape.place.label, code, 0.9, picture.scale)  # the box has margins
        left, top, right, bottom = letters
        points += [(left, top), (right, top), (left, bottom), (right, bottom)]
        assert [point for point in points if not contains(picture, shape, point)] == [], code
        assert shape.leader == (), code
        assert shape.size == 1, code


def test_all_things_lie_on_the_sheet(picture: Picture) -> None:
    for thing, (left, top, right, bottom) in things(picture, MAP):
        assert 0 < left < right < picture.width, thing
        assert 0 < top < bottom < picture.height, thing


@pytest.mark.parametrize(
    "codes",
    ["NWY DEN KIE MUN TYR VEN ROM NAP TUN", "BAR STP MOS SEV BLA ANK SMY EAS", "CLY LVP WAL ENG"],
)
def test_north_is_up(picture: Picture, codes: str) -> None:
    down = [picture.shapes[code].place.unit[1] for code in codes.split()]
    assert down == sorted(down)


@pytest.mark.parametrize(
    "codes", ["NAO CLY EDI NTH DEN SWE LVN MOS", "POR SPA LYO TUS ADR SER BUL"]
)
def test_east_is_right(picture: Picture, codes: str) -> None:
    across = [picture.shapes[code].place.unit[0] for code in codes.split()]
    assert across == sorted(across)


@exhaustive
@pytest.mark.skipif(
    not COUNTRIES or find_spec("shapely") is None,
    reason="needs the extra pictures-build, and DIPSAT_COUNTRIES: the path of countries-50m.json "
    "of the npm package world-atlas 2.0.2",
)
def test_the_picture_is_what_its_script_builds(picture: Picture, tmp_path: Path) -> None:
    from geometry.build import standard_picture

    built = standard_picture(Path(COUNTRIES))
    assert (built.width, built.height, built.scale) == (
        picture.width,
        picture.height,
        picture.scale,
    )
    assert built.shapes.keys() == picture.shapes.keys()
    assert built.touching == picture.touching
    for code, shape in picture.shapes.items():
        other = built.shapes[code]
        assert _same(_points(picture, shape.rings), _points(built, other.rings)), code
        assert _same(_standing(shape), _standing(other)), code
    assert _same(_points(picture, picture.blank), _points(built, built.blank))


@pytest.mark.extra
@pytest.mark.skipif(find_spec("shapely") is None, reason="needs the extra pictures-build")
def test_the_script_says_how_it_is_called() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "geometry.build"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr == "Usage: python -m geometry.build COUNTRIES_JSON\n"


def _arcs(shape: Shape) -> set[int]:
    return {max(arc, ~arc) for ring in shape.rings for arc in ring}


def _beside(picture: Picture, ring: tuple[int, ...]) -> Iterator[str]:
    """The provinces that share an arc with a ring."""
    own = {max(arc, ~arc) for arc in ring}
    return (code for code, shape in picture.shapes.items() if own & _arcs(shape))


def _distance(picture: Picture, one: Shape, other: Shape, point: Point) -> float:
    """From a point to the nearest point of the arcs that two provinces share."""
    return min(
        hypot(x - point[0], y - point[1])
        for arc in _arcs(one) & _arcs(other)
        for x, y in picture.arcs[arc]
    )


def _points(picture: Picture, rings: tuple[tuple[int, ...], ...]) -> list[Point]:
    return [point for ring in rings for point in picture.outline(ring)]


def _standing(shape: Shape) -> list[Point]:
    places = [shape.place, *shape.coasts.values()]
    return [shape.centre, *(place.unit for place in places), *(p.dislodged for p in places)]


def _same(some: list[Point], others: list[Point]) -> bool:
    """Whether each of the points has one of the others near it, and the other way round."""
    return _all_near(some, others) and _all_near(others, some)


def _all_near(points: list[Point], others: list[Point]) -> bool:
    cells: dict[tuple[int, int], list[Point]] = {}
    for x, y in others:
        cells.setdefault((round(x), round(y)), []).append((x, y))
    around = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1)]
    return all(
        any(
            hypot(x - other_x, y - other_y) <= 0.2
            for across, down in around
            for other_x, other_y in cells.get((round(x) + across, round(y) + down), ())
        )
        for x, y in points
    )
