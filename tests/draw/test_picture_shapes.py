"""The shipped pictures: the borders of each map and no others, and nothing that overlaps."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest

import dipsat
from dipsat.base import data_folder
from dipsat.draw import Picture
from dipsat.draw.map_picture import Point, Shape
from dipsat.draw.picture_choice import shipped_picture, shipped_pictures
from dipsat.draw.places import UNIT, name_box
from geometry.layouts import cut_of, hints_of, pictures
from geometry.source import read_source, source_names
from tests.draw.picture_geometry import (
    area,
    borders,
    closed_rings,
    contains,
    meet,
    never_both,
    things,
)
from tests.exhaustive import exhaustive, few_of

FOLDER = data_folder("rules") / "pictures"
PICTURES = ["standard", *sorted({*shipped_pictures().values()} - {"standard"})]
MAP = dipsat.load_map("standard")
STANDARD = shipped_picture("standard")
GEOGRAPHIC = source_names()
"""The pictures drawn from the outlines of countries."""
LAID_OUT = [name for name in PICTURES if name not in (*GEOGRAPHIC, "convoyable_coast")]
"""The pictures drawn from borders alone."""
COUNTRIES = os.environ.get("DIPSAT_COUNTRIES", "")
"""The path of `countries-50m.json` of the npm package world-atlas, from which it is built."""
ALL = pytest.mark.parametrize("name", few_of(PICTURES, 7))
SOME = pytest.mark.parametrize("name", few_of(PICTURES, 3))


def test_every_map_has_a_picture_and_every_picture_a_map() -> None:
    assert shipped_pictures() == pictures()  # the maps that share one
    index = json.loads((FOLDER / "index.json").read_text("utf-8"))
    assert list(index) == sorted(dipsat.map_names())
    files = {path.stem for path in FOLDER.glob("*.json")} - {"index"}
    assert files == set(PICTURES)


@pytest.mark.parametrize("map_name", few_of(sorted(dipsat.map_names()), 9))
def test_provinces_touch_or_are_linked_where_they_border_and_nowhere_else(map_name: str) -> None:
    picture = shipped_picture(shipped_pictures()[map_name])
    linked = [frozenset(link[:2]) for link in picture.links]
    flat = [frozenset(link[:2]) for link in picture.links if len(picture.strokes(link[2])) == 1]
    assert picture.shapes.keys() == dipsat.load_map(map_name).provinces.keys()
    assert len(linked) == len({*linked})
    assert picture.touching.isdisjoint(flat)
    assert picture.touching.union(linked) == borders(dipsat.load_map(map_name))


@ALL
def test_hints_name_provinces_and_borders_of_the_map(name: str) -> None:
    hints, cut = hints_of(name), cut_of(name)
    board = dipsat.load_map(name)
    assert {*hints.frame, *cut, *hints.at} <= board.provinces.keys()
    assert {frozenset(pair) for pair in [*hints.unseen, *pairwise(cut)]} <= borders(board)


@ALL
def test_few_borders_are_links(name: str) -> None:
    # In "pure" all provinces border all others. Of Youngstown Redux, half lead around the world.
    most = {"standard": 0, "pure": 6, "sengoku": 6, "youngstown_redux": 6}
    assert len(shipped_picture(name).links) <= most.get(name, 5)


def test_the_standard_board_with_one_more_border_is_the_standard_board() -> None:
    """`python -m geometry.layouts convoyable_coast` after a new standard board."""
    more = shipped_picture("convoyable_coast")
    assert (more.arcs, more.shapes) == (STANDARD.arcs, STANDARD.shapes)
    assert [link[:2] for link in more.links] == [("BER", "DEN")]


@ALL
def test_links_lead_from_one_province_into_the_other(name: str) -> None:
    picture = shipped_picture(name)
    for one, other, line in picture.links:
        assert contains(picture, picture.shapes[one], line[0]), (one, other)
        assert contains(picture, picture.shapes[other], line[-1]), (one, other)


@ALL
def test_links_keep_off_units_and_names(name: str) -> None:
    picture = shipped_picture(name)
    board = dipsat.load_map(name)
    boxes = [
        (thing, box)
        for thing, box in things(picture, board)
        if thing.startswith(("unit", "name")) and "/" not in thing
    ]
    covered = [
        (one, other, thing)
        for one, other, line in picture.links
        for thing, (left, top, right, bottom) in boxes
        if any(left < x < right and top < y < bottom for x, y in line)
    ]
    assert covered == []


@ALL
def test_no_link_crosses_the_world_where_it_is_round(name: str) -> None:
    picture = shipped_picture(name)
    round_worlds = ("coldwar", "twentytwenty", "world", "youngstown_redux")
    parts = [part for _, _, line in picture.links for part in picture.strokes(line)]
    if name in round_worlds:
        assert all(abs(part[0][0] - part[-1][0]) < picture.width / 2 for part in parts)
    around = {"twentytwenty": 1, "youngstown_redux": 3}  # ANC to VLA, and between the boxes
    assert len(parts) - len(picture.links) == around.get(name, 0)


def test_a_link_around_the_world_leaves_at_one_edge_and_comes_in_at_the_other() -> None:
    picture = shipped_picture("twentytwenty")
    (line,) = (line for one, other, line in picture.links if (one, other) == ("ANC", "VLA"))
    west, east = picture.strokes(line)
    assert (west[-1][0], east[0][0]) == (0, picture.width)
    drawn = dipsat.draw.board("twentytwenty")
    path = re.search(r'data-link="ANC-VLA" d="([^"]*)"', drawn)
    assert path is not None
    assert path[1].count("M") == 2
    # Each part ends at the name of the province that it leads to.
    assert (drawn.count(">VLA</text>"), drawn.count(">ANC</text>")) == (2, 2)


def test_a_sea_at_both_edges_makes_a_round_world_unless_it_alone_has_names_there() -> None:
    picture = shipped_picture("1900")
    assert not picture.is_round
    bare = replace(picture.shapes["MID"], again=())
    assert replace(picture, shapes={**picture.shapes, "MID": bare}).is_round
    assert shipped_picture("world").is_round


def test_links_do_not_end_where_others_do() -> None:
    """In "pure" all provinces border all others: two such lines would look like one."""
    ends = [end for _, _, line in shipped_picture("pure").links for end in (line[0], line[-1])]
    assert min(dist(*two) for two in combinations(ends, 2)) > 8


@ALL
def test_outlines_are_closed_and_cover_the_sheet_once(name: str) -> None:
    """Each arc has a province or blank on either side, or lies on the edge of the sheet; so where
    the areas add up to the sheet's, and no outline crosses another, no point is covered twice."""
    picture = shipped_picture(name)
    walked = Counter(arc for ring in closed_rings(picture) for arc in ring)
    sides = [walked[arc] + walked[~arc] for arc in range(len(picture.arcs))]
    assert {*sides} <= {1, 2}
    if name in LAID_OUT:
        assert set(walked.values()) == {1}
        edges = [line for line, seen in zip(picture.arcs, sides, strict=True) if seen == 1]
        assert all(_on_edge(picture, point) for line in edges for point in line)
    total = sum(area(picture, shape.rings) for shape in picture.shapes.values())
    total += area(picture, picture.blank)
    if name in GEOGRAPHIC and read_source(name).nobody:  # some is water, which is left open
        assert total < picture.width * picture.height * (1 + 1e-4)
    else:
        assert total == pytest.approx(picture.width * picture.height, rel=1e-4)


