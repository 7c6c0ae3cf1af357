"""The map language beyond one plain board: maps that change others, features, one-way borders,
neutral powers, and `dipsat maps`."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.base import Node, data_folder
from dipsat.board import check_map, parse_map
from dipsat.board.read import Changes, Faults
from dipsat.cli import main
from dipsat.errors import DipsatError, MapError, ProblemsError, UnknownNameError
from dipsat.game import listed, listed_maps, row_of
from dipsat.game.listed_maps import INDEX, index_text
from tests.core.test_standard_map import TINY
from tests.exhaustive import exhaustive
from tests.pages import page


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["maps", *arguments])


def written(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def problems_of(path: Path) -> tuple[DipsatError, ...]:
    with pytest.raises(DipsatError) as caught:
        dipsat.load_map(path)
    error = caught.value
    return error.problems if isinstance(error, ProblemsError) else (error,)


# --- extends --------------------------------------------------------------------------------------


def test_a_map_that_extends_another_says_only_what_differs() -> None:
    text = (
        "extends: standard\nname: mine\nvictory: 20\n"
        "powers:\n  TURKEY: ~\n  ITALY: {start: [F NAP]}\n"
        "notations: {daide: {powers: {TURKEY: ~}}}\n"
        "provinces:\n  SPA: {default_coast: ~, supply: false}\n"
    )
    board = parse_map(text, "mine.yaml")
    standard = dipsat.load_map("standard")
    assert (board.name, board.victory, board.build) == ("mine", 20, "home")
    assert set(board.powers) == set(standard.powers) - {"TURKEY"}
    assert board.powers["ITALY"].start == ("F NAP",)
    assert board.powers["ITALY"].home == standard.powers["ITALY"].home
    assert (board.army, board.fleet) == (standard.army, standard.fleet)
    assert not board.provinces["SPA"].supply
    assert standard.provinces["SPA"].default_coast == "SC"
    assert board.provinces["SPA"].default_coast == ""


def test_a_file_that_is_extended_is_looked_for_beside_the_map(tmp_path: Path) -> None:
    written(tmp_path, TINY, "tiny.yaml")
    (tmp_path / "sub").mkdir()
    first = written(tmp_path / "sub", "extends: ../tiny.yaml\nname: second\n", "second.yaml")
    path = written(tmp_path, "extends: sub/second.yaml\nname: third\n")
    assert dipsat.load_map(path).name == "third"
    assert dipsat.load_map(path).army == dipsat.load_map(first).army


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("standart", "did you mean standard"),
        ("other.yaml", "no map file"),
        ("mine.yaml", "extends itself"),
    ],
)
def test_a_map_that_cannot_be_extended_is_reported_at_its_place(
    tmp_path: Path, name: str, word: str
) -> None:
    path = written(tmp_path, f"name: mine\nextends: {name}\n")
    (problem,) = problems_of(path)
    assert isinstance(problem, MapError)
    assert str(problem).startswith(f"{path}:2:10: ")
    assert word in problem.problem


# --- features, one-way borders, neutral powers ----------------------------------------------------


def test_features_of_provinces_and_borders_are_kept() -> None:
    text = TINY.replace("name: Sea\n", "name: Sea\n    features: [ice, deep_2]\n")
    board = parse_map("border_features: {steep: [[COA, LAN], [LAN, SEA]]}\n" + text, "tiny.yaml")
    assert board.provinces["SEA"].features == {"ice", "deep_2"}
    assert board.provinces["LAN"].features == frozenset()
    assert board.border_features["steep"] == {frozenset({"COA", "LAN"}), frozenset({"LAN", "SEA"})}


ONE_SIDED = TINY.replace("fleet: [COA/NC, COA/SC]", "fleet: [COA/NC]")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("border_features: {steep: [[COA, LAX]]}\n" + TINY, "did you mean LAN"),
        ("border_features: {steep: [[COA, COA]]}\n" + TINY, "pair"),
        ("border_features: {Steep: [[COA, LAN]]}\n" + TINY, "Steep"),
        (TINY.replace("name: Sea\n", "name: Sea\n    features: [Ice]\n"), "Ice"),
        ("lines: {rail: {provinces: [LAN, COO]}}\n" + TINY, "did you mean COA"),
        ("lines: {rail: {provinces: [LAN]}}\n" + TINY, "two provinces"),
        ("lines: {rail: {power: REDD, provinces: [LAN, COA]}}\n" + TINY, "did you mean RED"),
        ("lines: {rail: {power: RED}}\n" + TINY, "'provinces'"),
        ("impassable: {SEA: The Sea}\n" + TINY, "SEA"),
        (
            "extends: standard\nname: swiss\nprovinces:\n  SWI: {name: Swiss, type: land}\n",
            "to open land of the other map, write `impassable: {SWI: ~}`",
        ),
        ("first_phase: 1901M\n" + TINY, "S1901M"),
        ("build: everywhere\n" + TINY, "everywhere"),
        (TINY.replace("start: [A LAN", "start: [A LNA"), "no province 'LNA'; did you mean LAN?"),
        (ONE_SIDED, "COA/SC - SEA is listed on one side only; list COA/SC under SEA, too"),
        ("one_way: {fleet: [[SEA, COA/SC]]}\n" + ONE_SIDED, "no fleet border"),
        ("one_way: {fleet: [[COA/SC, SEA]]}\n" + TINY, "both sides"),
        ("one_way: {fleet: [[COA/SX, SEA]]}\n" + ONE_SIDED, "COA/SX"),
        (TINY.replace("LAN", "L/N"), "space or a /"),
    ],
)
def test_bad_features_and_one_way_borders_are_map_errors(
    tmp_path: Path, text: str, word: str
) -> None:
    problems = problems_of(written(tmp_path, text))
    assert any(word in str(problem) for problem in problems), problems


def test_a_border_may_be_open_in_one_direction_if_the_map_says_so() -> None:
    board = parse_map("one_way: {fleet: [[COA/SC, SEA]]}\n" + ONE_SIDED, "tiny.yaml")
    assert board.fleet["COA/SC"] == {"SEA"}
    assert board.fleet["SEA"] == {"COA/NC"}


def test_no_convoy_uses_water_that_is_open_in_one_direction() -> None:
    board = dipsat.load_map("northseawars")
    assert "GRA" in board.fleet["CNS"]
    assert "GRA" not in board.water["CNS"]
    position = dipsat.Position.from_units({"NORSE": ["F CNS", "F UNS", "A VES"]}, board)
    outcome = dipsat.adjudicate(position, {"NORSE": ["A VES - GRA VIA"]})
    assert outcome.order("A VES").verdict == "illegal"


def test_a_fleet_in_a_sea_that_nobody_can_enter_has_legal_orders() -> None:
    text = (
        "name: x\npowers: {P: {start: [F SEA, A AAA, A BBB]}}\none_way: {fleet: [[SEA, AAA]]}\n"
        "provinces:\n  SEA: {name: Sea, type: sea, fleet: [AAA]}\n"
        "  AAA: {name: A, type: coast, army: [BBB]}\n  BBB: {name: B, type: coast, army: [AAA]}\n"
    )
    game = dipsat.Game.new(parse_map(text, "x.yaml"))
    assert "F SEA - AAA" in game.legal_orders("F SEA")
    assert not any(" C " in order for order in game.legal_orders("F SEA"))


# --- remarks --------------------------------------------------------------------------------------

LAKE = """\
  POND: {name: Pond, type: sea, fleet: [SHORE]}
  SHORE: {name: Shore, type: coast, fleet: [POND]}
