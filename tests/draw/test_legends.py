"""The legend below a board, compared with what the board has, both read from the picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

import dipsat
from dipsat import studies
from dipsat.draw.markup import width_of
from tests.draw.svg_reading import SVG, Element, classes, data, of_class, read, texts, with_data
from tests.exhaustive import few_of

board = dipsat.draw.board
_SHAPES = {"burst": "burst", "crossed": "cross"}
"""Class of a shape -> its name in the legend; the class of the sign of a result has its name."""


def signs_in(root: Element) -> set[str]:
    """The signs in an element."""
    found = set[str]()
    for one in root.iter():
        found |= {name[5:] for name in classes(one) if name.startswith("sign-")}
        found |= {_SHAPES[name] for name in _SHAPES.keys() & classes(one)}
    return found


def explained(picture: str) -> set[str]:
    """The signs in the legend of a picture, which must be those on its board."""
    root = read(picture)
    (caption,) = of_class(root, "layer-caption")
    meant = {one.attrib["data-meaning"]: one for one in with_data(caption, "meaning")}
    of_map = features_in(root)
    for name, entry in meant.items():
        drawn = signs_in(entry) or kinds_in(entry)
        assert drawn == of_map.get(name, {name})
        assert texts(entry) != [""]
    shown = [signs_in(layer) for layer in root if layer is not caption]
    assert meant.keys() == set[str]().union(*shown, of_map)
    return set(meant)


def kinds_in(root: Element) -> set[str]:
    """How lines and features of a map are drawn in an element."""
    kinds = {"rail", "ties", "feature", "mark", "f0", "f1", "f2"}
    return {name for one in root.iter() for name in classes(one) & kinds}


def features_in(root: Element) -> dict[str, set[str]]:
    """Line or feature of the map -> how it is drawn; `mark` is that of provinces."""
    found = {
        one.attrib[f"data-{kind}"]: kinds_in(one)
        for kind in ("line", "feature")
        for one in with_data(root, kind)
    }
    return found | ({"mark": {"mark"}} if with_data(root, "features") else {})


def retreats(position: dipsat.Position, random: Random) -> dict[str, list[str]]:
    """Some retreats and disbands, and no order for some units."""
    found: dict[str, list[str]] = {}
    for lost in position.dislodged:
        text = f"{lost.unit} D"
        if lost.retreats:
            text = f"{lost.unit} R {random.choice(sorted(lost.retreats))}"
        if random.random() < 0.8:
            found.setdefault(lost.unit.power, []).append(text)
    return found


def boards_after(seed: int, name: str) -> Iterator[str]:
    """Pictures of a crowded board with its results, and of the retreats that follow."""
    made = studies.random_board(seed, units=34, map=name)
    outcome = dipsat.adjudicate(dipsat.Position.from_units(made.units, name), made.orders)
    yield board(outcome, legend=True)
    later = outcome.next
    yield board(later, legend=True, last=outcome)
    if later.phase.kind == "retreat":
        orders = retreats(later, Random(seed))
        yield board(later, legend=True, orders=orders)
        yield board(dipsat.adjudicate(later, orders), legend=True)


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 3))
def test_a_legend_has_the_signs_of_the_board(name: str) -> None:
    found = [explained(picture) for seed in range(2) for picture in boards_after(seed, name)]
    assert any(found)


WINTER = dipsat.Position.from_units(
    {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"], "ITALY": ["A VEN"]},
    phase="W1901A",
    centers={"FRANCE": ["PAR"], "GERMANY": ["KIE", "BER", "MUN", "HOL"], "ITALY": ["VEN"]},
)


@pytest.mark.parametrize(
    ("orders", "signs"),
    [
        ({"FRANCE": ["A MAR D"], "GERMANY": ["F KIE B"]}, {"cross", "build"}),
        ({"FRANCE": ["A MAR D"]}, {"cross"}),
        ({}, {"cross"}),  # France has to disband one
        ({"GERMANY": ["WAIVE"]}, {"cross"}),
        ({"FRANCE": ["A MAR D"], "GERMANY": ["A BUR B", "WAIVE"]}, {"cross", "illegal"}),
        ({"FRANCE": ["A MAR D", "A PAR D"], "ITALY": ["A VEN D"]}, {"cross", "illegal"}),
    ],
)
def test_a_legend_has_the_signs_of_builds_and_disbands(
    orders: dict[str, list[str]], signs: set[str]
) -> None:
    assert explained(board(dipsat.adjudicate(WINTER, orders), legend=True)) == signs
    drawn = explained(board(WINTER, orders=orders, legend=True))
    assert drawn <= {"cross", "build"}


def test_a_legend_has_no_signs_if_the_board_has_none() -> None:
    for what in (dipsat.Position.start(), WINTER, "standard"):
        assert explained(board(what, legend=True)) == set()


def test_a_legend_names_the_features_of_a_map() -> None:
    colonial = read(board("colonial", legend=True))
    told = {one.attrib["data-meaning"]: texts(one) for one in with_data(colonial, "meaning")}
    assert told == {
        "trans_siberian_railroad": ["trans siberian railroad"],
        "suez": ["suez"],
        "mark": ["suez control, treaty port"],
    }
    for name in dipsat.map_names():
        loaded = dipsat.load_map(name)
        known = {feature for one in loaded.provinces.values() for feature in one.features}
        expected = {", ".join(sorted(known)), *loaded.border_features, *loaded.lines} - {""}
        if expected:
            root = read(board(name, legend=True))
            words = {word for one in with_data(root, "meaning") for word in texts(one)}
            assert words == {word.replace("_", " ") for word in expected}


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 5))
def test_a_row_of_a_legend_takes_what_fits(name: str) -> None:
    """An entry begins a new row only if it would not fit into the one before."""
    root = read(board(name, legend=True))
    width = float(root.attrib["viewBox"].split()[2])
    rows: dict[float, list[tuple[float, float]]] = {}
    for entry in with_data(root, "legend"):
        (label,) = entry.iter(f"{SVG}text")
        x, size = float(label.attrib["x"]), float(label.attrib["font-size"])
        end = x + width_of("".join(label.itertext()), size)
        rows.setdefault(float(label.attrib["y"]), []).append((x, end))
    placed = [rows[y] for y in sorted(rows)]
    assert max(end for row in placed for _, end in row) < width
    for row, after in pairwise(placed):
        start, end = after[0]
        gap = min(one[0] - other[1] for line in placed for other, one in pairwise(line))
        assert row[-1][1] + gap + end - start > width


def test_a_legend_names_a_power_whose_only_unit_is_dislodged() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A BUR"]}, phase="S1901R", centers={}, dislodged={"GERMANY": ["A BUR"]}
    )
    picture = board(position, legend=True)
    assert data(read(picture), "legend") == ["FRANCE", "GERMANY"]
    assert explained(picture) == {"burst"}
