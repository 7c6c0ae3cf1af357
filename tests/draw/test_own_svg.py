"""Pictures from SVG files of users: what is expected follows from the SVG specification, with the
arithmetic of circles and curves, and never from what dipsat drew."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import cos, hypot, radians, sin, sqrt
from pathlib import Path

import pytest

import dipsat
from dipsat.base import PICTURE_BYTES, PICTURE_OUTLINES, PICTURE_POINTS, InputLimit, Tally
from dipsat.draw import Picture, foreign_svg as own_svg, picture_choice as choice, picture_for
from dipsat.draw.foreign_svg import (
    Drawn,
    area,
    joined,
    length,
    lines_of,
    outlines_of,
    read_svg,
    transformation,
)
from dipsat.draw.map_picture import Point
from dipsat.errors import DipsatError, DocumentError, InputLimitError
from tests.exhaustive import exhaustive

MAP = """\
name: tiny
coasts: {NC: [nc], SC: [sc]}
powers: {RED: {home: [LAN], start: [A LAN, F COA/NC]}}
provinces:
  LAN: {name: Far Land, type: land, supply: true, army: [COA]}
  COA: {name: Coast, aliases: [shore], type: coast, army: [LAN], fleet: {NC: [SEA], SC: [GUL]}}
  SEA: {name: Sea, type: sea, fleet: [COA/NC, GUL]}
  GUL: {name: Gulf, type: sea, fleet: [COA/SC, SEA]}
"""
SHAPES = """\
<rect id="SEA" width="100" height="30"/><rect id="COA" y="30" width="100" height="20"/>
<rect id="GUL" y="50" width="60" height="30"/><rect id="LAN" x="60" y="50" width="40" height="30"/>
"""


def drawing(content: str, page: str = 'viewBox="0 0 100 80"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {page}>{content}</svg>'.encode()


def points(data: str, finest: float = 0.001) -> list[list[Point]]:
    """The points of the lines of path data."""
    count = Tally(PICTURE_POINTS)
    return outlines_of(lines_of("path", {"d": data}, count), transformation(""), finest, count)


def by_id(given: Mapping[str, str]) -> str:
    return given.get("id", "")


def outlines(content: str, page: str = 'viewBox="0 0 100 80"') -> dict[str, list[list[Point]]]:
    """Id -> the outlines of the shape."""
    found: Drawn = read_svg(drawing(content, page), "board.svg", by_id)
    return {one.owner: one.outlines for one in found.shapes}


def picture(
    folder: Path, content: str, more: str = "", page: str = 'viewBox="0 0 100 80"'
) -> Picture:
    (folder / "board.svg").write_bytes(drawing(content, page))
    (folder / "map.yaml").write_text(f"{MAP}picture: {{svg: board.svg{more}}}\n", encoding="utf-8")
    return picture_for(dipsat.load_map(folder / "map.yaml"))


@pytest.fixture
def _unplaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the search for places of units, which takes most of the time."""

    def same(picture: Picture, *_: object, **__: object) -> Picture:
        return picture

    monkeypatch.setattr(own_svg, "with_places", same)


def near(one: Point, other: Point, by: float = 1e-6) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) <= by


def between(point: Point, one: Point, other: Point) -> float:
    """How far a point is from the straight line between two others."""
    way = hypot(one[0] - other[0], one[1] - other[1])
    parts = (hypot(end[0] - point[0], end[1] - point[1]) for end in (one, other))
    return sum(parts) - way


