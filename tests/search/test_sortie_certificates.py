"""Certificates of lines with sorties: the checker of docs/atlas accepts those of lines that hold,
and nothing that is wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches
from dipsat.cli import main
from dipsat.errors import CertificateError
from dipsat.searches import StalemateLine, borders_of, parse_line
from dipsat.searches.line_certificate import certificate_of
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, parts_of
from tests.oracles import brute_lines
from tests.oracles.brute_lines import Board, Limits, Line
from tests.oracles.brute_sorties import (
    CHECKER,
    Brute,
    Certificate,
    as_plan,
    claim,
    meeting_board,
    passes,
    some_line,
    some_meeting,
    why_not,
)
from tests.pages import blocks
from tests.search.test_small_games import CODES, every_line, line_holds
from tools.small_games.graphs import Borders, maps, members

EXAMPLE = ROOT / "docs" / "examples" / "line-sorties.yaml"
MAP = EXAMPLE.parent / "sorties-map.yaml"
SAYS = "line 1: holds (3 units, 2 of which make sorties, 0 centres)\n"


@cache
def keep() -> Board:
    found: Board = borders_of(dipsat.load_map(MAP))
    return found


@cache
def example() -> str:
    return json.dumps(searches.hold_line(EXAMPLE).certificate())


@pytest.mark.parametrize(
    "command",
    [
        ["hold", str(EXAMPLE)],
        ["lines", "--map", str(MAP), "--power", "own", "--protect", "kee,low,upp", "--outside",
         "nor,sou", "--sorties"],
    ],
)  # fmt: skip
def test_the_commands_write_what_the_checker_accepts(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, borders = tmp_path / "lines.json", tmp_path / "borders.json"
    borders.write_text(json.dumps(keep()), encoding="utf-8")
    done = CliRunner().invoke(main, ["search", *command, "--certificate", str(path), "--json"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(path.read_text(encoding="utf-8")) == [json.loads(example())]
    assert CHECKER["main"](str(borders), str(path)) is False
    assert capsys.readouterr().out == SAYS


def test_the_page_shows_the_certificate() -> None:
    (shown,) = blocks((ROOT / "docs" / "moving-lines.md").read_text(encoding="utf-8"), "json")
    assert json.loads(shown) == json.loads(example())


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
    assert certificate_of(plan(*STATES)) == json.loads(example())


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
def test_a_fleet_goes_out_to_the_coast_that_the_plan_names(coast: str, tmp_path: Path) -> None:
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


def changed(**parts: Any) -> Certificate:
    return {**json.loads(example()), **parts}


def covered(*cover: str) -> Certificate:
    found = changed()
    found["defence"]["KEE"]["cover"] = [*cover]
    return found


def without(key: str) -> Certificate:
    return {name: value for name, value in changed().items() if name != key}


GONE = {"LOW": "SOU", "UPP": "NOR"}
DEFENCE = json.loads('{"KEE": {"attackers": ["NOR", "SOU"], "supporters": [], "cover": ["KEE"]}}')


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (covered(), "A KEE: its cover misses the move from NOR to KEE"),
        (covered("NOR"), "A KEE: its cover misses the move from SOU to KEE"),
        (covered("NOR", "SOU"), "A KEE can be dislodged: 2 against 1"),
        (changed(sorties={**GONE, "LOW": "KEE"}), "A LOW should make its sortie"),
        (changed(sorties={"LOW": "SOU"}), "A UPP should make its sortie, hold"),
        (changed(sorties={**GONE, "NOR": "UPP"}), "not written as a certificate"),
        (changed(sorties={**GONE, "LOW": None}), "A LOW should"),
        (changed(sorties=["LOW", "UPP"]), "not written as a certificate"),
        (changed(sorties={}), "A LOW should make its sortie, hold"),
        (without("sorties"), "A LOW should make its sortie, hold"),
        (changed(orders=["A KEE H", "A LOW - SOU", "A UPP H"]), "A UPP should make its sortie"),
        (changed(orders=["A KEE H", "A LOW - SOU", "A UPP S A KEE"]), "A UPP should"),
        (changed(orders=["A KEE S A LOW", "A LOW - SOU", "A UPP - NOR"]), "A KEE should"),
        (changed(defence={}), "it does not say of each unit that stays"),
        (changed(defence={**DEFENCE, "LOW": DEFENCE["KEE"]}), "and of nothing else"),
    ],
)
def test_a_wrong_certificate_is_refused(bad: Certificate, says: str) -> None:
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
def test_a_sortie_that_is_none_is_refused(
    own: list[str], region: list[str], sorties: dict[str, str], says: str
) -> None:
    line = Line({code: f"A {code}" for code in own}, {}, frozenset(region))
    assert says in why_not(claim(ROW, line, sorties), ROW)
    assert passes(ROW, line, sorties) is not bool(says)


@pytest.mark.parametrize(("out", "back"), [("QQQ", ""), ("", "AAA")])
def test_a_unit_that_can_go_only_one_way_makes_no_sortie(out: str, back: str) -> None:
    board = board_of(AAA=out, QQQ=back, RRR="QQQ")
    found = claim(board, Line({"AAA": "A AAA"}, {}, frozenset()), {"AAA": "QQQ"})
    assert "A AAA cannot go out to QQQ and come back" in why_not(found, board)


def in_json(line: StalemateLine) -> Certificate | None:
    """The certificate of a plan, None if it has none."""
    try:
        found: Certificate = json.loads(json.dumps(certificate_of(line)))
    except CertificateError:
        return None
    return found


# Armies against every order of any number of enemies, by the games of tools/small_games


OTHER_FORM = ("should make its sortie", "goes to", "two of its units")


@pytest.mark.parametrize("boards", parts_of([*maps(4), *maps(5)[::6]], 3))
def test_the_checker_agrees_with_the_games_of_armies(boards: list[Borders]) -> None:
    """Every line of up to three armies on every map. The checker may refuse what holds only if it
    is no line of sorties as it knows them."""
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
def test_the_checker_agrees_with_all_placements_and_orders(seeds: range) -> None:
    """Two enemies of one or two powers; the certificate says that the enemy has no more."""
    seen = set[bool]()
    for seed in seeds:
        dice = random.Random(seed)
        board = brute_lines.random_board(seed, 5)
        for _ in range(40):
            line, sorties = some_line(dice, board, _some_limits(dice, board, 2))
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
        some = some_meeting(dice, board, _some_limits(dice, board, None))
        if some is not None:
            seen.add(_agree(board, *some, 1, 3))
    assert seen == {True, False}


@exhaustive
def test_nothing_is_accepted_that_breaks() -> None:
    """Units go anywhere outside; nothing limits the number of enemies."""
    for seed in range(6):
        dice = random.Random(seed)
        board = brute_lines.random_board(seed, 5)
        for _ in range(40):
            line, sorties = some_line(dice, board, _some_limits(dice, board, None), any_way=True)
            found = in_json(as_plan(board, line, sorties))
            assert (found is not None) is passes(board, line, sorties), (seed, line, sorties)
            assert found is None or not Brute(board, line, sorties).breaks(), (seed, line, sorties)


def _some_limits(dice: random.Random, board: Board, units: int | None) -> Limits:
    codes = sorted(board["kind"])
    some = (frozenset(dice.sample(codes, dice.choice((0, 0, 1)))) for _ in range(2))
    return Limits(units, *some)


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
def test_plans_that_hold_have_certificates(seeds: range) -> None:
    """`hold` says nothing about moves both to a sea and to a coast beside it."""
    seen = set[str]()
    for seed in seeds:
        dice = random.Random(seed)
        board = brute_lines.random_board(seed, dice.choice((5, 6, 7)))
        for _ in range(20):
            limits = _some_limits(dice, board, dice.choice((None, 1, 2, 3)))
            line, sorties = some_line(dice, board, limits)
            if not any(brute_lines.units_in(board, code, limits) for code in board["kind"]):
                continue
            held = searches.hold_line(as_plan(board, line, sorties)) if sorties else None
            if held is None or held.verdict == "unknown":
                continue
            seen.add(held.verdict)
            if held.verdict == "holds":
                assert not why_not(json.loads(json.dumps(held.certificate())), board), seed
            else:
                assert in_json(held.line) is None, seed
    assert seen == {"holds", "breaks"}
