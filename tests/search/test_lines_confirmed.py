"""The fewest units of a line: the search, the second statement and brute force agree, and proofs
are confirmed by checkers that know nothing of lines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import QuestionError
from dipsat.searches import CONFIRMED, REFUTED, Lines, confirm_fewest, find_lines
from dipsat.searches.line_confirmation import CLAUSES, PROOF, UNKNOWN
from tests.exhaustive import exhaustive, parts_of
from tests.oracles import brute_lines
from tests.oracles.brute_lines import NO_LIMITS, Limits


def random_limits(seed: int, board: brute_lines.Board) -> Limits:
    dice = random.Random(seed)
    if dice.random() < 0.4:
        return NO_LIMITS
    return Limits(
        dice.choice((None, 0, 1, 2, 3, 4)),
        frozenset(dice.sample(sorted(board["kind"]), dice.choice((0, 1, 3)))),
        frozenset(dice.sample(sorted(board["kind"]), dice.choice((0, 1)))),
    )


def asked(board: dipsat.Map, centres: int, limits: Limits) -> Lines:
    return Lines(
        centres=centres,
        enemy_units=limits.units,
        fleets_not_in=tuple(sorted(limits.fleets_not_in)),
        armies_not_in=tuple(sorted(limits.armies_not_in)),
        map=board,
    )


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(20), 5))
def test_the_smallest_self_sufficient_line_is_that_of_brute_force(seeds: range) -> None:
    for seed in seeds:
        board = brute_lines.random_board(seed, 5 + seed % 2)
        most = len(board["centres"]) // 2  # one more wins
        fewest = brute_lines.fewest(board, NO_LIMITS)
        fed = [units for held, units in fewest.items() if units <= held and 1 <= held <= most]
        question = Lines(self_sufficient=True, map=brute_lines.as_map(board))
        assert find_lines(question).fewest == min(fed, default=None), seed
        assert confirm_fewest(question, min(fed, default=None)).verdict == CONFIRMED, seed


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(8), 1))
def test_the_fewest_units_are_those_of_brute_force(seeds: range) -> None:
    for seed in seeds:
        board = brute_lines.random_board(seed, 5 + seed % 3)
        limits = random_limits(seed, board)
        read, fewest = brute_lines.as_map(board), brute_lines.fewest(board, limits)
        for centres in range(1, len(board["centres"]) + 1):
            question = asked(read, centres, limits)
            least = fewest.get(centres)
            found = find_lines(question)
            assert (found.verdict, found.fewest) == (
                ("impossible", None) if least is None else ("found", least)
            ), (seed, centres)
            assert confirm_fewest(question, least).verdict == CONFIRMED, (seed, centres)
            if least is not None:
                refuted = confirm_fewest(question, least + 1)
                assert (refuted.verdict, len(refuted.units)) == (REFUTED, least), (seed, centres)


def some_question(seed: int) -> Lines:
    """A question about a small board, with some options that brute force does not support."""
    dice = random.Random(seed)
    board = brute_lines.random_board(seed, 7)
    read, limits = brute_lines.as_map(board), random_limits(seed + 1, board)
    question = asked(read, dice.choice((1, 2, 3)), limits)
    kept, *others = dice.sample(sorted(board["kind"]), 3)
    unit = dice.choice(brute_lines.units_in(board, kept))
    aims = [one for one in sorted(brute_lines.reached(board, unit)) if one != kept]
    changes: list[dict[str, Any]] = [
        {"protect": (kept,)},
        {"outside": (kept,), "protect": (others[0],), "centres": None},
        {"centres": tuple(board["centres"][:2])},
        {"given": (unit,)},
        {"orders": (f"{unit} S {dice.choice(aims)}" if aims else f"{unit} H",)},
        {"orders": (f"{unit} H",)},
        {"armies": dice.choice((0, 1)), "fleets": dice.choice((1, 2))},
        {"self_sufficient": True},
        {"fleets_arrive": True},
    ]
    return replace(question, **changes[seed % len(changes)])


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(18), 3))
def test_both_statements_agree_about_every_option(seeds: range) -> None:
    seen = set()
    for seed in seeds:
        question = some_question(seed)
        try:
            found = find_lines(question)
        except QuestionError:  # it cannot hold this many centres
            continue
        seen.add(found.verdict)
        assert confirm_fewest(question, found.fewest).verdict == CONFIRMED, seed
        if found.fewest is not None:
            refuted = confirm_fewest(question, found.fewest + 1)
            assert (refuted.verdict, len(refuted.units)) == (REFUTED, found.fewest), seed
    assert "found" in seen


@exhaustive
def test_both_statements_agree_about_fleets_that_arrive() -> None:
    question = Lines(protect=("ANK", "CON", "SMY"), fleets_arrive=True, enemies=("ITALY",))
    found = find_lines(question)
    assert confirm_fewest(question, found.bound).verdict == CONFIRMED
    assert len(confirm_fewest(question, found.bound + 1).units) == found.fewest


@cache
def small() -> tuple[Lines, int]:
    """A question about a small board, and the fewest units by brute force."""
    board = brute_lines.random_board(1, 7)
    return Lines(centres=3, map=brute_lines.as_map(board)), brute_lines.fewest(board)[3]


@exhaustive
def test_proofs_are_confirmed_step_by_step() -> None:
    question, least = small()
    files = confirm_fewest(question, least, with_proof=True).files
    clauses = clauses_of(files[CLAUSES])
    assert len(files[PROOF].splitlines()) > 3
    assert follows(clauses, files[PROOF])
    assert not follows(clauses[:-20], files[PROOF])
    assert not follows(clauses, "0\n")


def clauses_of(text: str) -> list[tuple[int, ...]]:
    lines = [line for line in text.splitlines() if line[:1] not in "cp"]
    return [tuple(map(int, line.split()))[:-1] for line in lines]


def follows(clauses: Sequence[tuple[int, ...]], proof: str) -> bool:
    """Whether each clause of a proof follows from those before it by unit propagation, and the last
    one is empty."""
    known = list(clauses)
    for line in proof.splitlines():
        if line.startswith("d"):
            continue
        lemma = tuple(map(int, line.split()))[:-1]
        if not refuted({-one for one in lemma}, known):
            return False
        known.append(lemma)
    return not known[-1]


def refuted(true: set[int], clauses: Sequence[tuple[int, ...]]) -> bool:
    """Whether unit propagation from some literals contradicts the clauses."""
    while True:
        before = len(true)
        for clause in clauses:
            left = [one for one in clause if -one not in true]
            if not left:
                return True
            if len(left) == 1:
                true.add(left[0])
        if len(true) == before:
            return False


@pytest.mark.extra
def test_another_program_confirms_the_proof() -> None:
    dratify = pytest.importorskip("dratify", reason="the extra proof-test is not installed")
    question, least = small()
    files = confirm_fewest(question, least, with_proof=True).files
    formula = dratify.parse_dimacs(files[CLAUSES])
    assert dratify.check_proof(formula, files[PROOF]).ok
    assert not dratify.check_proof(formula, "0\n").ok


TABLE = {5: 12, 15: 10}
"""Centres -> the fewest units, as another program found them with the solver CP-SAT."""


@exhaustive
@pytest.mark.parametrize(("centres", "fewest"), TABLE.items())
def test_z3_confirms_what_another_program_found(centres: int, fewest: int) -> None:
    assert confirm_fewest(Lines(centres=centres), fewest).verdict == CONFIRMED


def test_limits_and_trivial_questions() -> None:
    late = confirm_fewest(Lines(centres=15), 10, limits=dipsat.Limits(seconds=1e-9))
    assert (late.verdict, late.reason) == (UNKNOWN, "the time limit was not enough")
    assert confirm_fewest(Lines(centres=15), 0).verdict == CONFIRMED


@exhaustive
def test_the_command_writes_a_proof(tmp_path: Path) -> None:
    board = brute_lines.random_board(1, 7)
    (tmp_path / "small.yaml").write_text(brute_lines.map_text(board), encoding="utf-8")
    folder = tmp_path / "proof"
    command = ["search", "lines", "--map", str(tmp_path / "small.yaml"), "--proof", str(folder)]
    done = CliRunner().invoke(main, [*command, "--centres", "3"])
    assert done.exit_code == 0
    _, least = small()
    assert done.stderr == (
        f"confirmed by Z3 and a proof in {folder}: there is no line with fewer than {least} units\n"
    )
    clauses = clauses_of((folder / CLAUSES).read_text(encoding="utf-8"))
    assert follows(clauses, (folder / PROOF).read_text(encoding="utf-8"))


@exhaustive
def test_a_folder_that_is_not_empty_is_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, old = tmp_path / "kept.txt", tmp_path / PROOF
    kept.write_text("mine", encoding="utf-8")
    old.write_text("old", encoding="utf-8")
    command = ["search", "lines", "--centres", "1", "--proof", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr("dipsat.searches.line_finder.find_lines", None)
        done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is not empty" in done.stderr
    assert "--force writes there anyway" in done.stderr
    done = CliRunner().invoke(main, [*command, "--force"])
    assert done.exit_code == 1
    assert "confirmed by Z3" in done.stderr
    assert kept.read_text(encoding="utf-8") == "mine"
    assert old.read_text(encoding="utf-8") != "old"


@exhaustive
@pytest.mark.parametrize("option", ["--certificate", "--output"])
def test_a_file_that_cannot_be_written_loses_no_answer(option: str, tmp_path: Path) -> None:
    folder = tmp_path / ("folder.svg" if option == "--output" else "folder.json")
    folder.mkdir()
    asked = ["--centres", "ANK,CON,SMY", "--no-fleets-in", "AEG,BLA,EAS"]
    done = CliRunner().invoke(main, ["search", "lines", *asked, option, str(folder)])
    assert done.exit_code == 2
    assert "FOUND       1 line of 2 units holds" in done.stdout
    assert "it is a folder" in done.stderr
