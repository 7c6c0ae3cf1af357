"""Certificates of lines: that of a line which holds passes the checker of docs/atlas, and nothing
that is wrong does."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import networkx
import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st
from networkx.algorithms import bipartite

from dipsat import searches
from dipsat.cli import main
from dipsat.errors import CertificateError
from dipsat.searches import hold_line, parse_line
from dipsat.searches.line_certificate import certificate_of, matching_and_cover
from tests.checkout import ROOT
from tests.exhaustive import parts_of
from tests.oracles import brute_lines
from tests.oracles.brute_lines import Board, Limits, Line
from tests.oracles.brute_sorties import CHECKER as CHECKS, Certificate, as_plan, passes, why_not
from tests.pages import blocks
from tools import atlas_borders

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


def test_the_page_shows_a_certificate() -> None:
    (shown,) = blocks((ROOT / "docs" / "holding-lines.md").read_text(encoding="utf-8"), "json")
    assert json.loads(shown) == json.loads(example("line-turkey"))


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


def test_lines_on_a_map_of_ones_own_are_checked_with_the_borders_that_dipsat_prints(
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


def test_files_of_borders_are_as_the_maps_say() -> None:
    for name in atlas_borders.MAPS:
        file = atlas_borders.FOLDER / f"{name}.json"
        assert file.read_text(encoding="utf-8") == atlas_borders.text_of(name)


def changed(good: Certificate, *path: Any, to: Any = None) -> Certificate:
    """A certificate with another value at a path, or with none."""
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
    """A certificate with another text for a unit, wherever it stands."""
    found: Certificate = json.loads(json.dumps(good).replace(unit, name))
    return found


def is_beside(unit: str, other: str) -> bool:
    """Whether a unit can support another one of the examples where it stands."""
    return other[2:5] in brute_lines.reached(standard(), unit)


def changed_units(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Every unit of the examples is needed."""
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
    """A region that is twice somewhere or too large, wrong centres, limits that are none."""
    for at, where in enumerate(good["region"]):
        yield f"{where} twice", changed(good, "region", to=[*good["region"], where])
        yield f"{where} is not on the board", changed(good, "region", at, to="XXX")
    for where in sorted(standard()["kind"].keys() - set(good["region"])):
        yield f"{where} too", changed(good, "region", to=[*good["region"], where])
    for at in range(len(good["centres"])):
        yield f"centre {at} missing", changed(good, "centres", at)
    yield "one more centre", changed(good, "centres", to=[*good["centres"], "KIE"])
    yield "another map", changed(good, "map", to="fleet_rome")
    for key in ("fleets_not_in", "armies_not_in"):
        for at in range(len(good["enemy"][key])):
            yield f"no limit {key} {at}", changed(good, "enemy", key, at)
        yield f"an unknown limit {key}", changed(good, "enemy", key, to=["XXX"])
        yield f"no list {key}", changed(good, "enemy", key)
    for number in (-1, True, "1", 1.5):
        yield f"{number} enemies", changed(good, "enemy", "units", to=number)


