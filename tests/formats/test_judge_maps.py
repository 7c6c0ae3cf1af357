"""Files `.map`: what each line states. All maps of the package `diplomacy` are the same here as
there."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import dipsat
from dipsat.board import words_of
from dipsat.errors import DipsatError, DocumentError, FileError, InputLimitError
from tests.exhaustive import exhaustive
from tests.formats.imports import imported, noted, sources, written

SMALL = """\
# A comment
BEGIN SPRING 1870 MOVEMENT
VICTORY 2
NORTH (NORTHERN:N) AAA
A AAA
SOUTH (SOUTHERN) BBB
F BBB/SC
UNOWNED CCC
Alpha = aaa first the+first al?
Beta (north coast) = bbb/nc
Beta (south coast) = bbb/sc
Beta = bbb
Gamma = ccc
The Sea = sea
Swamp = swa
COAST AAA ABUTS bbb BBB/NC ccc SEA
COAST BBB/NC ABUTS AAA SEA
COAST BBB/SC ABUTS SEA
COAST bbb ABUTS AAA SEA
LAND CCC ABUTS AAA SWA
WATER SEA ABUTS AAA BBB/NC BBB/SC
SHUT SWA ABUTS CCC
"""


def small(folder: Path, more: str = "", text: str = SMALL) -> dipsat.Map:
    """The map of a small file with more lines."""
    return imported(written(folder, {"small.map": f"{text}{more}"}) / "small.map")


def test_a_file_states_a_map(tmp_path: Path) -> None:
    board = small(tmp_path)
    assert (board.name, board.first_phase, board.victory) == ("small", "S1870M", 2)
    assert (board.build, board.notes) == ("home", ())
    assert board.impassable == {"SWA": "Swamp"}
    assert board.army == {"AAA": {"BBB", "CCC"}, "BBB": {"AAA"}, "CCC": {"AAA"}}
    assert board.fleet == {
        "AAA": {"BBB/NC", "SEA"},
        "BBB/NC": {"AAA", "SEA"},
        "BBB/SC": {"SEA"},
        "SEA": {"AAA", "BBB/NC", "BBB/SC"},
    }
    assert board.centers == ("AAA", "BBB", "CCC")
    assert board.provinces["AAA"].aliases == ("first", "the first")
    power = board.powers["NORTH"]
    assert (power.aliases, power.home, power.start) == (("Northern",), ("AAA",), ("A AAA",))
    assert board.powers["SOUTH"].start == ("F BBB/SC",)


@pytest.mark.parametrize(
    ("lines", "build"),
    [
        ("RULE BUILD_ANY", "any"),
        ("RULE HOME_BUILDS", "home-any"),
        ("RULE REMOTE_BUILDS", "any-if-home-owned"),
        ("RULE BUILD_ANY\nRULE !BUILD_ANY", "home"),
    ],
)
def test_rules_say_where_powers_build(lines: str, build: str, tmp_path: Path) -> None:
    board = small(tmp_path, lines)
    assert (board.build, board.notes) == (build, ())


def test_a_file_changes_what_the_one_that_it_uses_states(tmp_path: Path) -> None:
    more = (
        "USE small\nSOUTH -BBB CCC\nUNITS\nA CCC\nNORTH\nOWNS AAA BBB\n"
        "CCC -> Delta = ddd\nAMEND DDD ABUTS -AAA bbb\nAMEND AAA ABUTS -DDD\nAMEND bbb ABUTS ddd\n"
    )
    folder = written(tmp_path, {"small.map": SMALL, "more.map": more})
    board = imported(folder / "more.map")
    assert board.army == {"AAA": {"BBB"}, "BBB": {"AAA", "DDD"}, "DDD": {"BBB"}}
    assert board.provinces["DDD"].name == "Delta"
    assert (board.powers["SOUTH"].home, board.powers["SOUTH"].start) == (("DDD",), ("A DDD",))
    assert board.powers["NORTH"].aliases == ("Northern",)
    assert board.powers["NORTH"].centers == ("AAA", "BBB")
    assert sources(folder) == ["more.map", "small.map"]


def test_a_place_and_a_power_can_be_removed(tmp_path: Path) -> None:
    board = small(tmp_path, "DROP BBB\nUNPLAYED SOUTH\nNORTH -AAA\nUNOWNED -AAA\n")
    assert set(board.provinces) == {"AAA", "CCC", "SEA"}
    assert (set(board.powers), board.centers) == ({"NORTH"}, ("CCC",))
    assert board.fleet == {"AAA": {"SEA"}, "SEA": {"AAA"}}


def test_a_dummy_is_a_power_that_nobody_plays(tmp_path: Path) -> None:
    assert small(tmp_path, "DUMMY SOUTH").neutrals == {"SOUTH"}
    assert small(tmp_path, "DUMMY ALL EXCEPT SOUTH").neutrals == {"NORTH"}


def test_a_port_is_a_coast_where_no_fleet_convoys(tmp_path: Path) -> None:
    board = small(tmp_path, "PORT CCC ABUTS AAA SEA\nAMEND SEA ABUTS CCC\nAMEND AAA ABUTS CCC\n")
    assert board.provinces["CCC"].kind == "coast"
    assert noted(board, "the source has ports: CCC")


def test_after_a_capital_small_letters_keep_armies_out(tmp_path: Path) -> None:
    board = small(tmp_path, "COAST ISL ABUTS Aaa SEA\nAMEND AAA ABUTS Isl\nAMEND SEA ABUTS ISL\n")
    assert "ISL" not in board.army
    assert "ISL" not in board.army["AAA"]
    assert board.fleet["ISL"] == {"AAA", "SEA"}


def test_what_a_map_has_no_words_for_is_noted(tmp_path: Path) -> None:
    more = (
        "AMEND CCC ABUTS AAA~\nRULE CD_DUMMIES\nFLOW NEWYEAR:5\nVICTORY 1 2 3\n"
        "NORTH &SC *SWA\nLEAGUE X\nIN SPRING: WATER CCC\nPAYOLA DIRECTIVES\nRULE X\n"
    )
    board = small(tmp_path, more)
    for words in (
        "restricts who may pass: CCC - AAA (~)",
        "rules of the judge: CD_DUMMIES.",
        "FLOW, LEAGUE, IN, PAYOLA DIRECTIVES",
        "&SC of NORTH, *SWA of NORTH",
        "centres that wins differs by year: 1, 2, 3",
    ):
        assert noted(board, words)
    assert board.victory == 3


def test_an_old_file_is_read_as_latin_1_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "old.map").write_bytes(SMALL.replace("Alpha", "Älpha").encode("latin-1"))
    board = imported(tmp_path / "old.map")
    assert board.provinces["AAA"].name == "Älpha"
    assert noted(board, "Read as Latin-1, since they are not UTF-8: old.map.")
    assert not noted(small(tmp_path), "Latin-1")


def test_a_border_that_is_shut_from_one_side_is_one_way(tmp_path: Path) -> None:
    board = small(tmp_path, "AMEND SEA ABUTS :AAA\n")
    assert ("SEA" in board.fleet["AAA"], "AAA" in board.fleet["SEA"]) == (True, False)
    assert noted(board, "fleet borders on one side only: AAA - SEA")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("COAST", "small.map:23:1: no place follows"),
        ("COAST AAA BUTS BBB", "ABUTS should follow the place"),
        ("COAST AAA ABUTS (", "'(' is not an abbreviation of a place"),
        ("AMEND ZZZ ABUTS AAA", "no line above describes ZZZ"),
        ("Delta =", "no abbreviation follows the name"),
        ("UNOWNED\nF BBB", "no power is named above it"),
        ("NORTH\nF BBB BBB", "a unit is a letter and a place"),
        ("USE ../other", "'../other' is not the name of a file beside this one"),
        ("USE other", "other.map: cannot be read"),
        ("-", "'-' is not the name of a power"),
    ],
)
def test_a_line_no_map_has_is_refused_with_its_place(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises((DocumentError, FileError)) as caught:
        small(tmp_path, line)
    assert said in str(caught.value)


def test_files_that_use_one_another_without_end_are_refused(tmp_path: Path) -> None:
    files = {f"m{at}.map": f"{SMALL if at == 99 else ''}USE m{at + 1}\n" for at in range(100)}
    with pytest.raises(DocumentError, match="a map uses at most 20 files"):
        imported(written(tmp_path, files) / "m0.map")


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("a " * 500_001, "words and signs"),
        ("".join(f"P{at}\n" for at in range(400)), "powers"),
        ("".join(f"WATER W{at} ABUTS SEA\n" for at in range(2_700)), "provinces"),
        (f"DROP {'SEA ' * 2_700}", "provinces that are dropped"),
    ],
)
def test_more_than_any_map_has_is_refused(more: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(InputLimitError, match=what) as caught:
        small(tmp_path, more)
    assert str(caught.value).startswith(str(tmp_path))


@pytest.mark.parametrize("cut", range(0, len(SMALL), 41))
def test_a_file_that_is_cut_off_ends_in_a_map_or_in_one_error(cut: int, tmp_path: Path) -> None:
    try:
        board = small(tmp_path, text=SMALL[:cut])
    except DipsatError:
        return
    assert board.provinces


# --- the package diplomacy ------------------------------------------------------------------------

SAME = {
    "ancmed": "ancient_mediterranean",
    "colonial": "colonial",
    "empire": "empire",
    "known_world_901": "known_world_901",
    "modern": "modern",
    "pure": "pure",
    "standard": "standard",
    "standard_fleet_rome": "fleet_rome",
    "standard_france_austria": "france_austria",
    "standard_germany_italy": "germany_italy",
    "world": "world",
}
"""Maps of the package -> the shipped ones."""
OTHERS = ("ancmed_age_of_empires", "standard_age_of_empires", "standard_age_of_empires_2")
OF_RULES = {"MED", "RED"}
"""Fleets cross this border under the rules `colonial` (docs/maps.md), which the package lacks."""


def folder_of_the_package() -> Path:
    package = pytest.importorskip("diplomacy", reason="the package diplomacy is not installed")
    return Path(package.__file__).parent / "maps"


@exhaustive
def test_these_are_all_maps_of_the_package() -> None:
    found = {path.stem for path in folder_of_the_package().glob("*.map")}
    assert found == {*SAME, *OTHERS}
    assert len(found) == 14


@exhaustive
@pytest.mark.parametrize("name", [*SAME, *OTHERS])
def test_a_map_is_the_same_as_the_package_reads_it(name: str) -> None:
    board = imported(folder_of_the_package() / f"{name}.map")
    with warnings.catch_warnings(action="ignore"):
        from diplomacy.engine.map import Map

        peer = Map(name)
    places = {place.upper() for place in peer.locs if peer.area_type(place) != "SHUT"}
    assert {place for place in places if "/" not in place} == set(board.provinces)
    for borders, letter in ((board.army, "A"), (board.fleet, "F")):
        there = {
            place: {near for near in places if peer.abuts(letter, place, "-", near)}
            for place in places
        }
        assert {place: near for place, near in there.items() if near} == dict(borders)
    assert set(peer.scs) == set(board.centers)
    assert set(peer.powers) == set(board.powers)
    assert set(peer.dummies) == board.neutrals
    for power, setup in board.powers.items():
        assert set(peer.homes[power]) == set(setup.home)
        assert set(peer.centers[power]) == set(setup.centers)
        assert set(peer.units.get(power, ())) == set(setup.start)


@exhaustive
@pytest.mark.parametrize(("name", "shipped"), SAME.items())
def test_a_map_that_is_shipped_too_is_the_same(name: str, shipped: str) -> None:
    board = imported(folder_of_the_package() / f"{name}.map")
    own = dipsat.load_map(shipped)
    assert {code: (one.kind, one.supply) for code, one in board.provinces.items()} == {
        code: (one.kind, one.supply) for code, one in own.provinces.items()
    }
    assert board.army == own.army
    left = OF_RULES if shipped == "colonial" else set()
    assert board.fleet == {
        place: near - left if place in left else near for place, near in own.fleet.items()
    }
    assert board.impassable == own.impassable
    assert (board.first_phase, board.build) == (own.first_phase, own.build)
    names = {words_of(name) for name in own.powers} - {("neutral",)}
    assert names <= {words_of(name) for name in board.powers}
