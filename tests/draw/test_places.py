"""Where units, names and centres stand: in their province, and on nothing else."""

from __future__ import annotations

from itertools import combinations

import pytest

from dipsat.board import Map, Province
from dipsat.draw import Picture
from dipsat.draw.map_picture import Place, Point, Shape
from dipsat.draw.places import UNIT, name_box, with_places
from dipsat.draw.raster import raster
from tests.draw.picture_geometry import meet, never_both, things
from tests.exhaustive import exhaustive

# A strip of land with a sea above it and one below it, and a tiny province at its right end:
#
#   NOR NOR NOR
#   LAN LAN TIN
#   SOU SOU SOU
_ARCS: tuple[tuple[Point, ...], ...] = (
    ((0, 100), (0, 0), (212, 0), (212, 100)),  # 0: around the sea in the north
    ((0, 100), (200, 100)),  # 1: the north shore of LAN
    ((200, 100), (212, 100)),  # 2: that of TIN
    ((0, 100), (0, 200)),  # 3: the west of LAN
    ((200, 100), (200, 200)),  # 4: between LAN and TIN
    ((212, 100), (212, 200)),  # 5: the east of TIN
    ((0, 200), (200, 200)),  # 6: the south shore of LAN
    ((200, 200), (212, 200)),  # 7: that of TIN
    ((0, 200), (0, 300), (212, 300), (212, 200)),  # 8: around the sea in the south
)
_RINGS = {
    "NOR": ((0, ~2, ~1),),
    "LAN": ((1, 4, ~6, ~3),),
    "TIN": ((2, 5, ~7, ~4),),
    "SOU": ((6, 7, ~8),),
}
_NOWHERE = Place((0, 0), (0, 0))
PICTURE = Picture(
    "strip", 212, 300, 1.0, _ARCS, {c: Shape(r, _NOWHERE, (0, 0)) for c, r in _RINGS.items()}
)
MAP = Map(
    "strip",
    "Strip",
    {
        "NOR": Province("NOR", "North", "sea"),
        "LAN": Province("LAN", "Land", "coast", ("NC", "SC"), supply=True),
        "TIN": Province("TIN", "Tiny", "coast", supply=True),
        "SOU": Province("SOU", "South", "sea"),
    },
    {},
    {"LAN/NC": frozenset({"NOR", "TIN"}), "LAN/SC": frozenset({"SOU", "TIN"})},
    {},
)


@pytest.fixture(scope="module")
def placed() -> Picture:
    return with_places(PICTURE, MAP)


@exhaustive
def test_nothing_covers_anything(placed: Picture) -> None:
    assert [
        (one, other)
        for (one, box), (other, other_box) in combinations(things(placed, MAP), 2)
        if meet(box, other_box) and not never_both(one, other)
    ] == []


def test_everything_lies_in_a_province_with_room(placed: Picture) -> None:
    inside = {"NOR": (0, 0, 212, 100), "LAN": (0, 100, 200, 200), "SOU": (0, 200, 212, 300)}
    for thing, box in things(placed, MAP):
        if (room := inside.get(thing[-3:])) is not None:
            assert room[0] <= box[0] <= box[2] <= room[2], thing
            assert room[1] <= box[1] <= box[3] <= room[3], thing


def test_a_name_without_room_stands_outside_with_a_line(placed: Picture) -> None:
    tiny = placed.shapes["TIN"]
    assert tiny.place.label
    left, top, right, bottom = name_box(tiny.place.label, "TIN", tiny.size, 1.0)
    assert right < 200 or bottom < 100 or top > 200
    start, end = tiny.leader
    assert left <= start[0] <= right
    assert top <= start[1] <= bottom
    assert 200 <= tiny.place.unit[0] <= 212
    assert max(abs(end[0] - tiny.place.unit[0]), abs(end[1] - tiny.place.unit[1])) < UNIT / 2


def test_fleets_stand_near_the_shores_of_their_coasts(placed: Picture) -> None:
    coasts = placed.shapes["LAN"].coasts
    assert 100 < coasts["NC"].unit[1] < 115
    assert 185 < coasts["SC"].unit[1] < 200


def test_a_coast_that_touches_no_sea_of_its_own_lies_where_its_name_says() -> None:
    alone = Picture("strip", 212, 300, 1.0, _ARCS, {"LAN": PICTURE.shapes["LAN"]})
    coasts = with_places(alone, MAP).shapes["LAN"].coasts
    assert coasts["NC"].unit[1] < 115
    assert coasts["SC"].unit[1] > 185


def test_chosen_places_are_kept() -> None:
    near, names = {"NOR": (40, 50), "LAN/NC": (30, 115)}, {"SOU": (150, 280)}
    found = with_places(PICTURE, MAP, near=near, names=names)
    assert found.shapes["NOR"].place.unit == (40, 50)
    assert found.shapes["LAN"].coasts["NC"].unit == (30, 115)
    assert found.shapes["SOU"].place.label == (150, 280)


@exhaustive
def test_a_picture_gets_the_same_places_again(placed: Picture) -> None:
    assert with_places(placed, MAP) == placed


def test_a_raster_counts_what_a_box_covers() -> None:
    # A square of 20 with a square hole of 10 in its left half.
    found = raster(
        [[(0, 0), (20, 0), (20, 20), (0, 20)], [(0, 5), (10, 5), (10, 15), (0, 15)]], 1.0
    )
    assert found.area == 300
    assert found.covers((10, 0, 20, 20)) == 1
    assert found.covers((0, 5, 10, 15)) == 0
    assert found.covers((0, 0, 20, 20)) == 0.75
    assert found.covers((10, 0, 30, 20)) == 0.5
    assert found.contains((15, 10))
    assert not found.contains((5, 10))
    assert found.middle == pytest.approx((35 / 3, 10))


def test_covered_cells_are_not_seen() -> None:
    def box(left: float, top: float, right: float, bottom: float) -> list[list[Point]]:
        return [[(left, top), (right, top), (right, bottom), (left, bottom)]]

    whole = box(0, 0, 20, 10)
    assert raster(whole, 1.0).area == 200
    assert raster(whole, 1.0, [box(5, 0, 9, 10), box(8, 0, 10, 10)]).area == 150
    assert raster(whole, 1.0, [box(-5, -5, 50, 50)]).area == 200  # it must be somewhere