def changed_defence(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Covers of the examples are all as small as can be."""
    yield (
        "defence of nobody",
        changed(good, "defence", "KIE", to=next(iter(good["defence"].values()))),
    )
    for where, defence in good["defence"].items():
        yield f"nothing about {where}", changed(good, "defence", where)
        for key in ("attackers", "supporters"):
            more = [*defence[key], "KIE"]
            yield f"more {key} of {where}", changed(good, "defence", where, key, to=more)
            for at in range(len(defence[key])):
                yield f"{key} {at} of {where} missing", changed(good, "defence", where, key, at)
        for at in range(len(defence["cover"])):
            yield f"cover {at} of {where} missing", changed(good, "defence", where, "cover", at)
        if defence["attackers"]:
            wide = [*defence["cover"], "X", "Y", "Z"]
            yield f"too much covers {where}", changed(good, "defence", where, "cover", to=wide)


def changes(good: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Certificates with one thing changed, so that they are wrong."""
    yield from changed_units(good)
    yield from changed_places(good)
    yield from changed_defence(good)
    for key in good.keys() - {"power"}:
        yield f"{key} missing", changed(good, key)
        yield f"{key} of another type", changed(good, key, to=7)


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
def test_the_checker_answers_files_that_are_none(
    text: str | bytes | None, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "lines.json"
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    check = CHECKS["main"]
    assert says in check(str(atlas_borders.FOLDER / "standard.json"), str(path))


def test_a_certificate_cannot_write_lines_of_the_checker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.loads(example("line-turkey"))
    forged = renamed(good, good["units"][0], "A \\ud800\\nline 2: holds (9 units, 9 centres)")
    path = tmp_path / "lines.json"
    path.write_text(json.dumps([forged]), encoding="utf-8")
    check = CHECKS["main"]
    assert check(str(atlas_borders.FOLDER / "standard.json"), str(path)) is True
    assert capsys.readouterr().out.count("\n") == 1


def some_line(seed: int) -> tuple[Board, Line]:
    """A random line of one to four units on a small random board, closed more often than not."""
    dice = random.Random(seed)
    board = brute_lines.random_board(seed, dice.choice((4, 5, 6)))
    limits = Limits(
        dice.choice((None, None, None, 0, 1, 2, 3)),
        frozenset(dice.sample(sorted(board["kind"]), dice.choice((0, 1, 2)))),
        frozenset(dice.sample(sorted(board["kind"]), dice.choice((0, 0, 1)))),
    )
    while True:
        number = min(dice.choice((1, 2, 3, 4)), len(board["kind"]) - 1)
        own = dice.sample(sorted(board["kind"]), number)
        line = Line(
            {one: dice.choice(brute_lines.units_in(board, one)) for one in own}, {}, frozenset()
        )
        closed = [
            one for one in brute_lines.lines(board, limits, number) if one.units == line.units
        ]
        if closed:
            break
    region = dice.choice(closed).region
    rest = set(board["kind"]) - set(own) - region
    if len(rest) > 1 and dice.random() < 0.1:
        region |= {min(rest)}
    supports: dict[str, str | None] = {}
    for one, unit in line.units.items():
        aims = sorted(brute_lines.reached(board, unit) & set(own))
        supports[one] = dice.choice(aims) if aims and dice.random() < 0.8 else None
    return board, Line(line.units, supports, region, limits)


@pytest.mark.parametrize("seeds", parts_of(range(200), 25))
def test_the_checker_agrees_with_all_placements_and_orders(seeds: range) -> None:
    """Some cover passes for each line that brute force finds to hold, and none for any other; what
    dipsat writes passes, and where it writes nothing, the line breaks."""
    seen = set()
    for seed in seeds:
        board, line = some_line(seed)
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


@pytest.mark.parametrize("seeds", parts_of(range(60), 6))
def test_certificates_exist_where_hold_proves_a_line(seeds: range) -> None:
    for seed in seeds:
        board, line = some_line(seed)
        if not any(brute_lines.units_in(board, one, line.limits) for one in board["kind"]):
            continue
        result = hold_line(as_plan(board, line))
        if result.verdict == "holds":
            assert why_not(json.loads(json.dumps(result.certificate())), board) == "", seed
        else:
            with pytest.raises(CertificateError, match="only lines that hold"):
                result.certificate()
            with pytest.raises(CertificateError):
                certificate_of(result.line)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("units: [A GAL]\nbehind: [BUD]", "from RUM to BUD"),
        ("units: [A GAL]\nbehind: [GAL]", "A GAL has 0 supports, and enemies can attack it from"),
    ],
)
def test_without_a_certificate_the_error_says_what_breaks_the_line(text: str, says: str) -> None:
    with pytest.raises(CertificateError, match=says):
        certificate_of(parse_line(text, "line.yaml"))


@pytest.mark.parametrize(
    ("text", "exits", "says", "left"),
    [
        ("units: [F CON]\nprotect: [ANK]", 1, "no certificate: the line breaks", "[]\n"),
        ("units: [F CON]\nprotct: [ANK]", 2, "did you mean 'protect'?", "of another line"),
    ],
)
def test_a_file_of_certificates_is_replaced_only_by_an_answer(
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


@settings(max_examples=50)
@given(LINKS)
def test_a_cover_is_that_of_networkx_and_as_small_as_the_matching(
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
