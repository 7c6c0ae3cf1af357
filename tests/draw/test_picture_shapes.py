"""The shipped pictures: the borders of each map and no others, and nothing that overlaps."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, pairwise
from math import dist

import pytest

import dipsat
from dipsat.base import data_folder
from dipsat.board import province_of
from dipsat.draw import Picture
from dipsat.draw.map_picture import Point
from dipsat.draw.picture_choice import shipped_picture, shipped_pictures
from geometry.layouts import cut_of, hints_of, pictures
from tests.draw.picture_geometry import area, contains, meet, never_both, things
from tests.exhaustive import few_of

FOLDER = data_folder("rules") / "pictures"
PICTURES = sorted({*shipped_pictures().values()})
LAID_OUT = [
    name for name in PICTURES if shipped_picture(name).arcs != shipped_picture("standard").arcs
]
"""Those drawn from their borders alone."""
ALL = pytest.mark.parametrize("name", PICTURES)
SOME = pytest.mark.parametrize("name", few_of(PICTURES, 4))


@cache
def _borders(name: str) -> frozenset[frozenset[str]]:
    board = dipsat.load_map(name)
    return frozenset(
        frozenset((province_of(place), province_of(near)))
        for reached in (board.army, board.fleet)
        for place, all_near in reached.items()
        for near in all_near
        if province_of(place) != province_of(near)
    )


def test_every_map_has_a_picture_and_every_picture_a_map() -> None:
    assert set(shipped_pictures()) == set(dipsat.map_names())
    files = {path.stem for path in FOLDER.glob("*.json")} - {"index"}
    assert files == set(PICTURES)


@pytest.mark.parametrize("map_name", sorted(dipsat.map_names()))
def test_provinces_touch_or_are_linked_where_they_border_and_nowhere_else(map_name: str) -> None:
    picture = shipped_picture(shipped_pictures()[map_name])
    linked = [frozenset(link[:2]) for link in picture.links]
    assert picture.shapes.keys() == dipsat.load_map(map_name).provinces.keys()
    assert len(linked) == len({*linked})
    assert picture.touching.isdisjoint(linked)
    assert picture.touching.union(linked) == _borders(map_name)


def test_the_index_is_what_the_maps_share() -> None:
    assert shipped_pictures() == pictures()


@pytest.mark.parametrize("name", PICTURES)
def test_hints_name_provinces_and_borders_of_the_map(name: str) -> None:
    hints, cut = hints_of(name), cut_of(name)
    board = dipsat.load_map(name)
    assert {*hints.frame, *cut, *hints.at} <= board.provinces.keys()
    assert {frozenset(pair) for pair in [*hints.unseen, *pairwise(cut)]} <= _borders(name)


@ALL
def test_few_borders_are_links(name: str) -> None:
    most = 6 if name in ("pure", "sengoku") else 5  # in "pure" all provinces border all others
    assert len(shipped_picture(name).links) <= most


def test_the_standard_board_with_one_more_border_is_the_standard_board() -> None:
    """`python -m geometry.layouts convoyable_coast` after a new standard board."""
    more, usual = shipped_picture("convoyable_coast"), shipped_picture("standard")
    assert (more.arcs, more.shapes) == (usual.arcs, usual.shapes)
    assert [link[:2] for link in more.links] == [("BER", "DEN")]


@ALL
def test_links_lead_from_the_one_province_into_the_other(name: str) -> None:
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
    round_worlds = ("coldwar", "twentytwenty", "world")
    parts = [part for _, _, line in picture.links for part in picture.strokes(line)]
    if name in round_worlds:
        assert all(abs(part[0][0] - part[-1][0]) < picture.width / 2 for part in parts)
    assert (len(parts) > len(picture.links)) == (name == "twentytwenty")  # ANC to VLA


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


def test_links_do_not_end_where_others_do() -> None:
    """In "pure" all provinces border all others: two such lines would look like one."""
    ends = [end for _, _, line in shipped_picture("pure").links for end in (line[0], line[-1])]
    assert min(dist(*two) for two in combinations(ends, 2)) > 8


@pytest.mark.parametrize("name", LAID_OUT)
def test_outlines_are_closed_and_cover_the_sheet_once(name: str) -> None:
    """Each arc has a province or blank on either side, or lies on the edge of the sheet; so where
    the areas add up to the sheet's, and no outline crosses another, no point is covered twice."""
    picture = shipped_picture(name)
    rings = [*picture.blank, *(ring for shape in picture.shapes.values() for ring in shape.rings)]
    for ring in rings:
        lines = [picture.arcs[arc] if arc >= 0 else picture.arcs[~arc][::-1] for arc in ring]
        assert all(one[-1] == other[0] for one, other in pairwise([*lines, lines[0]]))
    walked = Counter(arc for ring in rings for arc in ring)
    assert set(walked.values()) == {1}
    for arc, line in enumerate(picture.arcs):
        assert {arc, ~arc} & walked.keys()
        if not {arc, ~arc} <= walked.keys():
            assert all(_on_edge(picture, point) for point in line)
    total = sum(area(picture, shape.rings) for shape in picture.shapes.values())
    total += area(picture, picture.blank)
    assert total == pytest.approx(picture.width * picture.height, rel=1e-4)


@pytest.mark.parametrize("name", LAID_OUT)
def test_provinces_are_large_enough_to_be_seen(name: str) -> None:
    picture = shipped_picture(name)
    areas = {code: area(picture, shape.rings) for code, shape in picture.shapes.items()}
    usual = sorted(areas.values())[len(areas) // 2]
    least = min(areas, key=areas.__getitem__)
    assert areas[least] > usual / 8, least
    for shape in picture.shapes.values():
        assert all(_length(picture, ring) > 30 * picture.scale for ring in shape.rings)


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
        ("world", "BRS CPO NPO PIS RIS SWP"),
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


@ALL
def test_files_are_small(name: str) -> None:
    data = (FOLDER / f"{name}.json").read_bytes()
    assert len(gzip.compress(data, 9)) < 35_000


@pytest.mark.parametrize(
    ("name", "down"),
    [
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


def test_the_index_is_sorted() -> None:
    index = json.loads((FOLDER / "index.json").read_text("utf-8"))
    assert list(index) == sorted(index)


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
