"""Certificates of lines that stay or make sorties: the checker of docs/atlas accepts those of lines
that hold, and no wrong ones."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import networkx
import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st
from networkx.algorithms import bipartite

import dipsat
from dipsat import searches
from dipsat.cli import main
from dipsat.errors import CertificateError
from dipsat.searches import StalemateLine, borders_of, parse_line
from dipsat.searches.line_certificate import certificate_of, matching_and_cover
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, parts_of
from tests.oracles import brute_lines
from tests.oracles.brute_lines import Board, Line
from tests.oracles.brute_sorties import (
    CHECKER as CHECKS,
    Brute,
    Certificate,
    as_plan,
    claim,
    meeting_board,
    passes,
    some_limits,
    some_line,
    some_meeting,
    why_not,
)
from tests.pages import blocks, page
from tests.search.test_small_games import CODES, every_line, line_holds
from tools import atlas_borders
from tools.small_games.graphs import Borders, maps, members

CHECKER = ROOT / "docs" / "atlas" / "check_lines.py"
EXAMPLES = ROOT / "docs" / "examples"
HOLDING = ("line-south", "line-south-open", "line-turkey")


@cache
def standard() -> Board:
    text = (atlas_borders.FOLDER / "standard.json").read_text(encoding="utf-8")
    found: Board = json.loads(text)
    return found


@cache
def example(name: str) -> str:
    line = searches.hold_line(EXAMPLES / f"{name}.yaml")
    return json.dumps(line.certificate())


@pytest.mark.parametrize("name", HOLDING)
def test_certificates_of_the_examples_pass(name: str) -> None:
    assert why_not(json.loads(example(name)), standard()) == ""


@pytest.mark.parametrize(
    ("name", "line"), [("holding-lines", "line-turkey"), ("moving-lines", "line-sorties")]
)
def test_the_page_shows_a_certificate(name: str, line: str) -> None:
    (shown,) = blocks(page(f"docs/{name}.md"), "json")
    assert json.loads(shown) == json.loads(example(line))


def test_the_command_writes_what_the_checker_reads_without_dipsat(tmp_path: Path) -> None:
    names = ["line-south", "line-turkey-short", "line-turkey"]
    files = [str(EXAMPLES / f"{name}.yaml") for name in names]
    path = tmp_path / "lines.json"
    done = CliRunner().invoke(main, ["search", "hold", *files, "--certificate", str(path)])
    assert done.exit_code == 1
    borders = str(atlas_borders.FOLDER / "standard.json")
    command = [sys.executable, "-I", "-S", str(CHECKER), borders, str(path)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.splitlines() == [
        "line 1: holds (10 units, 15 centres)",
        "line 2: holds (2 units, 3 centres) if the enemy has no fleets in AEG, BLA, EAS",
    ]
    path.write_text(path.read_text(encoding="utf-8").replace('"A BUD",', ""), encoding="utf-8")
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 1
    assert checked.stdout.startswith("line 1: REFUSED, ")


def test_lines_on_an_own_map_are_checked_with_the_borders_that_dipsat_prints(
    tmp_path: Path,
) -> None:
    borders, lines = tmp_path / "borders.json", tmp_path / "lines.json"
    run = CliRunner().invoke
    shown = run(main, ["maps", "show", str(EXAMPLES / "sorties-map.yaml"), "--borders"])
    borders.write_text(shown.stdout, encoding="utf-8")
    line = str(EXAMPLES / "line-sorties.yaml")
    assert run(main, ["search", "hold", line, "--certificate", str(lines)]).exit_code == 0
    command = [sys.executable, "-I", "-S", str(CHECKER), str(borders), str(lines)]
    checked = subprocess.run(command, capture_output=True, text=True, check=True)
    said = "line 1: holds (3 units, 2 of which make sorties, 0 centres)"
    assert checked.stdout.splitlines() == [said]


@pytest.mark.filterwarnings("ignore:Exception ignored:pytest.PytestUnraisableExceptionWarning")
def test_borders_are_those_of_another_program() -> None:
    from diplomacy import Map

    theirs, board = Map("standard"), standard()
    places = {one for one in theirs.locs if one.isupper()}
    land = {one for one in places if theirs.loc_type[one] in ("LAND", "COAST", "PORT")}
    assert {code for code, kind in board["kind"].items() if kind != "sea"} == {
        one[:3] for one in land
    }
    assert board["centres"] == sorted(theirs.scs)
    for way, kind, among in (("army", "A", {one[:3] for one in land}), ("fleet", "F", places)):
        found = {}
        for one in among:
            near = {to for to in among if theirs.abuts(kind, one, "-", to)}
            if kind == "A" or theirs.loc_type[one] != "LAND":
                found[one] = sorted(near)
        assert {one: near for one, near in found.items() if near} == board[way]


def test_files_of_borders_match_the_maps() -> None:
    for name in atlas_borders.MAPS:
        file = atlas_borders.FOLDER / f"{name}.json"
        assert file.read_text(encoding="utf-8") == atlas_borders.text_of(name)


def changed(good: Certificate, *path: Any, to: Any = None) -> Certificate:
    """A certificate with another value at a path, or with the value removed."""
    found = copy.deepcopy(good)
    there: Any = found
    for key in path[:-1]:
        there = there[key]
    if to is None:
        del there[path[-1]]
    else:
        there[path[-1]] = to
    return found


def renamed(good: Certificate, unit: str, name: str) -> Certificate:
    """A certificate with another text for a unit, wherever the unit is named."""
    found: Certificate = json.loads(json.dumps(good).replace(unit, name))
    return found


def is_beside(unit: str, other: str) -> bool:
    """Whether a unit can support another unit of the examples where that unit is."""
    return other[2:5] in brute_lines.reached(standard(), unit)


def changed_units(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Certificates with changed units. Every unit of the examples is needed."""
    for at, unit in enumerate(good["units"]):
        without = changed(good, "units", at)
        del without["orders"][at], without["defence"][unit[2:5]]
        yield f"without {unit}", without
        inside = copy.deepcopy(without)
        inside["region"].append(unit[2:5])
        yield f"{unit} as region", inside
        yield f"{unit} twice", changed(good, "units", to=[*good["units"], unit])
        yield f"{unit} elsewhere", changed(good, "units", at, to=f"{unit[0]} KIE")
        yield f"{unit} of no kind", changed(good, "units", at, to=f"X {unit[2:]}")
        yield f"no order for {unit}", changed(good, "orders", at)
        twice = changed(good, "units", to=[*good["units"], unit])
        twice["orders"].append(good["orders"][at])
        yield f"{unit} twice with its order", twice
        for order in (f"{unit} - KIE", f"{unit} S A KIE", f"{unit} S", f"{unit} C {unit}", ""):
            yield order, changed(good, "orders", at, to=order)
        other = f"{'F' if unit[0] == 'A' else 'A'} {unit[2:]}"
        if other not in brute_lines.units_in(standard(), unit[2:5]):
            yield f"{unit} as {other}", renamed(good, unit, other)
        yield f"{unit} written otherwise", renamed(good, unit, unit.replace(" ", "_"))
        for aim in good["units"]:
            if unit == aim or not is_beside(unit, aim):
                said = changed(good, "orders", at, to=f"{unit} S {aim}")
                said["defence"][aim[2:5]]["supporters"].append(unit[2:5])
                said["defence"][aim[2:5]]["cover"].append(unit[2:5])
                yield f"{unit} supports {aim}", said
        if " S " in good["orders"][at]:
            yield f"{unit} only holds", changed(good, "orders", at, to=f"{unit} H")


