"""Pictures of maps from their borders alone: of any map, without an error and in bounded time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import hypothesis.strategies as st
import networkx as nx
import pytest
from hypothesis import given, settings

from dipsat.base import data_folder
from dipsat.board import Map, Province, parse_map
from dipsat.draw import Picture
from dipsat.draw.cells import tutte
from dipsat.draw.compass import gazetteer, read_gazetteer
from dipsat.draw.made_map import layout
from dipsat.draw.map_picture import picture_of
from dipsat.draw.planar import Purse, by_worth, drawable, planar_part
from dipsat.errors import DocumentError
from geometry.round_worlds import Hints, round_world
from tests.draw.picture_geometry import area, borders, closed_rings, contains
from tests.exhaustive import exhaustive, few_examples

Pair = tuple[int, int]


def _map(kinds: Sequence[str], pairs: Sequence[Pair], names: Sequence[str] = ()) -> Map:
    """A map whose provinces are P0, P1 and so on; fleets or armies pass each border."""
    codes = [f"P{at}" for at in range(len(kinds))]
    provinces = {
        code: Province(code, name, kind)
        for code, kind, name in zip(codes, kinds, names or codes, strict=True)
    }
    army: dict[str, frozenset[str]] = {}
    fleet: dict[str, frozenset[str]] = {}
    for one, other in pairs:
        ways = fleet if "sea" in (kinds[one], kinds[other]) else army
        for a, b in ((one, other), (other, one)):
            ways[codes[a]] = ways.get(codes[a], frozenset()) | {codes[b]}
    return Map("small", "Small", provinces, army, fleet, {})


@st.composite
def _maps(draw: st.DrawFn) -> Map:
    size = draw(st.integers(1, 9))
    kinds = draw(st.lists(st.sampled_from(["sea", "coast", "land"]), min_size=size, max_size=size))
    every = list(combinations(range(size), 2))
    pairs = draw(st.lists(st.sampled_from(every), unique=True, max_size=16)) if every else []
    return _map(kinds, pairs)


def _check(picture: Picture, board: Map) -> None:
    assert picture.shapes.keys() == board.provinces.keys()
    linked = {frozenset(link[:2]) for link in picture.links}
    assert picture.touching.isdisjoint(linked)
    assert picture.touching | linked == borders(board)
    walked = [arc for ring in closed_rings(picture) for arc in ring]
    assert len(walked) == len({*walked})
    total = area(picture, picture.blank)
    for shape in picture.shapes.values():
        own = area(picture, shape.rings)
        assert own > 0
        assert contains(picture, shape, shape.place.unit)
        total += own
    assert total < picture.width * picture.height * 1.001
    assert picture_of(picture.to_dict()).touching == picture.touching


_USUAL = settings(deadline=None, max_examples=50)


@few_examples(3, _USUAL, board=_maps())
def test_any_small_map_is_drawn_with_its_borders(board: Map) -> None:
    _check(layout(board), board)


_KINDS = {"L": "land", "C": "coast", "S": "sea"}


def _drawn(kinds: str, pairs: str) -> Picture:
    """The picture, after checks, of a map such as `LS` with borders such as `01 12`."""
    board = _map(
        [_KINDS[one] for one in kinds], [(int(pair[0]), int(pair[1])) for pair in pairs.split()]
    )
    picture = layout(board)
    _check(picture, board)
    return picture


@pytest.mark.parametrize(
    ("kinds", "pairs"),
    [
        pytest.param("L", "", id="one province"),
        pytest.param("LL", "01", id="two lands"),
        pytest.param("LS", "01", id="a lake"),
        pytest.param("SCC", "01 02", id="two islands"),
        pytest.param("SCCCC", "01 02 03 04", id="four islands"),
        pytest.param("SCCC", "01 02 12 13", id="an inland province of an island"),
        pytest.param("LLLLLLLLL", "01 12 23 34 45 56 67 78", id="a chain"),
        pytest.param("LLLLLL", "01 02 03 04 05 12 13 14 15 23 24 25 34 35 45", id="all border all"),
        pytest.param("LLLLLL", "01 12 20 34 45", id="two parts"),
        pytest.param("LLLLL", "", id="no border"),
        pytest.param("LLLL", "01 12 23 03", id="a ring"),
        pytest.param("LLLLLLL", "01 12 02 03 34 04 05 56 06", id="triangles round a corner"),
        pytest.param("SCCS", "01 02 03 12 13 23", id="four that all border"),
    ],
)
def test_odd_maps_are_drawn(kinds: str, pairs: str) -> None:
    assert _drawn(kinds, pairs).links == () or len(kinds) > 5


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


@exhaustive
def test_a_map_of_ones_own_has_the_same_picture_each_time() -> None:
    board = parse_map(BAY, "bay.yaml")
    picture = layout(board)
    _check(picture, board)
    assert picture.links == ()
    assert layout(board).to_dict() == picture.to_dict()


def test_an_island_is_a_hole_in_its_sea() -> None:
    picture = _drawn("SC", "01")
    sea, island = picture.shapes["P0"], picture.shapes["P1"]
    assert len(sea.rings) == 2
    assert {~arc for ring in island.rings for arc in ring} < {
        arc for ring in sea.rings for arc in ring
    }
    assert not contains(picture, sea, island.place.unit)


@exhaustive
@pytest.mark.parametrize("islands", [6, pytest.param(30, marks=exhaustive)])
def test_a_sea_may_have_many_islands(islands: int) -> None:
    board = _map(["sea", *["coast"] * islands], [(0, at) for at in range(1, islands + 1)])
    picture = layout(board)
    _check(picture, board)
    assert picture.links == ()


@exhaustive
def test_a_map_with_too_many_provinces_is_drawn_as_squares_with_links() -> None:
    board = _map(["land"] * 700, list(pairwise(range(700))))
    picture = layout(board)
    assert len(picture.links) == 699
    assert picture.touching == frozenset()


@exhaustive
def test_a_map_of_rings_in_rings_is_drawn_in_bounded_time() -> None:
    """Tutte's positions of nested triangles shrink by a factor from each to the next."""
    around = [
        (3 * ring + a, 3 * ring + b) for ring in range(60) for a, b in ((0, 1), (1, 2), (0, 2))
    ]
    across = [(3 * ring + a, 3 * ring + 3 + a) for ring in range(59) for a in range(3)]
    board = _map(["land"] * 180, around + across)
    _check(layout(board), board)