# --- Path data ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("M 10 20 L 30 20 L 30 40 z", [[(10, 20), (30, 20), (30, 40)]]),
        ("M10,20H30V40H10Z", [[(10, 20), (30, 20), (30, 40), (10, 40)]]),
        ("m10 20h20v20h-20z", [[(10, 20), (30, 20), (30, 40), (10, 40)]]),
        # more pairs after a move are lines, relative ones after a relative move
        ("M1 1 2 2 3 1", [[(1, 1), (2, 2), (3, 1)]]),
        ("m1 1 2 2 3-1", [[(1, 1), (3, 3), (6, 2)]]),
        # a closed path goes on where it began
        ("M5 5h2v2z l1 0 0 1", [[(5, 5), (7, 5), (7, 7)], [(5, 5), (6, 5), (6, 6)]]),
        ("M5 5h2v2z m1 0 h1", [[(5, 5), (7, 5), (7, 7)], [(6, 5), (7, 5)]]),
        # numbers need nothing between them where the grammar can tell them apart
        ("M.5.5-1-1e1", [[(0.5, 0.5), (-1, -10)]]),
        ("M0 0L+1-.25\n,\t", [[(0, 0), (1, -0.25)]]),
        ("M 0 0 1 1,2 2", [[(0, 0), (1, 1), (2, 2)]]),
        ("M7 7", []),
        ("", []),
        # arcs without a radius are lines, and arcs that lead nowhere are left out
        ("M0 0A0 5 0 0 1 10 0", [[(0, 0), (10, 0)]]),
        ("M0 0A5 5 0 0 1 0 0L1 1", [[(0, 0), (1, 1)]]),
    ],
)
def test_path_data_are_read(data: str, expected: list[list[Point]]) -> None:
    assert points(data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [  # the middle of a cubic curve is (p + 3q + 3r + s) / 8, of a quadratic one (p + 2q + r) / 4
        ("M100,200 C100,100 250,100 250,200", (175, 125)),
        ("M100,200 C100,100 250,100 250,200 S400,300 400,200", (325, 275)),
        ("M100,200 c0,-100 150,-100 150,0 s150,100 150,0", (325, 275)),
        ("M0 0 S 30 60 60 0", (18.75, 22.5)),  # nothing to mirror: the first point is doubled
        ("M200,300 Q400,50 600,300", (400, 175)),
        ("M200,300 Q400,50 600,300 T1000,300", (800, 425)),
        ("M200,300 q200,-250 400,0 t400,0", (800, 425)),
        ("M0 0 T 60 0", (15, 0)),
        # arcs: half a circle, and half an ellipse that is turned
        ("M0 0 A5 5 0 0 1 10 0", (5, -5)),
        ("M0 0 A5 5 0 0 0 10 0", (5, 5)),
        ("M0 0 A1 1 0 0 1 10 0", (5, -5)),  # too small a radius grows until it fits
        ("M0 0 a-5 5 0 0110 0", (5, -5)),  # flags without a space, a radius below 0
        ("M0 0 A20 10 90 0 1 20 0", (10, -20)),
        ("M0 0 A20 10 450 0 1 20 0", (10, -20)),
    ],
)
def test_curves_go_through_their_middle(data: str, expected: Point) -> None:
    (line,) = points(data)
    assert any(between(expected, *side) < 0.1 for side in pairwise(line))


@pytest.mark.parametrize("flags", ["0 0", "0 1", "1 0", "1 1"])
def test_arcs_lie_on_their_circle_on_the_side_that_the_flags_say(flags: str) -> None:
    # From (0, 0) to (30, 0) with radius 17, the middle is 8 above or below (15, 0).
    (line,) = points(f"M0 0 A17 17 0 {flags} 30 0")
    is_large, is_clockwise = flags == "1 0" or flags == "1 1", flags.endswith("1")
    middle = 15.0, 8.0 if is_large != is_clockwise else -8.0
    assert all(abs(hypot(x - middle[0], y - middle[1]) - 17) < 0.02 for x, y in line)
    ys = [y for _, y in line]
    farthest = min(ys) if is_clockwise else max(ys)
    assert abs(farthest - (middle[1] - 17 if is_clockwise else middle[1] + 17)) < 0.2
    assert line[0] == (0, 0)
    assert line[-1] == (30, 0)


