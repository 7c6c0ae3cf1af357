"""The standard map against the facts of other programs, the names people type, and map files
that contradict themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dipsat import Map, Position, load_map, reader_for
from dipsat.board import parse_map, words_of
from dipsat.errors import (
    AmbiguousNameError,
    DipsatError,
    DocumentError,
    FileError,
    MapError,
    ProblemsError,
    UnknownNameError,
)
from tests.checkout import ROOT

FACTS = ROOT.parent / "shared" / "data" / "maps" / "standard.json"


SLIPS = {"breast", "burgandy", "Skagerakk (SKA)", "yonkers"}  # from one source; may stay unknown


@pytest.fixture(scope="module")
def board() -> Map:
    return load_map("standard")


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    if not FACTS.is_file():
        pytest.skip("the map facts are not here (../shared/data/maps beside the checkout)")
    found: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def peer() -> Any:
    """The standard map of the `diplomacy` package."""
    return pytest.importorskip("diplomacy").Map("standard")


# --- against the facts three programs agree on; `test_shipped_maps` has the borders --------------


def test_every_alias_of_the_facts_finds_its_province(board: Map, facts: dict[str, Any]) -> None:
    for code, province in facts["provinces"].items():
        for alias in set(province["aliases"]) - SLIPS:
            assert board.names.province(alias) == code, alias


def test_impassable_land_of_the_facts_is_not_a_province(board: Map, facts: dict[str, Any]) -> None:
    for land in facts["impassable"]:
        for name in (land["abbr"], land["name"]):
            with pytest.raises(UnknownNameError):
                board.names.province(name)


# --- against the `diplomacy` package -------------------------------------------------------------


def _places(peer: Any, kind: str) -> list[str]:
    """Where a unit of this kind can be on the package's map."""
    return [loc.upper() for loc in peer.locs if peer.is_valid_unit(f"{kind} {loc.upper()}")]


@pytest.mark.parametrize("kind", ["A", "F"])
def test_units_have_the_neighbours_of_the_diplomacy_package(
    board: Map, peer: Any, kind: str
) -> None:
    places = _places(peer, kind)
    expected = {
        place: frozenset(other for other in places if peer.abuts(kind, place, "-", other))
        for place in places
    }
    assert dict(board.army if kind == "A" else board.fleet) == expected


def test_a_fleet_supports_into_the_provinces_of_the_diplomacy_package(
    board: Map, peer: Any
) -> None:
    for place in _places(peer, "F"):
        expected = {p for p in board.provinces if peer.abuts("F", place, "S", p)}
        assert board.reach_provinces("F", place) == expected, place


def test_centres_homes_and_starting_units_are_those_of_the_diplomacy_package(
    board: Map, peer: Any
) -> None:
    assert {code for code, p in board.provinces.items() if p.supply} == set(peer.scs)
    assert {name: set(power.home) for name, power in board.powers.items()} == {
        name: set(homes) for name, homes in peer.homes.items()
    }
    assert {name: set(power.start) for name, power in board.powers.items()} == {
        name: set(units) for name, units in peer.units.items()
    }


def test_the_full_names_of_the_diplomacy_package_find_their_locations(
    board: Map, peer: Any
) -> None:
    reader = reader_for(board)
    found = {
        name: reader.read_unit(name).location for name in peer.loc_name if name != "SWITZERLAND"
    }
    assert found == {name: loc for name, loc in peer.loc_name.items() if name != "SWITZERLAND"}


def test_the_short_names_of_the_diplomacy_package_find_their_provinces(
    board: Map, peer: Any
) -> None:
    slips = {slip.upper() for slip in SLIPS}
    plain = {
        alias: place
        for alias, place in peer.aliases.items()
        if place in board.provinces and alias.replace(" ", "").isalpha() and alias not in slips
    }
    assert len(plain) > 100
    assert {alias: board.names.province(alias) for alias in plain} == plain


# --- names ---------------------------------------------------------------------------------------