@exhaustive
def test_a_dense_map_is_drawn_in_bounded_time() -> None:
    board = _map(["land"] * 50, list(combinations(range(50), 2))[::3])
    picture = layout(board)
    linked = {frozenset(link[:2]) for link in picture.links}
    assert picture.touching | linked == borders(board)


@pytest.mark.parametrize(
    ("names", "up"),
    [
        (["Upper Sea", "Lower Sea", "Isle", "Cape", "Bay"], ("P0", "P1")),
        (["Southern Sea", "Northern Sea", "Isle", "Cape", "Bay"], ("P1", "P0")),
        (["Marseilles", "Sweden", "Berlin", "Vienna", "Rome"], ("P1", "P0")),
    ],
)
def test_names_say_which_way_is_up(names: list[str], up: tuple[str, str]) -> None:
    pairs = [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (3, 4)]
    picture = layout(_map(["sea", "sea", "coast", "coast", "coast"], pairs, names))
    above, below = (picture.shapes[code].place.unit[1] for code in up)
    assert above < below


def test_the_gazetteer_is_sorted_and_says_nothing_twice() -> None:
    lines = (data_folder("rules") / "gazetteer.csv").read_text("utf-8").splitlines()
    places = [tuple(line.rsplit(",", 2)) for line in lines[1:]]
    assert places == sorted({*places}, key=lambda place: (place[0].casefold(), place))
    latitude, longitude = gazetteer()["st petersburg"][0]
    assert 55 < latitude < 65
    assert 25 < longitude < 40


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("name,latitude\n", 1),
        ("name,latitude,longitude\nParis,48.9\n", 2),
        ("name,latitude,longitude\nParis,48.9,2.3\nRome,north,12\n", 3),
        ("name,latitude,longitude\nParis,148.9,2.3\n", 2),
        ("name,latitude,longitude\nParis,nan,2.3\n", 2),
    ],
)
def test_a_fault_in_a_gazetteer_has_its_place(text: str, line: int) -> None:
    with pytest.raises(DocumentError) as caught:
        read_gazetteer(text, "places.csv")
    assert (caught.value.path, caught.value.line) == ("places.csv", line)


@exhaustive
def test_a_round_world_is_cut_where_the_hints_say() -> None:
    """A pole, three lands round it, three seas round these, and the other pole."""
    pairs = [
        *((0, at) for at in (1, 2, 3)),
        *((7, at) for at in (4, 5, 6)),
        *((at, at + 3) for at in (1, 2, 3)),
        (1, 2), (2, 3), (1, 3), (4, 5), (5, 6), (4, 6), (1, 5), (2, 6), (3, 4),
    ]  # fmt: skip
    board = _map(["sea", "land", "land", "land", "sea", "sea", "sea", "land"], pairs)
    picture = round_world(board, Hints(), ("P0", "P1", "P4", "P7"))
    _check(picture, board)
    assert picture.links == ()
    assert [code for code, shape in picture.shapes.items() if len(shape.rings) == 2] == ["P1", "P4"]
    for ring in picture.shapes["P1"].rings:
        assert any(0 in point or point[0] == picture.width for point in picture.outline(ring))


def test_what_is_left_out_of_a_planar_part_fits_nowhere() -> None:
    pairs = list(combinations(range(7), 2))
    kept = planar_part(7, pairs, Purse(100_000))
    assert len(kept) == 3 * 7 - 6
    for pair in {*pairs} - {*kept}:
        assert not nx.check_planarity(nx.Graph([*kept, pair]))[0]
    assert planar_part(7, pairs, Purse(0)) == []


@exhaustive
def test_the_one_border_in_the_way_is_found() -> None:
    """A grid with a far diagonal: leaving out the diagonal is enough."""
    grid = nx.convert_node_labels_to_integers(nx.triangular_lattice_graph(4, 6))
    inner = sorted(node for node in grid if grid.degree(node) == 6)
    grid.add_edge(inner[0], inner[-1])
    assert not nx.check_planarity(grid)[0]
    near = {f"P{node}": {f"P{other}" for other in grid[node]} for node in grid}
    pairs = [(int(one[1:]), int(other[1:])) for one, other in by_worth(near)]
    kept = drawable(grid.number_of_nodes(), pairs)
    assert {frozenset(pair) for pair in pairs} - {frozenset(pair) for pair in kept} == {
        frozenset((inner[0], inner[-1]))
    }


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 10_000))
def test_each_node_lies_in_the_middle_of_its_neighbours(seed: int) -> None:
    graph = nx.connected_watts_strogatz_graph(14, 4, 0.3, seed=seed)
    near = [sorted(graph[node]) for node in range(14)]
    fixed = {0: 0j, 1: 4 + 0j, 2: 3j}
    points = tutte(near, fixed)
    for node, others in enumerate(near):
        if node in fixed:
            assert points[node] == fixed[node]
            continue
        middle = sum(points[other] for other in others) / len(others)
        assert points[node] == pytest.approx(middle, abs=1e-9)