@pytest.mark.parametrize("name", few_of(LAID_OUT, 6))
def test_provinces_are_large_enough_to_be_seen(name: str) -> None:
    picture = shipped_picture(name)
    areas = {code: area(picture, shape.rings) for code, shape in picture.shapes.items()}
    usual = sorted(areas.values())[len(areas) // 2]
    least = min(areas, key=areas.__getitem__)
    assert areas[least] > usual / 8, least
    for shape in picture.shapes.values():
        assert all(_length(picture, ring) > 30 * picture.scale for ring in shape.rings)


@exhaustive
@SOME
def test_no_line_crosses_another(name: str) -> None:
    picture = shipped_picture(name)
    fields: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
    for line in picture.arcs:
        for a, b in pairwise(line):
            for key in {(int(x // 16), int(y // 16)) for x, y in _along(a, b)}:
                fields.setdefault(key, []).append((a, b))
    crossing = {
        (one, other)
        for some in fields.values()
        for one, other in combinations(some, 2)
        if not {*one} & {*other} and _cross(*one, *other)
    }
    assert crossing == set()


@ALL
def test_units_and_centres_stand_in_their_provinces(name: str) -> None:
    picture = shipped_picture(name)
    board = dipsat.load_map(name)
    for code, shape in picture.shapes.items():
        places = [shape.place, *shape.coasts.values()]
        points = [point for place in places for point in (place.unit, place.dislodged)]
        assert [point for point in points if not contains(picture, shape, point)] == [], code
        assert tuple(shape.coasts) == board.provinces[code].coasts


@ALL
def test_a_name_stands_in_its_province_or_has_a_line_to_it(name: str) -> None:
    picture = shipped_picture(name)
    for code, shape in picture.shapes.items():
        assert shape.place.label is not None
        if not contains(picture, shape, shape.place.label):
            assert shape.leader, code
            assert contains(picture, shape, shape.leader[-1]), code


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("coldwar", "BER EPA"),
        ("twentytwenty", "MPO NPO SPO"),
        ("world", "AOC BRS CPO NPO PIS RIS SWP"),
    ],
)
def test_a_round_world_has_names_at_both_of_its_edges(name: str, codes: str) -> None:
    """The other maps have no province in two pieces."""
    picture = shipped_picture(name)
    assert sorted(code for code, shape in picture.shapes.items() if shape.again) == codes.split()
    for code in codes.split():
        shape = picture.shapes[code]
        assert shape.place.label is not None
        labels = [shape.place.label, *shape.again]
        assert all(contains(picture, shape, label) for label in labels)
        left, right = sorted(x for x, _ in labels)
        assert left < picture.width / 2 < right


@SOME
def test_nothing_covers_anything_on_a_full_board(name: str) -> None:
    picture = shipped_picture(name)
    everything = sorted(things(picture, dipsat.load_map(name)), key=lambda thing: thing[1])
    covering = []
    for at, (one, box) in enumerate(everything):
        for other, other_box in everything[at + 1 :]:
            if other_box[0] > box[2]:
                break
            if meet(box, other_box) and not never_both(one, other):
                covering.append((one, other))
    assert covering == []


def test_all_things_lie_on_the_sheet() -> None:
    for thing, (left, top, right, bottom) in things(STANDARD, MAP):
        assert 0 < left < right < STANDARD.width, thing
        assert 0 < top < bottom < STANDARD.height, thing


def test_names_and_centres_of_the_standard_board_lie_in_their_provinces() -> None:
    for code, shape in STANDARD.shapes.items():
        assert shape.place.label is not None
        # the box has margins
        left, top, right, bottom = name_box(shape.place.label, code, 0.9, STANDARD.scale)
        points = [(left, top), (right, top), (left, bottom), (right, bottom)]
        points += [shape.centre] * MAP.provinces[code].supply
        assert [point for point in points if not contains(STANDARD, shape, point)] == [], code
        assert (shape.leader, shape.size) == ((), 1), code


def test_no_impassable_land_is_a_province() -> None:
    # Switzerland is the blank land between these provinces.
    around = [
        {code for code, shape in STANDARD.shapes.items() if _arcs(ring) & _arcs(*shape.rings)}
        for ring in STANDARD.blank
    ]
    assert around.count({"BUR", "MAR", "MUN", "PIE", "TYR"}) == 1
    assert "SWI" in MAP.impassable


@pytest.mark.parametrize(
    ("location", "sea"),
    [("BUL/EC", "BLA"), ("BUL/SC", "AEG"), ("SPA/NC", "MAO"), ("SPA/SC", "WES"),
     ("STP/NC", "BAR"), ("STP/SC", "BOT")],
)  # fmt: skip
def test_fleets_on_coasts_stand_beside_their_sea(location: str, sea: str) -> None:
    code, coast = location.split("/")
    shape = STANDARD.shapes[code]
    unit = shape.coasts[coast].unit
    away = {
        near: min(
            dist(point, unit)
            for arc in _arcs(*shape.rings) & _arcs(*STANDARD.shapes[near].rings)
            for point in STANDARD.arcs[arc]
        )
        for near in MAP.seas
        if frozenset({code, near}) in STANDARD.touching
    }
    assert min(away, key=away.__getitem__) == sea
    assert away[sea] < 1.5 * UNIT * STANDARD.scale


@ALL
def test_files_are_small(name: str) -> None:
    data = (FOLDER / f"{name}.json").read_bytes()
    assert len(gzip.compress(data, 9)) < 35_000


@pytest.mark.parametrize(
    ("name", "down"),
    [
        ("standard", "NWY DEN KIE MUN TYR VEN ROM NAP TUN"),
        ("standard", "BAR STP MOS SEV BLA ANK SMY EAS"),
        ("standard", "CLY LVP WAL ENG"),
        ("1900", "NWY DEN SWI ROM TUN"),
        ("modern", "NWY DEN HAM MUN MIL ROM NAP TUN LIB"),
        ("loeb9", "NWY DEN MUN ROM NAP"),
        ("ancient_mediterranean", "RAV ROM NEA SIC AUS GOS LEP"),
        ("world", "ALA BCO CLF MEX PER CHI"),
        ("twentytwenty", "STP MOS ROS"),
        ("sengoku", "MUT HIT MUS"),
    ],
)
def test_north_is_up(name: str, down: str) -> None:
    shapes = shipped_picture(name).shapes
    across = [shapes[code].place.unit[1] for code in down.split()]
    assert across == sorted(across)


@pytest.mark.parametrize(
    "codes", ["NAO CLY EDI NTH DEN SWE LVN MOS", "POR SPA LYO TUS ADR SER BUL"]
)
def test_east_is_right(codes: str) -> None:
    across = [STANDARD.shapes[code].place.unit[0] for code in codes.split()]
    assert across == sorted(across)


@pytest.mark.parametrize("name", GEOGRAPHIC)
def test_borders_on_maps_with_real_outlines_are_long_enough_to_be_seen(name: str) -> None:
    picture = shipped_picture(name)
    lengths = {
        pair: sum(dist(*step) for arc in arcs for step in pairwise(arc))
        for pair, arcs in picture.shared.items()
    }
    assert min(lengths.values()) > 4 * picture.scale, min(lengths, key=lengths.__getitem__)


@exhaustive
@pytest.mark.parametrize("name", GEOGRAPHIC)
@pytest.mark.skipif(
    not COUNTRIES or find_spec("shapely") is None,
    reason="needs the extra pictures-build, and DIPSAT_COUNTRIES: the path of countries-50m.json "
    "of the npm package world-atlas 2.0.2",
)
def test_a_picture_with_real_outlines_is_what_its_script_builds(name: str) -> None:
    from geometry.build import built

    shipped, found = shipped_picture(name), built(name, Path(COUNTRIES))
    for what in ("width", "height", "scale", "touching"):
        assert getattr(found, what) == getattr(shipped, what)
    assert found.shapes.keys() == shipped.shapes.keys()
    for code, shape in shipped.shapes.items():
        other = found.shapes[code]
        assert _same(_points(shipped, shape.rings), _points(found, other.rings)), code
        assert _same(_standing(shape), _standing(other)), code
    assert _same(_points(shipped, shipped.blank), _points(found, found.blank))


@exhaustive
@pytest.mark.extra
@pytest.mark.skipif(find_spec("shapely") is None, reason="needs the extra pictures-build")
def test_the_script_says_how_it_is_called() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "geometry.build"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr == "Usage: python -m geometry.build COUNTRIES_JSON [MAP...]\n"


def _arcs(*rings: tuple[int, ...]) -> set[int]:
    return {max(arc, ~arc) for ring in rings for arc in ring}


def _points(picture: Picture, rings: tuple[tuple[int, ...], ...]) -> list[Point]:
    return [point for ring in rings for point in picture.outline(ring)]


def _standing(shape: Shape) -> list[Point]:
    places = [shape.place, *shape.coasts.values()]
    return [shape.centre, *(place.unit for place in places), *(p.dislodged for p in places)]


def _same(some: list[Point], others: list[Point]) -> bool:
    """Whether each of the points has one of the others near it, and the other way round."""
    return all(
        any(dist(one, other) <= 0.2 for other in near)
        for ones, near in ((some, others), (others, some))
        for one in ones
    )


def _on_edge(picture: Picture, point: Point) -> bool:
    return point[0] in (0, picture.width) or point[1] in (0, picture.height)


def _length(picture: Picture, ring: tuple[int, ...]) -> float:
    outline = picture.outline(ring)
    return sum(dist(a, b) for a, b in pairwise([*outline, outline[0]]))


def _along(a: Point, b: Point) -> Iterable[Point]:
    steps = 1 + int(max(abs(a[0] - b[0]), abs(a[1] - b[1])) // 8)
    for step in range(steps + 1):
        yield (
            a[0] + (b[0] - a[0]) * step / steps,
            a[1] + (b[1] - a[1]) * step / steps,
        )


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