def test_names_are_understood_in_any_case(board: Map) -> None:
    for code, province in board.provinces.items():
        for name in (code, province.name):
            for typed in (name, name.lower(), name.upper(), name.title(), f"  {name} "):
                assert board.names.province(typed) == code


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        # The abbreviations of DAIDE, godip and the tests of jDip
        ("ECH", "ENG"), ("GOB", "BOT"), ("GOL", "LYO"), ("NRG", "NWG"), ("MID", "MAO"),
        ("NAT", "NAO"), ("NOR", "NWY"),
        # The spellings of the DATC: 6.B.6, 6.D.20, 6.F.25, 2.4 issues 4.E.2 and 4.E.1, 3.2 6.J
        ("Mid Atlantic Ocean", "MAO"), ("York", "YOR"), ("Rhur", "RUH"), ("Triest", "TRI"),
        ("Bur", "BUR"), ("StP", "STP"), ("Lvn", "LVN"), ("Nth", "NTH"),
        # Unmistakable beginnings
        ("Burgun", "BUR"), ("const", "CON"), ("north at", "NAO"),
    ],
)  # fmt: skip
def test_other_names_of_provinces_are_understood(board: Map, typed: str, code: str) -> None:
    assert board.names.province(typed) == code
    assert board.names.province(typed.lower()) == code


def test_powers_are_understood_by_name_and_adjective(board: Map) -> None:
    for power, adjective in (
        ("Austria", "Austrian"), ("England", "English"), ("France", "French"),
        ("Germany", "German"), ("Italy", "Italian"), ("Russia", "Russian"), ("Turkey", "Turkish"),
    ):  # fmt: skip
        for typed in (power, power.lower(), adjective, adjective.upper()):
            assert board.names.power(typed) == power.upper()
    assert board.names.power("Austria-Hungary") == "AUSTRIA"


@pytest.mark.parametrize("suffix", ["NC", "SC", "EC", "WC"])
def test_coasts_are_understood_by_suffix_daide_code_and_name(board: Map, suffix: str) -> None:
    word = {"N": "north", "S": "south", "E": "east", "W": "west"}[suffix[0]]
    for name in (suffix, f"{suffix}S", f"{word} coast", f"{word}ern coast"):
        for typed in (name, name.lower(), name.title()):
            assert board.names.coasts[words_of(typed)] == suffix
    assert reader_for(board).read_unit("F STP (NCS)").location == "STP/NC"


@pytest.mark.parametrize(
    ("typed", "choices"), [("Nort", {"NAF", "NAO", "NTH"}), ("GULF OF", {"BOT", "LYO"})]
)
def test_a_beginning_of_several_names_is_ambiguous(
    board: Map, typed: str, choices: set[str]
) -> None:
    with pytest.raises(AmbiguousNameError) as caught:
        board.names.province(typed)
    assert set(caught.value.choices) == choices
    assert typed in str(caught.value)


@pytest.mark.parametrize("typed", ["pi", "p", "", "...", "Bu"])
def test_a_short_beginning_stands_for_nothing(board: Map, typed: str) -> None:
    with pytest.raises(UnknownNameError):
        board.names.province(typed)


def test_an_unknown_name_comes_with_the_nearest(board: Map) -> None:
    with pytest.raises(UnknownNameError) as caught:
        board.names.province("Pariz")  # DATC 2.4 issue 4.E.2, example 2
    assert caught.value.name == "Pariz"
    assert caught.value.nearest[0] == "Paris"
    assert "Paris" in str(caught.value)
    with pytest.raises(UnknownNameError, match="TURKEY"):
        board.names.power("Turky")


def test_a_shipped_map_has_one_object_and_an_unknown_one_a_hint() -> None:
    assert load_map("standard") is load_map("standard")
    with pytest.raises(UnknownNameError, match="standard"):
        load_map("standart")


# --- map files that contradict themselves --------------------------------------------------------