def test_the_arcs_of_the_specification() -> None:
    (line,) = points("M300,200 h-150 a150,150 0 1,0 150,-150 z")
    on_circle = line[1:]
    assert all(abs(hypot(x - 300, y - 200) - 150) < 0.05 for x, y in on_circle)
    for expected in ((450, 200), (300, 350), (300, 50)):
        assert any(near(point, expected, 0.1) for point in on_circle)


def test_curves_are_cut_as_finely_as_asked() -> None:
    for grain in (1.0, 0.1, 0.01):
        (line,) = points("M100 0A100 100 0 0 1 0 100A100 100 0 0 1 -100 0", grain)
        for (x, y), (x2, y2) in pairwise(line):
            assert 100 - hypot((x + x2) / 2, (y + y2) / 2) < grain + 0.03


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("L1 1", "beginning with M"),
        ("M1", "lack a number"),
        ("M0 0L1", "lack a number"),
        ("M0 0 X", "commands and numbers"),
        ("M0 0 5", "lack a number"),
        ("M0 0 A5 5 0 2 1 9 9", "lack a number"),
        ("MNaN 0", "commands and numbers"),
        ("M0 0 Linf 0", "commands and numbers"),
        ("M1e999 0L1 1", "farther away"),
        ("M0 0L1e308 1e308", "farther away"),
        ("M0 0l9e6 0 9e6 0", "farther away"),
        ("M0 0A1e308 1e-308 7 1 1 1e308 9", "too large|farther away"),
        ("M0 0C1e308 0 0 1e308 -1e308 0", "farther away"),
        ("M" + "1" * 500 + " 0L1 1", "farther away"),
        ("M0 0" + "é", "commands and numbers"),
    ],
)
def test_wrong_path_data_are_one_error(data: str, told: str) -> None:
    with pytest.raises(DocumentError, match=told) as caught:
        outlines(f'<path id="A" d="M0 0h9v9z"/>\n <path id="B" d="{data}"/>')
    assert (caught.value.line, caught.value.column) == (2, 2)


# --- Shapes and transformations -------------------------------------------------------------------


def test_basic_shapes() -> None:
    found = outlines(
        '<rect id="r" x="1" y="2" width="3" height="4"/><polygon id="p" points="0,0 9,0 9,9,0 9"/>'
        '<rect id="none" width="0" height="4"/><circle id="flat" r="0"/>'
        '<circle id="c" cx="10" cy="20" r="5"/><ellipse id="e" cx="10" cy="20" rx="5" ry="8"/>'
        '<rect id="round" width="40" height="30" rx="10"/><ellipse id="auto" rx="auto" ry="6"/>'
    )
    assert found["r"] == [[(1, 2), (4, 2), (4, 6), (1, 6)]]
    assert found["p"] == [[(0, 0), (9, 0), (9, 9), (0, 9)]]
    assert found["none"] == found["flat"] == []
    assert all(abs(hypot(x - 10, y - 20) - 5) < 0.01 for x, y in found["c"][0])
    assert abs(abs(area(found["c"][0])) - 25 * 3.14159) < 0.4
    assert all(abs(hypot((x - 10) / 5, (y - 20) / 8) - 1) < 0.01 for x, y in found["e"][0])
    assert abs(abs(area(found["e"][0])) - 40 * 3.14159) < 1.8
    assert abs(abs(area(found["auto"][0])) - 36 * 3.14159) < 1.8
    corner = 10 - 10 * sqrt(0.5)
    assert any(near(point, (corner, corner), 1.0) for point in found["round"][0])
    assert abs(abs(area(found["round"][0])) - (1200 - (4 - 3.14159) * 100)) < 3