"""
ISLE = "  ISLE: {name: Isle, type: coast, army: [LAN]}\n"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (TINY + LAKE, "POND cannot be reached"),
        (TINY.replace("army: [COA]", "army: [COA, ISLE]") + ISLE, "coast ISLE"),
        (TINY.replace("LAN", "L-N"), "letters and digits"),
        (TINY.replace("  RED:\n", "  BLUE: {}\n  RED:\n"), "BLUE has no units"),
        (TINY.replace("  RED:\n", "  BLUE: {}\n  RED:\n"), "BLUE has no home"),
    ],
)
def test_oddities_are_remarked_on_at_their_places(tmp_path: Path, text: str, word: str) -> None:
    path = written(tmp_path, text)
    _, remarks = check_map(path)
    assert [r for r in remarks if word in r], remarks
    for remark in remarks:
        assert re.match(rf"{re.escape(str(path))}:\d+:\d+: ", remark)


def test_the_tiny_map_has_no_remarks(tmp_path: Path) -> None:
    assert check_map(written(tmp_path, TINY))[1] == ()


# --- dipsat maps ----------------------------------------------------------------------------------


@exhaustive
def test_maps_list_has_a_row_for_every_map() -> None:
    printed = run("list")
    assert printed.exit_code == 0
    words = printed.stdout.split()
    assert set(dipsat.map_names()) <= set(words)
    rows = json.loads(run("list", "--json").stdout)
    others = sorted(set(dipsat.map_names()) - {"standard"})
    assert [row["name"] for row in rows] == ["standard", *others]
    assert rows[0] == {
        "name": "standard", "title": "Diplomacy", "provinces": 75, "centers": 34, "powers": 7,
        "victory": 18,
    }  # fmt: skip


def test_maps_show_prints_powers_provinces_and_special_rules() -> None:
    printed = run("show", "colonial").stdout
    for text in ("119 provinces", "BRITAIN", "suez: MED - RED", "30 centres win", "Egypt"):
        assert text in printed
    shown = json.loads(run("show", "standard", "--json").stdout)
    board = dipsat.load_map("standard")
    assert set(shown["provinces"]) == set(board.provinces)
    assert shown["provinces"]["SPA"]["fleet"]["SPA/NC"] == ["GAS", "MAO", "POR"]
    assert shown["powers"]["ITALY"]["start"] == ["F NAP", "A ROM", "A VEN"]
    assert shown["impassable"] == {"SWI": "Switzerland"}


def test_a_file_with_another_ending_gets_advice_to_rename_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(data_folder("rules") / "maps" / "standard.yaml", "standard.map")
    Path("standard").write_text("a file with the name of a shipped map")
    Path("loners.rules").write_text("name: loners\nextends: datc\n")
    rename = "there is a file of this name; rename it so that it ends in .yaml or .yml"
    found = CliRunner().invoke(main, ["maps", "check", "standard.map"])
    assert (found.exit_code, found.stderr) == (2, f"error: unknown map 'standard.map'; {rename}\n")
    assert dipsat.load_map("standard").path == "rules/maps/standard.yaml"
    with pytest.raises(UnknownNameError, match=rename):
        dipsat.load_profile("loners.rules")
    with pytest.raises(MapError, match=rename):
        dipsat.parse_map("name: x\nextends: standard.map\n", "x.yaml")
    with pytest.raises(DipsatError, match=rename):
        dipsat.parse_profile("name: x\nextends: datc\nmap: standard.map\n", "x.yaml")
    with pytest.raises(UnknownNameError) as caught:
        dipsat.load_map("standard.map", limits=dipsat.Limits(files=dipsat.Files.none()))
    assert rename not in str(caught.value)


def test_maps_check_reports_all_problems_at_once(tmp_path: Path) -> None:
    text = (
        "extends: standard\nname: bad\nvictory: 99\nfirst_phase: X1\n"
        "powers: {ITALY: {start: [A VEN, F ROMA, Z ROM]}}\n"
        "provinces:\n  MUN: {army: [BER, BOH, BUR, KIE, RUH, SIL, TYRR]}\n"
        "  PIE: {features: [Ice]}\n"
    )
    path = written(tmp_path, text)
    result = run("check", str(path), "standard")
    assert result.exit_code == 2
    assert "standard: 75 provinces, 34 supply centres, 7 powers, no problems" in result.stdout
    lines = result.stderr.splitlines()
    assert all(re.match(rf"error: .*{path.name}:\d+:\d+: ", line) for line in lines)
    for place, word in (
        ("3:10", "99"), ("4:14", "X1"), ("5:25", "F ROMA"), ("5:25", "Z ROM"), ("7:46", "TYRR"),
        ("8:20", "Ice"), ("7:8", "MUN"),
    ):  # fmt: skip
        assert any(f":{place}: " in line and word in line for line in lines), (place, lines)


def test_maps_check_ends_with_1_if_there_are_remarks_only(tmp_path: Path) -> None:
    result = run("check", str(written(tmp_path, TINY + LAKE)))
    assert result.exit_code == 1
    assert "remark: " in result.stderr
    assert "no problems" in result.stdout


@exhaustive
def test_the_index_of_the_maps_says_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m tools.map_index` writes it."""
    index = data_folder("rules") / "maps" / INDEX
    assert index.read_text(encoding="utf-8") == index_text()

    read, standard = list[str](), dipsat.load_map("standard")

    def note(name: str) -> dipsat.Map:
        read.append(name)
        return standard

    monkeypatch.setattr(listed_maps, "load_map", note)
    assert listed()[0] == row_of(standard)
    assert read == []
    other = Path(shutil.copytree(index.parent, tmp_path / "maps"))
    monkeypatch.setattr(listed_maps, "maps_folder", lambda: other)
    listed()
    assert read == []
    with (other / "1898.yaml").open("a", encoding="utf-8") as changed:
        changed.write("# changed\n")
    listed()
    assert sorted(read) == list(dipsat.map_names())
    (other / INDEX).write_text("{", encoding="utf-8")
    assert len(listed()) == len(read) / 2