TINY = """\
name: tiny
coasts:
  NC: [nc]
  SC: [sc]
powers:
  RED:
    home: [LAN]
    start: [A LAN, F COA/NC]
provinces:
  LAN:
    name: Land
    type: land
    supply: true
    army: [COA]
  COA:
    name: Coast
    type: coast
    army: [LAN]
    fleet:
      NC: [SEA]
      SC: [SEA]
  SEA:
    name: Sea
    type: sea
    fleet: [COA/NC, COA/SC]
"""
_SEA_FLEET = "fleet: [COA/NC, COA/SC]"
_START = "start: [A LAN, F COA/NC]"

# the fault, edits of TINY (old, new), keys (the error must name a line in the block of one of
# them), and a word of the message
CONTRADICTIONS: list[tuple[str, list[tuple[str, str]], tuple[str, ...], str]] = [
    ("one-sided army border", [("army: [LAN]", "army: []")], ("LAN",), "one side"),
    ("one-sided fleet border", [(_SEA_FLEET, "fleet: [COA/NC]")], ("COA",), "one side"),
    ("unknown border", [("army: [COA]", "army: [COA, COO]")], ("LAN",), "COA"),
    ("fleet border without its coast", [(_SEA_FLEET, _SEA_FLEET[:-1] + ", COA]")], ("SEA",), "COA"),
    ("army border of a sea",
     [(_SEA_FLEET, _SEA_FLEET + "\n    army: [COA]"), ("army: [LAN]", "army: [LAN, SEA]")],
     ("SEA",), "army"),
    ("fleet border of an inland province",
     [("army: [COA]", "army: [COA]\n    fleet: [SEA]"), ("COA/SC]", "COA/SC, LAN]")], ("LAN",),
     "inland"),
    ("border with itself", [("army: [LAN]", "army: [LAN, COA]")], ("COA",), "itself"),
    ("no borders at all", [("    army: [COA]\n", ""), ("    army: [LAN]\n", "")], ("LAN",),
     "borders"),
    ("an empty list of borders", [("army: [COA]", "army: []"), ("army: [LAN]", "army: []")],
     ("LAN",), "borders"),
    ("one name for two provinces", [("name: Sea", "name: coast")], ("SEA", "COA"), "coast"),
    ("a code as another's alias", [("Land", "Land\n    aliases: [sea]")], ("LAN", "SEA"),
     "LAN and SEA"),
    ("a name without a word", [("name: Land", "name: '...'")], ("LAN",), "..."),
    ("home that is not a centre", [("home: [LAN]", "home: [COA]")], ("RED",), "COA"),
    ("army that starts at sea", [("A LAN", "A SEA")], ("RED",), "A SEA"),
    ("fleet that starts inland", [("A LAN", "F LAN")], ("RED",), "F LAN"),
    ("fleet that starts without a coast", [("F COA/NC", "F COA")], ("RED",), "F COA"),
    ("fleet that starts on no such coast", [("F COA/NC", "F COA/EC")], ("RED",), "F COA/EC"),
    ("unit that starts nowhere", [("A LAN", "A NIX")], ("RED",), "A NIX"),
    ("unit of no kind", [("A LAN", "W LAN")], ("RED",), "W LAN"),
    ("two units that start in one province", [("F COA/NC", "A LAN")], ("RED",), "LAN"),
    ("a home of two powers", [(_START, _START + "\n  BLUE:\n    home: [LAN]")], ("RED", "BLUE"),
     "LAN"),
    ("one name for two powers", [(_START, "aliases: [Royal]\n  BLUE:\n    aliases: [royal]")],
     ("RED", "BLUE"), "oyal"),
    ("one name for two coasts", [("SC: [sc]", "SC: [nc]")], ("coasts",), "nc"),
    ("a coast that has no name", [("  SC: [sc]\n", "")], ("COA", "coasts"), "SC"),
]  # fmt: skip


def _edited(edits: list[tuple[str, str]]) -> str:
    text = TINY
    for old, new in edits:
        assert text.count(old) >= 1
        text = text.replace(old, new, 1)
    return text


def _problems(text: str, folder: Path) -> tuple[str, tuple[DipsatError, ...]]:
    """The path of a map file with this text, and what is wrong with it."""
    path = folder / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DipsatError) as caught:
        load_map(path)
    error = caught.value
    return str(path), error.problems if isinstance(error, ProblemsError) else (error,)