@pytest.mark.parametrize(
    ("text", "point", "expected"),
    [
        ("", (3, 4), (3, 4)),
        ("translate(10 20)", (1, 2), (11, 22)),
        ("translate(10)", (1, 2), (11, 2)),
        ("scale(2)", (1, 2), (2, 4)),
        ("scale(2,-3)", (1, 2), (2, -6)),
        ("rotate(90)", (1, 0), (0, 1)),
        ("rotate(90, 5, 5)", (5, 0), (10, 5)),
        ("skewX(45)", (1, 2), (3, 2)),
        ("skewY(45)", (1, 2), (1, 3)),
        ("matrix(1 2 3 4 5 6)", (10, 100), (315, 426)),
        ("translate(10,0) scale(2)", (1, 1), (12, 2)),  # the last one is applied first
        ("scale(2), translate(10,0)", (1, 1), (22, 2)),
        (  # the nested transformations of the specification (SVG 1.1, 7.4)
            "translate(50,90) rotate(-45) translate(130,160)", (0, 0),
            (50 + (130 + 160) * sqrt(0.5), 90 + (160 - 130) * sqrt(0.5)),
        ),
    ],
)  # fmt: skip
def test_transformations(text: str, point: Point, expected: Point) -> None:
    assert near(tuple(transformation(text).point_in_matrix_space(point)), expected)


def test_groups_transform_what_is_in_them() -> None:
    found = outlines(
        '<g transform="translate(10 0)"><g transform="scale(2)"><rect id="r" width="3" height="4" '
        'transform="translate(1 1)"/></g></g>'
        '<g transform="rotate(30)"><circle id="c" cx="50" r="5"/></g>'
    )
    assert found["r"] == [[(12, 2), (18, 2), (18, 10), (12, 10)]]
    x, y = 50 * cos(radians(30)), 50 * sin(radians(30))
    assert all(abs(hypot(px - x, py - y) - 5) < 0.01 for px, py in found["c"][0])


@pytest.mark.parametrize(
    "text",
    ["rotate(1 2)", "translate()", "move(1)", "scale(1", "matrix(1 2 3)", "scale(nan)", "scale 2",
     "rotate(1)" * 101],
)  # fmt: skip
def test_wrong_transformations_are_one_error(text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        outlines(f'<g transform="{text}"><rect id="A" width="1" height="1"/></g>')
    assert caught.value.path == "board.svg"


@pytest.mark.parametrize(
    ("text", "pixels"),
    [("10", 10), ("10px", 10), ("1in", 96), ("2.54cm", 96), ("25.4mm", 96), ("72pt", 96),
     ("6pc", 96), (" -1.5e1 ", -15)],
)  # fmt: skip
def test_lengths(text: str, pixels: float) -> None:
    assert length(text) == pytest.approx(pixels)


@pytest.mark.parametrize("text", ["", "50%", "2em", "wide", "1 2", "1e999", "nan", "1" * 200])
def test_lengths_that_depend_on_something_else_are_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="a length"):
        outlines(f'<rect id="A" width="{text}" height="1"/>')


@pytest.mark.parametrize(
    ("rule", "hole", "expected"),
    [  # SVG 1.1, 11.3: inside is what the lines wind around, or what an odd number surrounds
        ("", "M4 4h2v2h-2z", 100),
        ("", "M4 4v2h2v-2z", 96),
        ('fill-rule="evenodd"', "M4 4h2v2h-2z", 96),
        ('style="fill:red;fill-rule:evenodd"', "M4 4h2v2h-2z", 96),
    ],
)
@pytest.mark.usefixtures("_unplaced")
def test_holes_follow_the_fill_rule(rule: str, hole: str, expected: float, tmp_path: Path) -> None:
    found = picture(
        tmp_path, SHAPES.replace('<rect id="SEA" width="100" height="30"/>', "")
        + f'<path id="SEA" {rule} d="M0 0h10v10h-10z{hole}"/>',
    )  # fmt: skip
    rings = [found.outline(ring) for ring in found.shapes["SEA"].rings]
    outer, *holes = sorted((abs(area(ring)) for ring in rings), reverse=True)
    assert (outer - sum(holes)) / outer * 100 == pytest.approx(expected, abs=0.01)