# --- the README ---------------------------------------------------------------------------------


def test_the_readme_says_how_many_maps_and_variants_there_are() -> None:
    maps, variants = len(dipsat.map_names()), len(dipsat.variant_names())
    said = " ".join(page("README.md").split())
    assert f"includes {maps} maps (`dipsat maps list`), {variants} variants, seven" in said


# --- What a file changes in the map that it extends ------------------------------------------

CHANGES = {
    "provinces:\n  LON: ~\n": "4:3: LON is removed here",
    "provinces:\n  NTH: ~\n": "4:3: NTH is removed here",
    "powers:\n  TURKEY:\n    home: [ANK]\nprovinces:\n  ANK: {supply: false}\n": "5:11: home 'ANK'",
    "provinces:\n  LON: {supply: false}\n": "4:3: LON is changed here",
    "provinces:\n  LON: {name: Wales}\n": "4:3: LON is changed here",
    "provinces:\n  LON: {aliases: [par]}\n": "4:3: LON is changed here",
    "provinces:\n  STP: {fleet: [BOT]}\n": "4:3: STP is changed here",
    "provinces:\n  STP: {fleet: {SC: ~}}\n": "4:3: STP is changed here",
    "provinces:\n  SWI: {name: Switzerland, type: land, army: [MUN]}\n": "4:3: SWI is changed here",
    "coasts:\n  SC: ~\n": "4:3: SC is removed here",
    "provinces:\n  GAL: {army: [BOH]}\n": "one side only",
    "provinces: ~\n": "3:1: provinces are removed here, but a map needs them",
    "powers: ~\n": "3:1: powers are removed here",
    "provinces:\n  lon: ~\n": "4:3: lon is removed, but was not there; did you mean LON?",
    "provinces:\n  Swiss: {type: land, army: [MUN]}\n": (
        "province Swiss has no 'name', and is not a province of the map that this one extends; "
        "did you mean SWI, which is impassable on the map standard?"
    ),
    "provinces:\n  London: {supply: false}\n": "extends; did you mean LON?",
    "provinces:\n  lon: {supply: false}\n": "extends; did you mean LON?",
    "powers:\n  TURKYE: {start: [A SMY]}\n": "starts where TURKEY A SMY starts too; did you mean",
}


