"""The pictures of the README and the docs: current, small, and shown somewhere."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import dipsat
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tools.atlas import record
from tools.contact_sheet import COLUMNS, contact_sheet, thinned
from tools.docs_pictures import FOLDER, PICTURES, text_of

LONG = {name for name in PICTURES if name.startswith(("maps", "line", "atlas"))}
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "atlas").glob("*.md")),
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=exhaustive if name in LONG else ()) for name in PICTURES]
)
def test_the_pictures_are_current(name: str) -> None:
    """`python -m tools.docs_pictures` writes them."""
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(name), (
        f"docs/pictures/{name} is not what dipsat draws; run: python -m tools.docs_pictures"
    )


def test_every_picture_is_shown_and_described() -> None:
    shown = {}
    for page in PAGES:
        for said, path in re.findall(r"!\[([^]]*)\]\(([^)]*)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / path).is_file(), (page, path)
            shown[(page.parent / path).resolve()] = said
    files = {file.resolve() for file in FOLDER.iterdir()}
    assert files == {(FOLDER / name).resolve() for name in PICTURES}
    assert files <= shown.keys()
    assert all(len(said) > 10 for said in shown.values())


def test_the_pictures_take_little_space() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 3_900_000


def root_of(name: str) -> ElementTree.Element:
    return ElementTree.fromstring((FOLDER / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_load_and_run_nothing(name: str) -> None:
    root = root_of(name)
    assert root.tag == f"{SVG}svg"
    for one in root.iter():
        assert one.tag not in {f"{SVG}{tag}" for tag in ("script", "image", "foreignObject", "a")}
        for attribute, value in one.attrib.items():
            assert not attribute.startswith("on")
            assert "href" not in attribute or value.startswith("#")


def test_the_contact_sheet_has_every_province_and_centre() -> None:
    names = ["pure", "standard", "fleet_rome", "chaos"]
    root = ElementTree.fromstring(contact_sheet(names))
    known = {one.get("id") for one in root.iter(f"{SVG}path")}
    cells = root.findall(f"{SVG}g")
    assert len(cells) == len(names)
    for name, cell in zip(names, cells, strict=True):
        board = dipsat.load_map(name)
        used = [str(one.get("href")).removeprefix("#") for one in cell.iter(f"{SVG}use")]
        assert {*used} <= known
        assert {code for one in used if (code := one.partition("-")[2])} == {*board.provinces}
        assert len(list(cell.iter(f"{SVG}circle"))) == len(board.centers)
        owned = sum(one.get("fill") is not None for one in cell.iter(f"{SVG}use"))
        assert owned == sum(len(power.centers) for power in board.powers.values())
        assert [text.text for text in cell.iter(f"{SVG}text")] == [board.title, name]


def test_maps_with_one_picture_share_its_outlines() -> None:
    one, three = (contact_sheet(names) for names in (["standard"], ["standard", "1898", "britain"]))
    assert len(three) < 2 * len(one)


def test_the_sheet_has_all_maps_in_rows() -> None:
    height = int(root_of("maps.svg").attrib["height"])
    rows = -(-len(dipsat.map_names()) // COLUMNS)
    assert height % rows == 0


@pytest.mark.parametrize("name", ["standard", "colonial"])
def test_a_sheet_of_lines_has_the_units_and_provinces_of_each(name: str) -> None:
    answers = [one for one in record.read(name)["sizes"] if one["forms"]]
    cells = root_of(f"atlas-{name}.svg").findall(f"{SVG}g")
    assert len(cells) == len(answers)
    for answer, cell in zip(answers, cells, strict=True):
        form = answer["forms"][0]
        title, *letters = (str(text.text) for text in cell.iter(f"{SVG}text"))
        centres = answer["asked"]["centres"]
        assert title == f"{centres} centre{'s' * (centres > 1)}: {answer['fewest']} units"
        kinds = [unit[0] for unit in form["lines"][0].split(", ")]
        assert sorted(letters) == sorted(kinds)
        (held,) = (part for part in cell.iter(f"{SVG}g") if part.get("class") == "held")
        named = {str(one.get("href")).partition("-")[2] for one in held.iter(f"{SVG}use")}
        own = {order[2:].partition(" ")[0][:3] for order in form["lines"][0].split(", ")}
        assert named == {*form["region"]} | own
        supports = sum(" S " in order for order in form["lines"][0].split(", "))
        drawn = [path for path in cell.iter(f"{SVG}path") if path.get("class") == "support"]
        assert len(drawn) == supports


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("0,0 5,0 9,0", "0,0 9,0"),
        ("0,0 5,1 9,0", "0,0 9,0"),
        ("0,0 5,2 6,1.5 9,0", "0,0 5,2 9,0"),
        ("0,0 8,0 8,8 4,8 0,0", "0,0 8,0 8,8 4,8 0,0"),
        ("0,0 20,0 9,0", "0,0 20,0 9,0"),  # beyond the end
        ("0,0 9,0", "0,0 9,0"),
    ],
)
def test_lines_are_thinned_to_what_can_be_seen(line: str, left: str) -> None:
    before, after = ([tuple(map(float, p.split(","))) for p in one.split()] for one in (line, left))
    assert thinned([(x, y) for x, y in before], 1) == after
