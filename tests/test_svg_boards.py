"""Pictures of boards, read back as XML: every province, unit and order, and nothing harmful."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import dipsat
from dipsat.svg import drawing
from tests.grid_pictures import grid_picture

SVG = "{http://www.w3.org/2000/svg}"
UNITS = {
    "ENGLAND": ["F LON", "F WAL"],
    "FRANCE": ["A BRE", "F ENG", "A PAR", "A MAR"],
    "GERMANY": ["F NTH", "F BEL", "A MUN"],
}
ORDERS = {
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON", "A PAR - BUR", "A MAR S A PAR - BUR"],
    "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG", "A MUN H"],
}


@pytest.fixture(scope="module", autouse=True)
def _squares() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "picture_for", grid_picture)
        yield


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def with_data(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [one for one in root.iter() if f"data-{name}" in one.attrib]


def test_a_board_has_every_province_unit_and_order() -> None:
    position = dipsat.Position.from_units(UNITS)
    outcome = dipsat.adjudicate(position, ORDERS)
    root = parsed(dipsat.svg.board(outcome))
    shapes = [one.attrib["data-province"] for one in with_data(root, "province")]
    assert sorted(shapes) == sorted(position.map.provinces)
    orders = with_data(root, "order")
    assert sorted(one.attrib["data-order"] for one in orders) == sorted(
        one.order for one in outcome.orders
    )
    for one in orders:
        verdict = outcome.order(one.attrib["data-unit"]).verdict
        assert {"order", verdict} <= set(one.attrib["class"].split())
    units = [one for one in with_data(root, "unit") if "data-order" not in one.attrib]
    assert sorted(one.attrib["data-unit"] for one in units) == sorted(map(str, position.units))