def test_islands_in_lakes_are_inside_again() -> None:
    def square(at: float, side: float) -> list[Point]:
        return [(at, at), (at + side, at), (at + side, at + side), (at, at + side)]

    land, lake, island = square(0, 10), square(2, 6)[::-1], square(4, 2)
    assert joined([([land, lake, island], False)]) == [land, lake, island]
    assert joined([([land, lake[::-1], island], False)]) == [land]
    assert joined([([land, lake], True), ([island], True)]) == [land, lake, island]
    assert joined([([land], True), ([island], True)]) == [land]
    assert joined([([land], True), ([island], True), ([square(4.5, 0.5)], True)]) == [land]


# --- Boards ---------------------------------------------------------------------------------------


@exhaustive
def test_shapes_become_provinces_where_they_are_drawn(tmp_path: Path) -> None:
    found = picture(tmp_path, SHAPES)
    assert found.width / found.height == pytest.approx(100 / 80)
    size = found.width / 100
    boxes = {"SEA": (0, 0, 100, 30), "COA": (0, 30, 100, 50), "GUL": (0, 50, 60, 80),
             "LAN": (60, 50, 100, 80)}  # fmt: skip
    for code, (left, top, right, bottom) in boxes.items():
        shape = found.shapes[code]
        (ring,) = shape.rings
        assert [(x / size, y / size) for x, y in found.outline(ring)] == [
            pytest.approx(corner)
            for corner in ((left, top), (right, top), (right, bottom), (left, bottom))
        ]
        for x, y in (shape.place.unit, shape.place.label or (0, 0), shape.place.dislodged):
            assert left < x / size < right
            assert top < y / size < bottom
    coasts = found.shapes["COA"].coasts
    assert coasts["NC"].unit[1] < coasts["SC"].unit[1]
    assert found.links == ()


@pytest.mark.usefixtures("_unplaced")
def test_a_view_box_may_begin_anywhere(tmp_path: Path) -> None:
    moved = f'<g transform="translate(-30 500)">{SHAPES}</g>'
    there = picture(tmp_path, moved, page='viewBox="-30 500 100 80"')
    (tmp_path / "here").mkdir()
    assert there == picture(tmp_path / "here", SHAPES)
    (tmp_path / "pixels").mkdir()
    by_pixels = picture(tmp_path / "pixels", SHAPES, page='width="100px" height="80"')
    assert by_pixels == there


@pytest.mark.usefixtures("_unplaced")
def test_provinces_are_found_by_codes_and_names_in_ids_and_data(tmp_path: Path) -> None:
    found = picture(
        tmp_path,
        '<rect id="sea" width="100" height="30"/><g id="Shore"><rect y="30" width="100" '
        'height="9"/><g><rect id="rect12" y="39" width="100" height="11"/></g></g>'
        '<rect id="x1" data-province="gul" y="50" width="60" height="30"/>'
        '<rect id="far_land" style="display:none" x="60" y="50" width="40" height="30"/>'
        '<text id="LAN">LAN</text><rect id="decoration" width="1" height="1"/>',
    )
    assert found.shapes.keys() == {"SEA", "COA", "GUL", "LAN"}
    assert len(found.shapes["COA"].rings) == 2
    assert found.blank == ()


@pytest.mark.usefixtures("_unplaced")
def test_a_shape_drawn_twice_is_drawn_once(tmp_path: Path) -> None:
    twice = SHAPES + '<rect data-province="LAN" x="60" y="50" width="40" height="30"/>'
    assert picture(tmp_path, twice).shapes["LAN"].rings == ((3,),)


@pytest.mark.usefixtures("_unplaced")
def test_land_of_nobody(tmp_path: Path) -> None:
    island = '<g class="old impassable"><rect x="{}" y="5" width="9" height="9"/></g>'
    found = picture(
        tmp_path, SHAPES + island.format(5) + '<circle id="Blank" cx="50" cy="9" r="3"/>'
    )
    assert len(found.blank) == 2
    size = found.width / 100
    assert near(found.outline(found.blank[0])[0], (5 * size, 5 * size))


