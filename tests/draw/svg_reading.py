"""Pictures read back as XML, and a map whose names are markup."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import dipsat
from dipsat.draw import board_drawing
from tests.draw.grid_pictures import grid_picture

SVG = "{http://www.w3.org/2000/svg}"
Element = ElementTree.Element
EVIL = "</title><script>alert('&\"')</script>"
_TAGS = {"svg", "title", "style", "rect", "g", "path", "circle", "text", "polyline"}


def read(picture: str) -> Element:
    """Read a picture back. It must only draw, and refer to nothing outside."""
    found = ElementTree.fromstring(picture)
    assert found.tag == f"{SVG}svg"
    for one in found.iter():
        assert one.tag.removeprefix(SVG) in _TAGS
        assert not any(name.startswith("on") or "href" in name for name in one.attrib)
        assert not any("url(" in value for value in one.attrib.values())
    outside = r"url\(|@import|<script|<image|<foreignObject|https?://(?!www\.w3\.org/2000/svg\")"
    assert not re.search(outside, picture)
    assert not re.search(r"[\"\s,(MLCQa-](nan|inf)\b", picture)
    return found


def with_data(root: Element, name: str) -> list[Element]:
    """The elements with a `data-` attribute."""
    return [one for one in root.iter() if f"data-{name}" in one.attrib]


def data(root: Element, name: str) -> list[str]:
    """The values of a `data-` attribute."""
    return [one.attrib[f"data-{name}"] for one in with_data(root, name)]


def classes(one: Element) -> set[str]:
    return set(one.get("class", "").split())


def of_class(root: Element, name: str) -> list[Element]:
    return [one for one in root.iter() if name in classes(one)]


def texts(root: Element) -> list[str]:
    """All visible texts."""
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


def orders(root: Element) -> dict[str, set[str]]:
    """Order -> its classes."""
    return {one.attrib["data-order"]: classes(one) for one in with_data(root, "order")}


def units(root: Element) -> set[str]:
    return {one.attrib["data-unit"] for one in of_class(root, "unit")}


def hostile_map(monkeypatch: pytest.MonkeyPatch) -> dipsat.Map:
    """A map whose names are markup; names of provinces also have characters that XML does not
    allow. It is drawn as squares."""
    monkeypatch.setattr(board_drawing, "picture_for", grid_picture)
    usual = dipsat.load_map("standard")
    provinces = {
        code: replace(one, name=EVIL + "\x00\ud800") for code, one in usual.provinces.items()
    }
    powers = {
        f"{name}{EVIL}": replace(power, name=f"{name}{EVIL}")
        for name, power in usual.powers.items()
    }
    features = {EVIL: frozenset({frozenset({"PAR", "BUR"})})}
    return replace(
        usual, title=EVIL, provinces=provinces, powers=powers, path="", border_features=features
    )
