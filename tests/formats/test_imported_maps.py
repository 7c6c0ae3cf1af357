"""Importing variants of other programs: what is found in folders, what is made of sources that
contradict themselves, and `dipsat maps import`."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.board import check_map
from dipsat.cli import main
from dipsat.errors import DipsatError, FileError
from dipsat.formats import import_maps
from tests.exhaustive import exhaustive
from tests.formats.imports import imported, noted, sources, written
from tests.formats.test_diplicity_variants import SMALL as DIPLICITY
from tests.formats.test_judge_maps import SMALL
from tests.formats.test_webdip_variants import ISLAND

TRIANGLE = """\
NORTH AAA
A AAA
SOUTH BBB
A BBB
Alpha = aaa
Beta = bbb
Gamma = ccc
COAST AAA ABUTS BBB CCC
COAST BBB ABUTS AAA CCC
COAST CCC ABUTS AAA BBB
"""


def triangle(folder: Path, *changes: tuple[str, str], more: str = "") -> dipsat.Map:
    """The map of three coasts, with changes of its text and more lines."""
    text = TRIANGLE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return imported(written(folder, {"triangle.map": text + more}) / "triangle.map")


# --- what is found --------------------------------------------------------------------------------


def test_a_folder_has_variants_of_all_kinds_and_other_files(tmp_path: Path) -> None:
    others = {"README.md": "A map of the world\nUSE it\n", "empty.map": "", "deep/small.map": SMALL}
    written(tmp_path, {**ISLAND, "small.map": SMALL, "a.json": '{"provinces": 1}', **others})
    (tmp_path / "data.bin").write_bytes(bytes(range(256)) * 100)
    assert sources(tmp_path) == ["Island", "small.map"]


def test_a_variant_that_cannot_be_read_is_an_error_and_others_follow(tmp_path: Path) -> None:
    latin = json.dumps(DIPLICITY).replace("Alpha", "Älpha").encode("latin-1")
    written(tmp_path, {"b.map": SMALL + "AMEND ZZZ ABUTS AAA", "c.map": SMALL})
    (tmp_path / "a.json").write_bytes(latin)
    first, second, third = sources(tmp_path)
    assert "a.json: the text is not UTF-8" in first
    assert "b.map:23:1: no line above describes ZZZ" in second
    assert third == "c.map"


@pytest.mark.parametrize("text", ["", "name: x\n", "[1, 2]", "England: A Lon H\n"])
def test_a_file_of_another_kind_is_refused(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, {"other.txt": text}) / "other.txt"
    with pytest.raises(FileError, match="has no variant of another program"):
        list(import_maps(path))
    with pytest.raises(FileError, match="cannot be read"):
        list(import_maps(tmp_path / "missing"))


def test_what_a_variant_uses_is_among_the_files_that_the_caller_allows(tmp_path: Path) -> None:
    path = written(tmp_path, {"a.map": "USE small\n", "small.map": SMALL}) / "a.map"
    limits = dipsat.Limits(files=dipsat.Files.none())
    (refused,) = import_maps(path, limits=limits)
    assert isinstance(refused, DipsatError)
    assert "no files" in str(refused)


# --- sources that contradict themselves -----------------------------------------------------------


def test_a_border_that_one_side_lists_is_one_way(tmp_path: Path) -> None:
    board = triangle(tmp_path, ("CCC ABUTS AAA BBB", "CCC ABUTS BBB"))
    assert "CCC" in board.army["AAA"]
    assert "AAA" not in board.army["CCC"]
    assert noted(board, "army borders on one side only: AAA - CCC")
    assert noted(board, "fleet borders on one side only: AAA - CCC")


def test_a_place_without_borders_is_left_out(tmp_path: Path) -> None:
    board = triangle(tmp_path, more="Nowhere = nwr\nCOAST NWR\nCOAST BBB/NC\n")
    assert set(board.provinces) == {"AAA", "BBB", "CCC"}
    assert noted(board, "places without borders: BBB/NC, Nowhere")


def test_a_place_that_no_unit_can_leave_is_refused_by_the_name_of_the_source(
    tmp_path: Path,
) -> None:
    with pytest.raises(DipsatError) as caught:
        triangle(tmp_path, ("COAST CCC ABUTS AAA BBB", "COAST CCC"))
    assert str(caught.value) == f"{tmp_path / 'triangle.map'}: CCC has no borders at all"


def test_terrain_follows_from_where_fleets_go(tmp_path: Path) -> None:
    board = triangle(
        tmp_path,
        ("AAA ABUTS BBB CCC", "AAA ABUTS BBB ccc"),
        ("BBB ABUTS AAA CCC", "BBB ABUTS AAA ccc"),
        ("CCC ABUTS AAA BBB", "CCC ABUTS aaa bbb"),
    )
    assert [one.kind for one in board.provinces.values()] == ["coast", "coast", "land"]
    assert noted(board, "Land here, since no fleet goes there; the source calls them coasts: Gamma")


def test_borders_of_unknown_places_are_left_out(tmp_path: Path) -> None:
    board = triangle(tmp_path, ("CCC ABUTS AAA BBB", "CCC ABUTS AAA BBB XYZ"))
    assert noted(board, "borders that no army can cross here: CCC - XYZ")
    assert noted(board, "borders that no fleet can cross here: CCC - XYZ")


def test_names_and_codes_stand_for_one_province_each(tmp_path: Path) -> None:
    board = triangle(tmp_path, ("Beta = bbb", "Beta = bbb second alpha"))
    assert board.provinces["BBB"].aliases == ("second",)
    assert noted(board, "names that other provinces have, too: alpha (BBB)")
    board = triangle(tmp_path, ("Gamma =", "Aaa ="))
    assert [*board.provinces] == ["ALP", "BBB", "CCC"]
    assert noted(board, "Codes changed, since they stand for other provinces: ALP (AAA)")
    with pytest.raises(DipsatError, match="stands for AAA and CCC"):
        triangle(tmp_path, ("Gamma =", "Alpha ="))


def test_two_powers_with_the_same_name_are_refused(tmp_path: Path) -> None:
    change = ("name", "North"), ("name", "north")
    variant = deepcopy(DIPLICITY)
    for nation, (key, name) in zip(variant["nations"], change, strict=True):
        nation[key] = name
    with pytest.raises(FileError, match="two powers with the name NORTH"):
        imported(written(tmp_path, {"a.json": json.dumps(variant)}) / "a.json")


def test_units_that_cannot_start_are_left_out(tmp_path: Path) -> None:
    more = "WATER SEA ABUTS AAA\nAMEND AAA ABUTS SEA\nNORTH\nA SEA\nF XYZ\n"
    board = triangle(tmp_path, more=more)
    assert board.powers["NORTH"].start == ("A AAA",)
    assert noted(board, "the unit A SEA of NORTH, which cannot be there")
    assert noted(board, "the unit F XYZ of NORTH, which cannot be there")


def test_a_fleet_without_its_coast_starts_on_the_first(tmp_path: Path) -> None:
    text = SMALL.replace("F BBB/SC", "F BBB")
    board = imported(written(tmp_path, {"small.map": text}) / "small.map")
    assert board.powers["SOUTH"].start == ("F BBB/NC",)
    assert noted(board, "on which coast unit F BBB of SOUTH starts")


def test_two_powers_do_not_share_a_home(tmp_path: Path) -> None:
    board = triangle(tmp_path, ("SOUTH BBB", "SOUTH BBB AAA"))
    assert board.powers["SOUTH"].home == ("BBB",)
    assert noted(board, "the home AAA of SOUTH, since NORTH has it")


def test_a_map_of_places_of_the_standard_board_is_drawn_like_it(tmp_path: Path) -> None:
    changes = [("Alpha", "Paris"), ("Beta", "Burgundy"), ("Gamma", "Gascony")]
    codes = [("AAA", "PAR"), ("BBB", "BUR"), ("CCC", "GAS")]
    both = [*codes, *((old.lower(), new.lower()) for old, new in codes), *changes]
    assert triangle(tmp_path, *both).picture.like == "standard"
    assert triangle(tmp_path).picture.like == ""


# --- the command ----------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["maps", "import", *arguments])


@exhaustive
@pytest.mark.usefixtures("in_an_empty_folder")
def test_the_command_writes_maps_that_can_be_checked_and_played() -> None:
    written(Path(), {**ISLAND, "maps/small.map": SMALL})
    done = run("maps")
    assert (done.exit_code, done.stdout) == (
        0, "small.yaml: 4 provinces, 3 supply centres, 2 powers\n",
    )  # fmt: skip
    assert run("Island", "-o", "maps").exit_code == 0
    board, remarks = check_map("maps/island.yaml")
    assert remarks == ()
    assert CliRunner().invoke(main, ["maps", "check", "maps/island.yaml"]).exit_code == 0
    game = dipsat.Game.new(board)
    game.submit("NORTH", ["A ALP - GAM"])
    assert game.advance().order("A ALP").verdict == "succeeds"


@pytest.mark.usefixtures("in_an_empty_folder")
def test_the_command_keeps_what_is_there_and_goes_on_after_an_error() -> None:
    written(Path(), {"a.map": SMALL, "b.map": f"{SMALL}COAST", "c.map": SMALL})
    Path("a.yaml").write_text("mine")
    done = run(".")
    assert done.exit_code == 2
    assert "a.yaml: already exists" in done.stderr
    assert "b.map:23:1: no place follows" in done.stderr
    assert done.stdout.startswith("c.yaml:")
    assert done.stdout.endswith("\n1 of 3 variants are maps now.\n")
    assert Path("a.yaml").read_text() == "mine"
    assert run("a.map", "--force").exit_code == 0
    assert dipsat.load_map("a.yaml").name == "a"
    assert run("a.map", "-o", "nowhere").exit_code == 2


@pytest.mark.usefixtures("in_an_empty_folder")
def test_no_map_overwrites_another_one_of_the_same_command() -> None:
    """Two variants may have one name. Force is for what was there before."""
    both = {name: json.dumps({**DIPLICITY, "name": name}) for name in ("a.json", "b.json")}
    written(Path(), both)
    done = run(".", "--force")
    assert done.exit_code == 2
    assert done.stderr == (
        "error: b.json: its map would overwrite small_island.yaml, which was just made of a.json\n"
    )
    assert dipsat.load_map("small_island.yaml").title == "a.json"