@pytest.mark.parametrize("text", CHANGES)
def test_a_wrong_change_of_another_map_is_an_error_at_its_own_line(text: str) -> None:
    with pytest.raises(DipsatError) as caught:
        dipsat.parse_map(f"extends: standard\nname: mine\n{text}", "mine.yaml")
    lines = str(caught.value).split("\n")
    assert CHANGES[text] in str(caught.value)
    assert all(line.startswith("mine.yaml:") for line in lines), lines


def test_a_power_is_removed_with_its_codes() -> None:
    found = dipsat.parse_map("extends: standard\nname: six\npowers: {ITALY: ~}\n", "six.yaml")
    assert len(found.players) == 6
    assert "ITALY" not in found.codes("daide").powers


def test_the_error_of_a_change_reveals_nothing_of_files_that_may_not_be_read() -> None:
    places = {"LON": ("mine.yaml", 4, 3)}
    for hidden in ((), ("secret.yaml",)):
        faults = Faults(changes=Changes(places, hidden=hidden))
        faults.add(Node("secret.yaml", 9, 1, ""), "a secret of LON", "LON")
        with pytest.raises(DipsatError) as caught:
            faults.stop_if_any()
        assert str(caught.value).startswith("mine.yaml:4:3: LON is changed here")
        assert ("secret" in str(caught.value)) is (not hidden)


def test_removals_of_missing_entries_are_reported_with_all_other_faults() -> None:
    text = "extends: standard\nname: mine\npowers: {TURKY: ~}\nprovinces:\n  XYZ: ~\n"
    for more in ("  BEL: {type: costal}\n", "  BEL: {suply: true}\n", "victory: 99\n"):
        with pytest.raises(DipsatError) as caught:
            dipsat.parse_map(text + more, "mine.yaml")
        first, second, third = str(caught.value).splitlines()
        assert first == "mine.yaml:3:10: TURKY is removed, but was not there; did you mean TURKEY?"
        assert second == "mine.yaml:5:3: XYZ is removed, but was not there"
        assert third.startswith("mine.yaml:6:")
        assert "costal" not in more or third.endswith("; did you mean coast?")
