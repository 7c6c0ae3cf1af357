"""Pictures in files: what `dipsat maps draw` writes, how maps use it, and files of strangers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import Files, Limits
from dipsat.base import PICTURE_OUTLINES, PICTURE_POINTS, PROVINCES, parse_yaml
from dipsat.cli import main
from dipsat.draw import picture_choice as choice, picture_for, read_picture, write_picture
from dipsat.draw.map_picture import picture_of
from dipsat.draw.picture_choice import shipped_picture
from dipsat.errors import DipsatError, DocumentError, FileError, InputLimitError, MapError
from tests.checkout import ROOT
from tests.draw.test_own_svg import MAP, SHAPES, drawing
from tests.exhaustive import exhaustive
from tests.pages import blocks, page

SQUARE: dict[str, Any] = {
    "rings": [[0]], "unit": [50, 50], "dislodged": [60, 40], "label": [50, 80], "centre": [20, 20],
}  # fmt: skip
COASTS = {
    "NC": {"unit": [50, 10], "dislodged": [60, 5]},
    "SC": {"unit": [50, 9], "dislodged": [1, 2]},
}
GOOD: dict[str, Any] = {
    "name": "tiny",
    "size": [400, 100],
    "scale": 1.0,
    "arcs": [[0, 0, 100, 0, 0, 100, -100, 0, 0, -100], [100, 0, 0, 100], [100, 0, 50, 0, -50, 100]],
    "provinces": {
        "LAN": SQUARE,
        "COA": {**SQUARE, "rings": [[1, -3]], "coasts": COASTS},
        "SEA": {**SQUARE, "size": 0.85, "leader": [1, 2, 3, 4], "again": [7, 8]},
        "GUL": SQUARE,
    },
    "links": [["LAN", "COA", [0, 0, 5, 5]]],
    "blank": [[0]],
}
"""A picture of the tiny map, written by hand."""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def write(name: str, text: str) -> Path:
    Path(name).write_text(text, encoding="utf-8")
    return Path(name)


def a_map(picture: str, name: str = "map.yaml", text: str = MAP) -> Path:
    return write(name, f"{text}picture: {picture}\n")


def changed(change: Callable[[Any], object]) -> str:
    data = deepcopy(GOOD)
    change(data)
    return json.dumps(data)


# --- Reading --------------------------------------------------------------------------------------


def test_a_picture_is_read_as_it_is_written() -> None:
    picture = read_picture(json.dumps(GOOD), "x.json")
    assert picture == picture_of(GOOD)
    assert picture.outline(picture.shapes["LAN"].rings[0]) == [(0, 0), (10, 0), (10, 10), (0, 10)]
    assert picture.outline((1, -3)) == [(10, 0), (10, 10), (15, 0)]
    assert repr(picture.shapes["LAN"]).startswith("Shape(label=")
    assert picture.shapes["COA"].coasts["NC"].unit == (5.0, 1.0)
    assert read_picture(write_picture(picture), "x.json") == picture


@pytest.mark.parametrize("name", ["standard", "twentytwenty"])
def test_shipped_pictures_can_be_read_strictly(name: str) -> None:
    picture = shipped_picture(name)
    assert read_picture(write_picture(picture), "x.json") == picture


def lan(**fields: object) -> Callable[[Any], object]:
    return lambda data: data["provinces"]["LAN"].update(fields)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d.pop("arcs"), "is not a picture of a map; `dipsat maps draw MAP -o FILE`"),
        (lambda d: d.update(extra=1), "has keys other than name"),
        (lambda d: d.update(name=[]), "name should be a text"),
        (lambda d: d.update(size=[0, 9]), "size should be a width and a height"),
        (lambda d: d.update(size=[-40, 90]), "size should be a width and a height"),
        (lambda d: d.update(size=[40.5, 90]), "size should be two whole numbers"),
        (lambda d: d.update(size=[10**7, 90]), "size should be two whole numbers"),
        (lambda d: d.update(size=[True, True]), "size should be two whole numbers"),
        (lambda d: d.update(scale=0), "scale should be a number from 0.01 to 100"),
        (lambda d: d.update(scale=True), "scale should be a number"),
        (lambda d: d.update(scale=1e308), "scale should be a number"),
        (lambda d: d.update(arcs={}), "arcs should be a list"),
        (lambda d: d["arcs"].append([1, 2, 3]), "arcs[3] should be a line"),
        (lambda d: d["arcs"].append([1, 2]), "arcs[3] should be a line"),
        (lambda d: d["arcs"].append([1, 2, "a", 4]), "arcs[3] should be a line"),
        (lambda d: d["arcs"].append([900_000, 0, 900_000, 0]), "arcs[3] has a point farther away"),
        (lambda d: d["arcs"].append([10**20, 0, -(10**20), 0]), "arcs[3] has a point farther away"),
        (lambda d: d.update(provinces=[]), "provinces should be an object"),
        (lambda d: d["provinces"].update(LAN=3), "province 1 should be an object"),
        (lan(rings=[]), "province 1 has no outline"),
        (lan(rings=[[]]), "an outline has at least one arc"),
        (lan(rings=[[3]]), "an outline consists of numbers of arcs"),
        (lan(rings=[[-4]]), "an outline consists of numbers of arcs"),
        (lan(rings=[["0"]]), "an outline consists of numbers of arcs"),
        (lan(rings=[0]), "province 1, rings should be a list"),
        (lan(rings=[[1, 2]]), "province 1, rings: an outline is not closed"),
        (lan(unit=None), "province 1, unit should be two whole numbers"),
        (lan(label=[1]), "province 1, label should be two whole numbers"),
        (lan(centre=[1e308, 2]), "province 1, centre should be two whole numbers"),
        (lan(size="big"), "province 1, size should be a number"),
        (lan(leader=[1]), "province 1, leader should be a line"),
        (lan(again=[[1, 2]]), "province 1, again should be a line"),
        (lan(coasts=[1]), "province 1, coasts should be an object"),
        (lan(coasts={"NC": {"unit": [1, 2]}}), "province 1, coasts, dislodged should be two"),
        (lan(onload="x"), "province 1 has keys other than rings"),
        (lambda d: d.update(links=[["LAN", "COA"]]), "links[0] should be two provinces"),
        (lambda d: d.update(links=[["LAN", {}, [0, 0, 1, 1]]]), "links[0] should be two provinces"),
        (lambda d: d.update(links=[["LAN", "COA", 7]]), "links[0] should be a list"),
        (lambda d: d.update(blank=[[1]]), "blank[0]: an outline is not closed"),
    ],
)
def test_what_is_not_a_picture_is_one_error(change: Callable[[Any], object], told: str) -> None:
    with pytest.raises(FileError, match=re.escape(told)) as caught:
        read_picture(changed(change), "x.json")
    assert str(caught.value).startswith("x.json: ")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", "null", '"x"', "{", "{}" * 2, "[" * 100_000, '{"a":' * 100_000, '{"a":1,"a":2}',
     json.dumps(GOOD).replace("400", "NaN"), json.dumps(GOOD).replace("400", "-Infinity"),
     json.dumps(GOOD).replace("400", "1e999"), json.dumps(GOOD).replace("400", "1e308"),
     json.dumps(GOOD).replace("400", "9" * 5_000)],
)  # fmt: skip
def test_hostile_texts_are_one_error(text: str) -> None:
    with pytest.raises((FileError, DocumentError)) as caught:
        read_picture(text, "x.json")
    assert str(caught.value).startswith("x.json:")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda d: d["arcs"].append([0] * 2 * (PICTURE_POINTS.most + 1)), PICTURE_POINTS.what),
        # few arcs, walked again and again
        (lan(rings=[[0] * (PICTURE_POINTS.most // 5 + 1)]), PICTURE_POINTS.what),
        (lan(rings=[[0]] * (PICTURE_OUTLINES.most + 1)), PICTURE_OUTLINES.what),
        (lambda d: d.update(provinces={f"P{at}": {} for at in range(2_691)}), PROVINCES.what),
        (lambda d: d.update(blank=[[]] * 500_000), "values in a game"),
    ],
)
def test_too_much_of_something_is_one_error(change: Callable[[Any], object], what: str) -> None:
    with pytest.raises(InputLimitError) as caught:
        read_picture(changed(change), "x.json")
    assert caught.value.what == what


# --- Maps -----------------------------------------------------------------------------------------


@exhaustive
def test_a_map_is_drawn_once_and_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    write("map.yaml", MAP)
    done = run("maps", "draw", "map.yaml", "-o", "tiny.json")
    assert done.exit_code == 0
    assert "`picture: {file: tiny.json}`" in done.stdout
    computed = picture_of(picture_for(dipsat.load_map("map.yaml")).to_dict())
    assert run("maps", "draw", "map.yaml").stdout == Path("tiny.json").read_text(encoding="utf-8")

    def never(_: object) -> None:
        raise AssertionError("the picture is computed again")

    monkeypatch.setattr(choice, "_laid_out", never)
    loaded = dipsat.load_map(a_map("{file: tiny.json, places: {LAN: {unit: [7, 8]}}}"))
    found = picture_for(loaded)
    assert found.arcs == computed.arcs
    assert found.shapes["LAN"].place.unit == (7.0, 8.0)
    assert found.shapes["COA"] == computed.shapes["COA"]
    assert run("maps", "check", "map.yaml").exit_code == 0


@exhaustive
def test_a_map_in_a_folder_names_its_picture_from_there() -> None:
    Path("maps").mkdir()
    Path("pictures").mkdir()
    write("maps/map.yaml", MAP)
    done = run("maps", "draw", "maps/map.yaml", "-o", "pictures/tiny.json")
    assert "`picture: {file: ../pictures/tiny.json}`" in done.stdout
    a_map("{file: ../pictures/tiny.json}", "maps/map.yaml")
    assert run("maps", "check", "maps/map.yaml").exit_code == 0


@exhaustive
def test_a_drawn_svg_becomes_a_picture() -> None:
    Path("board.svg").write_bytes(drawing(SHAPES))
    of_svg = picture_for(dipsat.load_map(a_map("{svg: board.svg}")))
    run("maps", "draw", "map.yaml", "-o", "tiny.json")
    of_file = picture_for(dipsat.load_map(a_map("{file: tiny.json}", "other.yaml")))
    assert of_file.shapes.keys() == of_svg.shapes.keys()
    assert of_file == picture_of(of_svg.to_dict())
    assert run("maps", "check", "other.yaml").exit_code == 0


def test_a_picture_is_drawn_anew_whatever_is_in_its_file() -> None:
    a_map("{file: tiny.json}")
    assert run("maps", "draw", "map.yaml", "-o", "tiny.json").exit_code == 0
    first = Path("tiny.json").read_bytes()
    write("tiny.json", changed(lambda data: data.update(scale=2)))
    assert run("maps", "draw", "map.yaml", "-o", "tiny.json").exit_code == 0
    assert Path("tiny.json").read_bytes() == first


@pytest.mark.parametrize("text", ["", "{}", '{"format": "dipsat game"}', "\udc80"])
def test_nothing_but_an_old_picture_is_replaced(text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    Path("game.json").write_bytes(data)
    write("map.yaml", MAP)
    done = run("maps", "draw", "map.yaml", "-o", "game.json")
    assert done.exit_code == 2
    assert "game.json: already exists, and is not a picture of a map" in done.stderr
    assert Path("game.json").read_bytes() == data


@pytest.mark.parametrize("name", ["map.yaml", "board.svg", "picture"])
def test_other_names_of_files_are_refused(name: str) -> None:
    write("map.yaml", MAP)
    done = run("maps", "draw", "map.yaml", "-o", name)
    assert done.exit_code == 2
    assert "its name should end in .json" in done.stderr
    assert Path("map.yaml").read_text(encoding="utf-8") == MAP


def test_provinces_and_coasts_that_a_picture_lacks_are_named() -> None:
    def lose(data: Any) -> None:
        data["provinces"].pop("GUL")
        data["provinces"]["COA"]["coasts"].pop("SC")

    write("tiny.json", changed(lose))
    loaded = dipsat.load_map(a_map("{file: tiny.json}"))
    with pytest.raises(FileError, match=r"tiny\.json: the picture has no COA/SC, GUL; "):
        picture_for(loaded)


def test_provinces_that_a_map_lacks_are_blank() -> None:
    def more(data: Any) -> None:
        data["provinces"]["OLD"] = {**SQUARE, "rings": [[1, -3]]}
        data["links"].append(["OLD", "LAN", [0, 0, 9, 9]])

    write("tiny.json", changed(more))
    found = picture_for(dipsat.load_map(a_map("{file: tiny.json}")))
    assert found.shapes.keys() == {"LAN", "COA", "SEA", "GUL"}
    assert found.blank == ((0,), (1, -3))
    assert [link[:2] for link in found.links] == [("LAN", "COA")]


def test_the_check_of_a_map_says_which_borders_its_picture_lacks() -> None:
    write("tiny.json", json.dumps(GOOD))  # COA shares no arc, and has one link
    a_map("{file: tiny.json}")
    done = run("maps", "check", "map.yaml")
    told = "remark: map.yaml:9:17: the picture does not show the borders COA-GUL, COA-SEA\n"
    assert (done.stderr, done.exit_code) == (told, 1)
    more = [["SEA", "COA", [0, 0, 5, 5]], ["COA", "GUL", [0, 0, 5, 5]]]
    write("tiny.json", changed(lambda data: data["links"].extend(more)))
    assert run("maps", "check", "map.yaml").exit_code == 0


@pytest.mark.parametrize(
    ("picture", "told"),
    [
        ("{like: standart}", "map.yaml:9:17: unknown map with a picture 'standart'; did you mean"),
        ("{like: sengoku}", "map.yaml:9:17: the map tiny cannot be drawn like sengoku"),
        ("{file: gone.json}", "gone.json: "),
        ("{svg: gone.svg}", "gone.svg: "),
        ("{file: map.yaml}", "map.yaml:1:1: malformed JSON"),
        ("{svg: map.yaml}", "map.yaml:1:"),
        ("{svg: .}", ".: "),
    ],
)
def test_the_check_of_a_map_says_what_is_wrong_with_its_picture(picture: str, told: str) -> None:
    a_map(picture)
    done = run("maps", "check", "map.yaml")
    assert done.exit_code == 2
    assert told in done.stderr
    assert "no problems" not in done.stdout


@pytest.mark.parametrize("key", ["svg", "file"])
def test_files_are_read_when_a_picture_is_drawn_and_not_before(key: str) -> None:
    loaded = dipsat.load_map(a_map(f"{{{key}: gone}}"))
    outcome = dipsat.adjudicate(dipsat.Position.start(loaded), {"RED": ["F COA - SEA"]})
    assert outcome.order("F COA").verdict == "succeeds"
    with pytest.raises(FileError, match="gone: "):
        dipsat.draw.board(outcome)
    assert loaded._repr_svg_() is None


# --- Files that a map may name --------------------------------------------------------------------


@pytest.mark.parametrize("key", ["svg", "file"])
def test_only_files_that_the_caller_allows_are_read(key: str) -> None:
    Path("inside").mkdir()
    write("outside", "x")
    a_map(f"{{{key}: ../outside}}", "inside/map.yaml")
    for files in (Files.none(), Files.within("inside")):
        limits, text = Limits(files=files), Path("inside/map.yaml").read_text(encoding="utf-8")
        for loaded in (
            dipsat.load_map(Path("inside/map.yaml"), limits=limits),
            dipsat.parse_map(text, "inside/map.yaml", limits=limits),
        ):
            with pytest.raises(FileError, match="cannot be read: "):
                picture_for(loaded)


def test_nothing_of_a_file_elsewhere_is_quoted() -> None:
    Path("inside").mkdir()
    write("secret", '{"hunter2": 1, "hunter2": 2}')
    a_map("{file: ../secret}", "inside/map.yaml")
    with pytest.raises(DipsatError) as caught:
        picture_for(dipsat.load_map(Path("inside/map.yaml")))
    assert "hunter2" not in str(caught.value)
    assert "cannot be read as a picture" in str(caught.value)


def test_what_a_map_elsewhere_names_is_not_quoted() -> None:
    Path("inside").mkdir()
    a_map("{file: hunter2.json}", "base.yaml")
    write("inside/map.yaml", "extends: ../base.yaml\nname: mine\n")
    with pytest.raises(FileError, match="names a picture that cannot be used") as caught:
        picture_for(dipsat.load_map(Path("inside/map.yaml")))
    assert "hunter2" not in str(caught.value)


def test_the_place_of_a_name_is_that_of_its_map() -> None:
    loaded = dipsat.load_map(a_map("\n  places: {}\n  like: standart"))
    with pytest.raises(MapError) as caught:
        choice.check_picture(loaded)
    assert (caught.value.line, caught.value.column) == (11, 9)
    assert parse_yaml("a: b", "x").value["a"].place == "x:1:4"  # counted from 1


def test_the_example_in_the_docs_is_a_board() -> None:
    file = "docs/examples/harbour.yaml"
    loaded = dipsat.load_map(ROOT / file)
    found = picture_for(loaded)
    size = found.width / 100
    assert list(found.shapes) == ["OUT", "BAY", "NPT", "SPT"]
    assert found.shapes["SPT"].centre == pytest.approx((14 * size, 46 * size))
    assert found.shapes["SPT"].coasts["SC"].unit == pytest.approx((50 * size, 60 * size))
    assert len(found.blank) == 1
    assert blocks(page("docs/maps.md"), "yaml")[-1] in page(file)


def test_the_keys_that_the_docs_name_are_read() -> None:
    (shown,) = (text for text in blocks(page("docs/maps.md"), "yaml") if "{like: " in text)
    read = []
    for line in shown.splitlines():
        own = dipsat.load_map(write("map.yaml", f"{MAP}{line}\n")).picture
        read.append((own.like, own.file, own.svg))
    assert read == [("standard", "", ""), ("", "island.json", ""), ("", "", "island.svg")]