def changed_places(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Certificates with too large a region or too many centres, another map, or invalid limits."""
    for where in sorted(standard()["kind"]):
        yield f"{where} too", changed(good, "region", to=[*good["region"], where])
    yield "one more centre", changed(good, "centres", to=[*good["centres"], "KIE"])
    yield "another map", changed(good, "map", to="fleet_rome")
    for key in ("fleets_not_in", "armies_not_in"):
        yield f"no list {key}", changed(good, "enemy", key)
    for number in (-1, True, "1", 1.5):
        yield f"{number} enemies", changed(good, "enemy", "units", to=number)


def changed_lists(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Lists without an entry, or with an unknown one. All entries of the examples are needed."""
    paths: list[tuple[str, ...]] = [("region",), ("centres",)]
    paths += [("enemy", key) for key in ("fleets_not_in", "armies_not_in")]
    paths += [("defence", at, key) for at, one in good["defence"].items() for key in one]
    for path in paths:
        entries: Any = good
        for key in path:
            entries = entries[key]
        for at, entry in enumerate(entries):
            yield f"{path} without {entry}", changed(good, *path, at)
        if path[-1] != "cover" or good["defence"][path[1]]["attackers"]:
            more = ["X", "Y", "Z"] if path[-1] == "cover" else ["XXX"]
            yield f"{path} with {more}", changed(good, *path, to=[*entries, *more])


def changed_defence(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    some = next(iter(good["defence"].values()))
    yield "defence of nobody", changed(good, "defence", "KIE", to=some)
    for where, defence in good["defence"].items():
        yield f"nothing about {where}", changed(good, "defence", where)
        for key in ("attackers", "supporters"):
            more = [*defence[key], "KIE"]
            yield f"more {key} of {where}", changed(good, "defence", where, key, to=more)


def changes(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Certificates that one change makes wrong."""
    yield from changed_units(good)
    yield from changed_places(good)
    yield from changed_defence(good)
    yield from changed_lists(good)
    for key in good.keys() - {"power"}:
        yield f"{key} missing", changed(good, key)
        yield f"{key} of another type", changed(good, key, to=7)


@exhaustive
@pytest.mark.parametrize("name", ["line-south", "line-turkey"])
def test_every_change_that_makes_a_certificate_wrong_is_refused(name: str) -> None:
    good = json.loads(example(name))
    found = {what: why_not(bad, standard()) for what, bad in changes(good)}
    assert [what for what, fault in found.items() if not fault] == []


def test_a_certificate_without_its_lists_is_refused() -> None:
    strange: list[Any] = [None, 7, [], {}, {"units": ["A"]}, {"units": [7]}, "text"]
    for odd in strange:
        assert why_not(odd, standard())


def test_the_checker_says_under_which_limits_a_line_holds() -> None:
    good = json.loads(example("line-south"))
    proven = CHECKS["proven"]
    assert why_not(changed(good, "enemy", "units", to=3), standard()) == ""
    limited = changed(good, "enemy", to={"units": 0, "fleets_not_in": [], "armies_not_in": ["GAL"]})
    assert proven(limited).endswith(" if the enemy has at most 0 units and no armies in GAL")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cannot be read"),
        (b"\xff", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ("[" + "9" * 5_000 + "]", "cannot be read"),
        ('[{"enemy": {"units": 1, "units": null}}]', "key twice"),
        ("{}", "a list of certificates"),
        ("[]", "lists no certificates"),
        ("7", "a list of certificates"),
        (None, "cannot be read"),
    ],
)
def test_the_checker_reports_files_that_are_not_certificates(
    text: str | bytes | None, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "lines.json"
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    check = CHECKS["main"]
    assert says in check(str(atlas_borders.FOLDER / "standard.json"), str(path))


def test_a_certificate_cannot_forge_lines_of_the_checkers_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.loads(example("line-turkey"))
    forged = renamed(good, good["units"][0], "A \\ud800\\nline 2: holds (9 units, 9 centres)")
    path = tmp_path / "lines.json"
    path.write_text(json.dumps([forged]), encoding="utf-8")
    check = CHECKS["main"]
    assert check(str(atlas_borders.FOLDER / "standard.json"), str(path)) is True
    assert capsys.readouterr().out.count("\n") == 1


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(40), 5))
def test_the_checker_agrees_with_all_placements_and_orders(seeds: range) -> None:
    """Some cover passes for each line that brute force finds to hold, and none for any other; what
    dipsat writes passes, and the line breaks where dipsat writes nothing."""
    seen = set()
    for seed, turn in product(seeds, range(10)):
        dice = random.Random(10 * seed + turn)
        board = brute_lines.random_board(seed, dice.choice((4, 5, 6)))
        line, _ = some_line(
            dice, board, some_limits(dice, board, dice.choice((None, None, 0, 1, 2, 3)))
        )
        broken = brute_lines.breaks(board, line)
        assert passes(board, line, {}) is not broken, seed
        if broken:
            with pytest.raises(CertificateError) as caught:
                certificate_of(as_plan(board, line))
            assert caught.value.province in {*line.units, *line.region}
        else:
            found = certificate_of(as_plan(board, line))
            assert why_not(json.loads(json.dumps(found)), board) == "", seed
        seen.add(broken)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("units: [A GAL]\nbehind: [BUD]", "from RUM to BUD"),
        ("units: [A GAL]\nbehind: [GAL]", "A GAL has 0 supports, and enemies can attack it from"),
    ],
)
def test_the_error_without_a_certificate_says_what_breaks_the_line(text: str, says: str) -> None:
    with pytest.raises(CertificateError, match=says):
        certificate_of(parse_line(text, "line.yaml"))


@pytest.mark.parametrize(
    ("text", "exits", "says", "left"),
    [
        ("units: [F CON]\nprotect: [ANK]", 1, "no certificate: the line breaks", "[]\n"),
        ("units: [F CON]\nprotct: [ANK]", 2, "did you mean 'protect'?", "of another line"),
    ],
)
def test_only_an_answer_replaces_a_file_of_certificates(
    text: str, exits: int, says: str, left: str, tmp_path: Path
) -> None:
    line, path = tmp_path / "line.yaml", tmp_path / "lines.json"
    line.write_text(text, encoding="utf-8")
    path.write_text("of another line", encoding="utf-8")
    done = CliRunner().invoke(main, ["search", "hold", str(line), "--certificate", str(path)])
    assert (done.exit_code, path.read_text(encoding="utf-8")) == (exits, left)
    assert says in done.stderr


def test_a_line_that_moves_has_no_certificate(tmp_path: Path) -> None:
    file, path = str(EXAMPLES / "line-triangle.yaml"), tmp_path / "lines.json"
    with pytest.raises(CertificateError, match="only lines whose units stay or make sorties"):
        searches.hold_line(file).certificate()
    done = CliRunner().invoke(main, ["search", "hold", file, "--certificate", str(path)])
    assert (done.exit_code, path.read_text(encoding="utf-8")) == (0, "[]\n")
    assert "no certificate: only lines whose units stay or make sorties have one" in done.stderr


# König's theorem


LINKS = st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("uvwxyz")))


@exhaustive
@settings(max_examples=50)
@given(LINKS)
def test_a_cover_equals_that_of_networkx_and_is_as_small_as_the_matching(
    links: dict[str, set[str]],
) -> None:
    matching, cover = matching_and_cover(links)
    assert all(other in links[one] for one, other in matching.items())
    assert len({*matching.values()}) == len(matching) == len(cover)
    assert all(one in cover or other in cover for one in links for other in links[one])
    graph = networkx.Graph([(one, other) for one in links for other in links[one]])
    left = [one for one in links if one in graph]
    theirs = bipartite.to_vertex_cover(graph, bipartite.hopcroft_karp_matching(graph, left), left)
    assert cover == tuple(sorted(theirs))


MAP = EXAMPLES / "sorties-map.yaml"


@cache
def keep() -> Board:
    found: Board = borders_of(dipsat.load_map(MAP))
    return found


def test_a_search_writes_what_the_checker_accepts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, borders = tmp_path / "lines.json", tmp_path / "borders.json"
    borders.write_text(json.dumps(keep()), encoding="utf-8")
    asked = [
        "--map",
        str(MAP),
        "--power",
        "own",
        "--protect",
        "kee,low,upp",
        "--outside",
        "nor,sou",
    ]
    command = ["search", "lines", *asked, "--sorties", "--certificate", str(path), "--json"]
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(path.read_text(encoding="utf-8")) == [json.loads(example("line-sorties"))]
    assert CHECKS["main"](str(borders), str(path)) is False
    assert (
        capsys.readouterr().out == "line 1: holds (3 units, 2 of which make sorties, 0 centres)\n"
    )


def plan(*states: str) -> StalemateLine:
    heads = [f"map: {MAP}", "power: OWN", "protect: [KEE, UPP, LOW]", "outposts: [NOR, SOU]"]
    return parse_line("\n".join([*heads, "states:", *(f"  - {one}" for one in states)]), "x.yaml")


STATES = (
    "{units: [A KEE, A NOR, A SOU], orders: [A NOR - UPP, A SOU - LOW]}",
    "{units: [A KEE, A NOR, A LOW], orders: [A NOR - UPP, A LOW - SOU]}",
    "{units: [A KEE, A UPP, A LOW], orders: [A UPP - NOR, A LOW - SOU]}",
    "{units: [A KEE, A UPP, A SOU], orders: [A UPP - NOR, A SOU - LOW]}",
)


def test_the_order_of_the_states_does_not_matter() -> None:
    assert certificate_of(plan(*STATES)) == json.loads(example("line-sorties"))


@pytest.mark.parametrize(
    "states",
    [
        STATES[:3],
        (STATES[0].replace("A NOR - UPP", "A NOR H"), *STATES[1:]),
        (*STATES, STATES[2].replace("- NOR", "- NOR, A KEE S A UPP - NOR")),
    ],
)
def test_other_plans_have_no_certificate(states: tuple[str, ...]) -> None:
    with pytest.raises(CertificateError, match="only lines whose units stay or make sorties"):
        certificate_of(plan(*states))


def test_a_plan_of_one_state_in_which_nobody_moves_is_a_line_that_stays() -> None:
    text = "units: [A UPP, A LOW]\nprotect: [UPP, LOW]"
    heads = f"map: {MAP}\npower: OWN\n"
    stays = parse_line(heads + text, "x.yaml")
    moves = parse_line(f"{heads}protect: [UPP, LOW]\nstates: [{{units: [A UPP, A LOW]}}]", "x.yaml")
    assert moves.plan
    assert certificate_of(moves) == certificate_of(stays)
    assert "sorties" not in certificate_of(stays)


HARBOUR = """
name: harbour
powers: {OWN: {}, ENEMY: {}}
coasts: {NC: [north coast], SC: [south coast]}
provinces:
  HOM: {name: Home, type: coast, army: [CAP], fleet: [CAP/NC, CAP/SC]}
  CAP: {name: Cape, type: coast, army: [HOM, END], fleet: {NC: [HOM], SC: [HOM, OUT]}}
  END: {name: End, type: land, army: [CAP]}
  OUT: {name: Out, type: sea, fleet: [CAP/SC]}
"""


@pytest.mark.parametrize("coast", ["NC", "SC"])
def test_a_fleet_goes_to_the_coast_that_the_plan_names(coast: str, tmp_path: Path) -> None:
    file = tmp_path / "harbour.yaml"
    file.write_text(HARBOUR, encoding="utf-8")
    held = searches.hold_line(
        parse_line(
            f"map: {file}\npower: OWN\nprotect: [HOM]\noutposts: [CAP]\nstates:\n"
            f"  - {{units: [F HOM], orders: [F HOM - CAP/{coast}]}}\n"
            f"  - {{units: [F CAP/{coast}], orders: [F CAP/{coast} - HOM]}}\n",
            "x.yaml",
        )
    )
    found = held.certificate()
    assert found["sorties"] == {"HOM": f"CAP/{coast}"}
    assert why_not(found, borders_of(held.line.map)) == ""


def with_parts(**parts: Any) -> Certificate:
    return {**json.loads(example("line-sorties")), **parts}


def covered(*cover: str) -> Certificate:
    found = with_parts()
    found["defence"]["KEE"]["cover"] = [*cover]
    return found


def without(key: str) -> Certificate:
    return {name: value for name, value in with_parts().items() if name != key}


GONE = {"LOW": "SOU", "UPP": "NOR"}
DEFENCE = json.loads('{"KEE": {"attackers": ["NOR", "SOU"], "supporters": [], "cover": ["KEE"]}}')


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (covered(), "A KEE: its cover misses the move from NOR to KEE"),
        (covered("NOR"), "A KEE: its cover misses the move from SOU to KEE"),
        (covered("NOR", "SOU"), "A KEE can be dislodged: 2 against 1"),
        (with_parts(sorties={**GONE, "LOW": "KEE"}), "A LOW should make its sortie"),
        (with_parts(sorties={"LOW": "SOU"}), "A UPP should make its sortie, hold"),
        (with_parts(sorties={**GONE, "NOR": "UPP"}), "not written as a certificate"),
        (with_parts(sorties={**GONE, "LOW": None}), "A LOW should"),
        (with_parts(sorties=["LOW", "UPP"]), "not written as a certificate"),
        (with_parts(sorties={}), "A LOW should make its sortie, hold"),
        (without("sorties"), "A LOW should make its sortie, hold"),
        (with_parts(orders=["A KEE H", "A LOW - SOU", "A UPP H"]), "A UPP should make its sortie"),
        (with_parts(orders=["A KEE H", "A LOW - SOU", "A UPP S A KEE"]), "A UPP should"),
        (with_parts(orders=["A KEE S A LOW", "A LOW - SOU", "A UPP - NOR"]), "A KEE should"),
        (with_parts(defence={}), "it does not say of each unit that stays"),
        (with_parts(defence={**DEFENCE, "LOW": DEFENCE["KEE"]}), "and of nothing else"),
    ],
)
def test_a_wrong_certificate_of_sorties_is_refused(bad: Certificate, says: str) -> None:
    assert says in why_not(bad, keep())


def board_of(**borders: str) -> Board:
    """A board of inland provinces."""
    army = {code: near.split() for code, near in borders.items()}
    kind = dict.fromkeys(borders, "land")
    return {"map": "small", "kind": kind, "centres": [], "army": army, "fleet": {}}


ROW = board_of(AAA="QQQ RRR", BBB="QQQ", QQQ="AAA BBB RRR", RRR="AAA QQQ")
"""An enemy can enter AAA from QQQ and RRR, and BBB from QQQ."""


@pytest.mark.parametrize(
    ("own", "region", "sorties", "says"),
    [
        (["AAA"], [], {"AAA": "QQQ"}, "A AAA goes to QQQ, but an enemy can enter AAA from RRR"),
        (["AAA", "BBB", "RRR"], [], {"AAA": "QQQ", "BBB": "QQQ"}, "two of its units go to one"),
        (["AAA", "BBB", "QQQ"], [], {"AAA": "QQQ"}, "A AAA cannot go out to QQQ"),
        (["BBB"], ["QQQ"], {"BBB": "QQQ"}, "A BBB cannot go out to QQQ and come back"),
        (["BBB"], [], {"BBB": "RRR"}, "A BBB cannot go out to RRR and come back"),
        (["BBB"], [], {"BBB": "QQQ"}, ""),
        (["AAA", "RRR"], [], {"AAA": "QQQ"}, ""),
    ],
)
def test_an_impossible_sortie_is_refused(
    own: list[str], region: list[str], sorties: dict[str, str], says: str
) -> None:
    line = Line({code: f"A {code}" for code in own}, {}, frozenset(region))
    assert says in why_not(claim(ROW, line, sorties), ROW)
    assert passes(ROW, line, sorties) is not bool(says)


@pytest.mark.parametrize(("out", "back"), [("QQQ", ""), ("", "AAA")])
def test_a_unit_that_cannot_come_back_makes_no_sortie(out: str, back: str) -> None:
    board = board_of(AAA=out, QQQ=back, RRR="QQQ")
    found = claim(board, Line({"AAA": "A AAA"}, {}, frozenset()), {"AAA": "QQQ"})
    assert "A AAA cannot go out to QQQ and come back" in why_not(found, board)


def in_json(line: StalemateLine) -> Certificate | None:
    """The certificate of a plan, or None."""
    try:
        found: Certificate = json.loads(json.dumps(certificate_of(line)))
    except CertificateError:
        return None
    return found


# Armies against every order of any number of enemies, by the games of tools/small_games


OTHER_FORM = ("should make its sortie", "goes to", "two of its units")


@exhaustive
@pytest.mark.parametrize("boards", parts_of([*maps(4), *maps(5)[::6]], 3))
def test_the_checker_agrees_with_the_games_of_armies(boards: list[Borders]) -> None:
    """Every line of up to three armies on every map. The checker may refuse a line that holds only
    if it is not a line with sorties as it defines them."""
    seen = set[tuple[bool, bool]]()
    for borders in boards:
        everywhere = (1 << len(borders)) - 1
        codes = CODES[: len(borders)]
        near = (" ".join(codes[to] for to in members(some)) for some in borders)
        board = board_of(**dict(zip(codes, near, strict=True)))
        for own, closed in product(range(1, everywhere), repeat=2):
            if own & ~closed or own.bit_count() > 3:
                continue
            for supports, sorties in every_line(borders, own, closed):
                line = Line(
                    {codes[at]: f"A {codes[at]}" for at in members(own)},
                    {codes[at]: codes[to] for at, to in supports.items()},
                    frozenset(codes[at] for at in members(closed & ~own)),
                )
                goals = {codes[at]: codes[to] for at, to in sorties.items()}
                holds = line_holds(borders, own, closed, supports, sorties)
                accepted = passes(board, line, goals)
                fault = why_not(claim(board, line, goals), board)
                known = not any(words in fault for words in OTHER_FORM)
                assert accepted is (holds and known), (borders, line, goals)
                seen.add((accepted, known))
    assert seen == {(True, True), (False, True), (False, False)}


# Armies and fleets, coasts and seas, against every order of a few enemies


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(6), 2))
def test_the_checker_agrees_with_all_orders_against_sorties(seeds: range) -> None:
    """Two enemies of one or two powers; the certificate says that the enemy has no more."""
    seen = set[bool]()
    for seed in seeds:
        dice = random.Random(seed)
        board = brute_lines.random_board(seed, 5)
        for _ in range(40):
            line, sorties = some_line(dice, board, some_limits(dice, board, 2))
            if sorties:
                seen.add(_agree(board, line, sorties, 1 + seed % 2, 2))
    assert seen == {True, False}


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(12), 4))
def test_the_checker_agrees_where_sorties_help_supports(seeds: range) -> None:
    """Four units against every order of enemies in all three provinces outside."""
    seen = set[bool]()
    for seed in seeds:
        dice = random.Random(seed)
        board = meeting_board(seed)
        some = some_meeting(dice, board, some_limits(dice, board, None))
        if some is not None:
            seen.add(_agree(board, *some, 1, 3))
    assert seen == {True, False}


@exhaustive
def test_the_checker_accepts_no_line_that_breaks() -> None:
    """Units may go anywhere outside, and nothing limits the number of enemies."""
    for seed in range(6):
        dice = random.Random(seed)
        board = brute_lines.random_board(seed, 5)
        for _ in range(40):
            line, sorties = some_line(dice, board, some_limits(dice, board, None), any_way=True)
            found = in_json(as_plan(board, line, sorties))
            assert (found is not None) is passes(board, line, sorties), (seed, line, sorties)
            assert found is None or not Brute(board, line, sorties).breaks(), (seed, line, sorties)


def _agree(board: Board, line: Line, sorties: Mapping[str, str], powers: int, most: int) -> bool:
    """Whether a line holds, as brute force, the checker and dipsat's certificates agree."""
    holds = not Brute(board, line, sorties, powers, most).breaks()
    found = in_json(as_plan(board, line, sorties))
    assert passes(board, line, sorties) is holds, (line, sorties)
    assert (found is not None) is holds, (line, sorties)
    assert found is None or not why_not(found, board), (line, sorties)
    return holds


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(8), 2))
def test_lines_that_hold_have_certificates(seeds: range) -> None:
    """`hold` says nothing about moves both to a sea and to a coast beside it."""
    seen = set[str]()
    for seed in seeds:
        dice = random.Random(seed)
        board = brute_lines.random_board(seed, dice.choice((5, 6, 7)))
        for _ in range(20):
            limits = some_limits(dice, board, dice.choice((None, 1, 2, 3)))
            line, sorties = some_line(dice, board, limits)
            if not any(brute_lines.units_in(board, code, limits) for code in board["kind"]):
                continue
            held = searches.hold_line(as_plan(board, line, sorties))
            if held.verdict == "unknown":
                continue
            seen.add(held.verdict)
            if held.verdict == "holds":
                assert not why_not(json.loads(json.dumps(held.certificate())), board), seed
            else:
                assert in_json(held.line) is None, seed
                with pytest.raises(CertificateError, match="only lines that hold"):
                    held.certificate()
    assert seen == {"holds", "breaks"}
