"""The geometry of maps: what a picture's file holds, and that nothing is lost in it."""

from __future__ import annotations

from dipsat.draw import Picture
from dipsat.draw.map_picture import Place, Shape, picture_of


def test_a_picture_is_read_back_as_it_was_written() -> None:
    picture = _two_squares()
    assert picture_of(picture.to_dict()) == picture


def test_provinces_touch_where_they_share_an_arc() -> None:
    assert _two_squares().touching == {frozenset({"WES", "EAS"})}


def test_an_outline_walks_its_arcs_in_their_direction() -> None:
    picture = _two_squares()
    assert picture.outline(picture.shapes["EAS"].rings[0]) == [(10, 10), (10, 0), (20, 0), (20, 10)]


def test_a_shape_is_shown_by_where_its_name_stands() -> None:
    assert repr(_two_squares().shapes["EAS"]).startswith("Shape(label=")


def _two_squares() -> Picture:
    """Two squares side by side, which share their middle line."""
    arcs = (
        ((10.0, 0.0), (10.0, 10.0)),
        ((10.0, 10.0), (0.0, 10.0), (0.0, 0.0), (10.0, 0.0)),
        ((10.0, 0.0), (20.0, 0.0), (20.0, 10.0), (10.0, 10.0)),
    )
    return Picture(
        name="two",
        width=20.0,
        height=10.0,
        scale=1.0,
        arcs=arcs,
        shapes={
            "WES": Shape(((0, 1),), Place((5.0, 5.0), (6.0, 6.5), (5.0, 8.0)), (2.0, 2.0)),
            "EAS": Shape(
                ((~0, 2),),
                Place((15.0, 5.0), (16.0, 6.0), (15.0, 8.0)),
                (12.0, 2.0),
                coasts={"NC": Place((15.0, 1.0), (16.0, 2.0))},
                size=0.8,
                leader=((15.0, 8.0), (15.0, 5.5)),
            ),
        },
        links=(("WES", "EAS", ((5.0, 5.0), (10.0, 2.5), (15.0, 5.0))),),
    )