@exhaustive
def test_what_is_drawn_later_covers_what_is_below(tmp_path: Path) -> None:
    """Units stand where their province is seen."""
    found = picture(
        tmp_path,
        '<rect id="SEA" width="100" height="80"/><rect id="GUL" y="60" width="100" height="20"/>'
        '<rect id="COA" x="20" y="20" width="80" height="40"/>'
        '<rect id="LAN" x="60" y="30" width="40" height="20"/>',
    )
    assert list(found.shapes) == ["SEA", "GUL", "COA", "LAN"]
    size = found.width / 100
    x, y = found.shapes["SEA"].place.unit
    assert x / size < 20 or y / size < 20
    x, y = found.shapes["COA"].place.unit
    assert not (60 < x / size < 100 and 30 < y / size < 50)
    north, south = (found.shapes["COA"].coasts[one].unit for one in ("NC", "SC"))
    assert south[1] / size > 45 > north[1] / size


@pytest.mark.usefixtures("_unplaced")
def test_places_of_the_map_are_in_the_coordinates_of_the_drawing(tmp_path: Path) -> None:
    more = ", places: {LAN: {unit: [70, 60], center: [-2, 62]}, COA/SC: {unit: [10, 45]}}"
    found = picture(tmp_path, SHAPES, more)
    size = found.width / 100
    assert near(found.shapes["LAN"].place.unit, (70 * size, 60 * size))
    assert near(found.shapes["LAN"].centre, (-2 * size, 62 * size))
    assert near(found.shapes["COA"].coasts["SC"].unit, (10 * size, 45 * size))


def test_missing_provinces_are_named_in_one_error(tmp_path: Path) -> None:
    with pytest.raises(DipsatError, match=r"board\.svg.*SEA, GUL$"):
        picture(tmp_path, SHAPES.replace('id="SEA"', "").replace('id="GUL"', 'id="GULL"'))


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        ('<rect id="SEA" width="0" height="30"/>', "the shape of SEA has no area"),
        ('<path id="SEA" d="M0 0L100 0"/>', "the shape of SEA has no area"),
        ('<rect id="SEA" x="200" width="10" height="30"/>', "the shape of SEA is outside"),
        ('<rect id="SEA" width="1000" height="30"/>', "the shape of SEA extends too far"),
        ('<rect id="SEA" width="-1" height="30"/>', "a height or a radius cannot be negative"),
    ],
)
def test_shapes_that_cannot_be_shown_are_one_error(shape: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=told) as caught:
        picture(tmp_path, SHAPES.replace('<rect id="SEA" width="100" height="30"/>', shape))
    assert caught.value.path.endswith("board.svg")


# --- Files of strangers ---------------------------------------------------------------------------

LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE = {
    "laughs": f'<!DOCTYPE svg [<!ENTITY a0 "ha">{LAUGHS}]><svg id="&a9;"/>',
    "external": '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    "parameter": '<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://x.org/x.dtd"> %x;]><svg/>',
    "undefined": "<!DOCTYPE svg SYSTEM 'http://x.org/x.dtd'><svg viewBox='0 0 9 9'>&x;</svg>",
    "nested": f'<svg viewBox="0 0 9 9">{"<g>" * 60}{"</g>" * 60}</svg>',
    "very nested": f'<svg viewBox="0 0 9 9">{"<x>" * 100_000}',
    "no svg": "<html/>",
    "no svg either": '<svg xmlns="http://x.org/other" viewBox="0 0 9 9"/>',
    "no XML": "name: x",
    "empty": "",
    "open": "<svg>",
    "nul": "<svg>\0</svg>",
    "encoding": '<?xml version="1.0" encoding="klingon"?><svg/>',
    "idna": '<?xml version="1.0" encoding="idna"?><svg/>',
    "no size": "<svg/>",
    "three": '<svg viewBox="0 0 9"/>',
    "flat": '<svg viewBox="0 0 9 0"/>',
    "not a number": '<svg viewBox="0 0 NaN 9"/>',
    "infinite": '<svg viewBox="0 0 1e999 1e999"/>',
    "large": '<svg viewBox="0 0 1e308 1e308"/>',
    "far": '<svg viewBox="1e308 0 9 9"/>',
    "relative": '<svg width="100%" height="100%"/>',
    "twice": '<svg viewBox="0 0 9 9" viewBox="0 0 9 9"/>',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_one_error(name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_svg(HOSTILE[name].encode(), "board.svg", by_id)
    assert str(caught.value).startswith("board.svg:1:")
    assert len(str(caught.value)) < 200


def test_a_document_type_alone_is_harmless() -> None:
    named = b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x.org/svg11.dtd">\n'
    assert read_svg(named + drawing(""), "board.svg", by_id).width == 100


@pytest.fixture
def _few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    few = InputLimit(PICTURE_POINTS.what, 2_000, "a test of what is counted")
    monkeypatch.setattr(own_svg, "PICTURE_POINTS", few)


@pytest.mark.parametrize("data", ["h1", " 1 1", "C0 9e6 9e6 0 1 1", "z", "a1 1 0 0 1 1 1"])
@pytest.mark.usefixtures("_few_points")
def test_a_huge_path_is_one_error(data: str) -> None:
    what = PICTURE_OUTLINES.what if data == "z" else PICTURE_POINTS.what
    for copies in (2_001, 20_000):
        with pytest.raises(InputLimitError, match=what):
            outlines(f'<path id="A" d="M0 0{data * copies}"/>')


@pytest.mark.usefixtures("_few_points")
def test_as_many_points_as_are_allowed() -> None:
    path, polygon = "M0 0" + "h.1" * 1_000, "1 " * 1_998
    found = outlines(f'<path id="A" d="{path}"/><polygon id="B" points="{polygon}"/>')
    assert [len(lines[0]) for lines in found.values()] == [1_001, 999]


def test_what_is_left_out_may_be_wrong_and_large() -> None:
    data = "M0 0" + "h1" * PICTURE_POINTS.most + "h1"
    found = outlines(
        f'<path d="{data}"/><path d="x" transform="y"/><image id="A" href="file:///etc/passwd"/>'
        '<defs><path id="B" d="M0 0h1v1z"/></defs><use id="C" href="#B"/><svg><g id="D"/></svg>'
    )
    assert found == {}


def test_more_outlines_than_a_province_may_have_are_one_error(tmp_path: Path) -> None:
    squares = "".join(
        f"M{at % 50} {at // 50}h.5v.5h-.5z" for at in range(PICTURE_OUTLINES.most + 1)
    )
    with pytest.raises(
        InputLimitError, match=r"svg:\d+:\d+: more than 300 outlines of a province or of blank land"
    ):
        picture(tmp_path, f'{SHAPES}<path data-province="SEA" d="{squares}"/>')


@pytest.mark.usefixtures("_unplaced")
def test_more_blank_land_than_there_may_be_is_one_error(tmp_path: Path) -> None:
    squares = '<rect class="blank" width="9" height="9"/>' * (PICTURE_OUTLINES.most + 1)
    with pytest.raises(InputLimitError, match="blank land: more than 300 outlines of"):
        picture(tmp_path, SHAPES + squares)


@pytest.mark.parametrize("key", ["svg", "file"])
def test_files_that_are_too_large_are_one_error(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = InputLimit(PICTURE_BYTES.what, 1_000, "a test of what is counted")
    monkeypatch.setattr(choice, "PICTURE_BYTES", few)
    (tmp_path / "x").write_bytes(b" " * 1_001)
    (tmp_path / "map.yaml").write_text(f"{MAP}picture: {{{key}: x}}\n", encoding="utf-8")
    loaded = dipsat.load_map(tmp_path / "map.yaml")
    with pytest.raises(InputLimitError, match="more than 1,000 bytes in the picture"):
        picture_for(loaded)