def _blocks(text: str, key: str) -> Iterator[int]:
    """The lines (from 1) of the key and what is indented below it."""
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.strip() == f"{key}:")
    indent = len(lines[start]) - len(lines[start].lstrip())
    yield start + 1
    for at in range(start + 1, len(lines)):
        if len(lines[at]) - len(lines[at].lstrip()) <= indent:
            return
        yield at + 1


def test_the_map_from_which_broken_ones_are_made_is_right() -> None:
    board = parse_map(TINY, "tiny.yaml")
    assert board.army == {"LAN": {"COA"}, "COA": {"LAN"}}
    assert board.fleet == {"COA/NC": {"SEA"}, "COA/SC": {"SEA"}, "SEA": {"COA/NC", "COA/SC"}}
    assert [str(unit) for unit in Position.start(board).units] == ["F COA/NC", "A LAN"]


@pytest.mark.parametrize(
    ("edits", "keys", "word"),
    [pytest.param(*row[1:], id=row[0].replace(" ", "-")) for row in CONTRADICTIONS],
)
def test_a_contradiction_in_a_map_file_is_a_map_error_at_its_place(
    tmp_path: Path, edits: list[tuple[str, str]], keys: tuple[str, ...], word: str
) -> None:
    text = _edited(edits)
    path, problems = _problems(text, tmp_path)
    lines = {line for key in keys for line in _blocks(text, key)}
    there = [p for p in problems if isinstance(p, MapError) and p.line in lines]
    assert there, problems
    assert any(word in problem.problem for problem in there)
    for problem in there:
        width = len(text.splitlines()[problem.line - 1])
        assert 1 <= problem.column <= width
        assert str(problem).startswith(f"{path}:{problem.line}:{problem.column}: ")


@pytest.mark.parametrize(
    ("old", "new", "place", "word"),
    [
        ("powers:", "power:", (5, 1), "powers"),
        ("    supply:", "    suply:", (13, 5), "supply"),
        ("    type: land", "    type: ocean", (12, 11), "ocean"),
        ("    supply: true", "    supply: 3", (13, 13), "true or false"),
        ("    army: [COA]", "    army: COA", (14, 11), "list"),
        ("name: tiny", "victory: many\nname: tiny", (1, 10), "whole number"),
        ("  SEA:", "  LAN:", (22, 3), "duplicate"),
    ],
)
def test_a_wrong_key_or_value_of_a_map_file_is_an_error_at_its_place(
    tmp_path: Path, old: str, new: str, place: tuple[int, int], word: str
) -> None:
    path, (problem, *others) = _problems(_edited([(old, new)]), tmp_path)
    assert isinstance(problem, DocumentError)
    assert not others
    assert (problem.line, problem.column) == place
    assert str(problem).startswith(f"{path}:{place[0]}:{place[1]}: ")
    assert word in problem.problem


@pytest.mark.parametrize(
    ("old", "missing"),
    [("name: tiny\n", "name"), ("    name: Land\n", "name"), ("    type: sea\n", "type")],
)
def test_a_missing_key_of_a_map_file_is_named(tmp_path: Path, old: str, missing: str) -> None:
    path, (problem,) = _problems(_edited([(old, "")]), tmp_path)
    assert isinstance(problem, DocumentError)
    assert repr(missing) in problem.problem
    assert str(problem).startswith(f"{path}:{problem.line}:{problem.column}: ")


def test_all_contradictions_of_a_map_file_are_reported_at_once(tmp_path: Path) -> None:
    text = _edited(
        [(_SEA_FLEET, "fleet: [COA/NC]"), ("home: [LAN]", "home: [SEA]"), ("A LAN", "F LAN")]
    )
    path, problems = _problems(text, tmp_path)
    assert len(problems) == 3
    assert all(isinstance(p, MapError) and p.path == path for p in problems)


def test_a_missing_map_file_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere\.yaml"):
        load_map(tmp_path / "nowhere.yaml")
