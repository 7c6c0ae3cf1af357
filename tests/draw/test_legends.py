"""The legend below a board, compared with what the board has, both read from the picture."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import dipsat
from dipsat import studies
from tests.draw.svg_reading import Element, classes, data, of_class, read, texts, with_data
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
    assert all(signs_in(entry) == {name} for name, entry in meant.items())
    assert all(texts(entry) != [""] for entry in meant.values())
    shown = [signs_in(layer) for layer in root if layer is not caption]
    assert meant.keys() == set[str]().union(*shown)
    return set(meant)


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


def test_a_legend_names_a_power_whose_only_unit_is_dislodged() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A BUR"]}, phase="S1901R", centers={}, dislodged={"GERMANY": ["A BUR"]}
    )
    picture = board(position, legend=True)
    assert data(read(picture), "legend") == ["FRANCE", "GERMANY"]
    assert explained(picture) == {"burst"}
