"""Pictures of maps without one of their own, drawn from the borders alone."""

from __future__ import annotations

from itertools import combinations

import pytest

from dipsat.board.load import load_map, parse_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.svg.layout import layout
from tests.exhaustive import few_of

BAY = """
name: bay
powers:
  RED: {home: [EST], start: [A EST]}
provinces:
  EST: {name: East, type: coast, supply: true, army: [INL, WST], fleet: [BAY, WST]}
  INL: {name: Inland, type: land, army: [EST, WST]}
  WST: {name: West, type: coast, army: [EST, INL], fleet: [BAY, EST]}
  BAY: {name: Bay, type: sea, fleet: [EST, OUT, WST]}
  OUT: {name: Outer Sea, type: sea, fleet: [BAY]}
"""


def neighbours(board: Map) -> set[frozenset[str]]:
    """The provinces that border each other for some unit."""
    found = set()
    for near in (board.army, board.fleet):
        for place, others in near.items():
            found |= {frozenset((province_of(place), province_of(other))) for other in others}
    return {pair for pair in found if len(pair) == 2}


def check(board: Map) -> None:
    """The picture of a map shows every province once, and every border."""
    picture = layout(board)
    assert picture.shapes.keys() == board.provinces.keys()
    linked = {frozenset((one, other)) for one, other, _ in picture.links}
    assert picture.touching | linked == neighbours(board)
    assert not picture.touching & linked
    for shape in picture.shapes.values():
        x, y = shape.place.unit
        assert 0 < x < picture.width
        assert 0 < y < picture.height
    places = [shape.place.unit for shape in picture.shapes.values()]
    for (x, y), (other_x, other_y) in combinations(places, 2):
        assert abs(x - other_x) + abs(y - other_y) > 10
    assert layout(board).to_dict() == picture.to_dict()


def test_a_map_of_ones_own_has_a_picture_that_shows_its_borders() -> None:
    check(parse_map(BAY, "bay.yaml"))


@pytest.mark.parametrize(
    "borders",
    few_of(["AB BC CA AD", "AB BC CD DA", "AB BC CA AD DE EA AF FG GA", "AB CD DE EC"], 2),
)
def test_maps_of_few_provinces_in_rings_and_islands_can_be_drawn(borders: str) -> None:
    """A ring has the same provinces outside and inside, and only one of them is the outside."""
    near: dict[str, list[str]] = {}
    for one, other in map(tuple, borders.split()):
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    lines = [f"  {one}: {{name: {one}, type: land, army: {near[one]}}}" for one in sorted(near)]
    lines[0] = lines[0].replace("type: land", "type: land, supply: true")
    powers = "powers: {RED: {home: [A], start: [A A]}}\n"
    check(parse_map(f"name: few\n{powers}provinces:\n" + "\n".join(lines), "few.yaml"))


@pytest.mark.parametrize("name", few_of(["pure", "northseawars", "hundred"], 1))
def test_borders_of_a_shipped_map_can_be_drawn(name: str) -> None:
    """Those of `pure` cross: each of its seven provinces borders all others."""
    check(load_map(name))
