"""Who has decided: every answer says what propagation, Z3 and Z3's substitute have proven."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.equations import SmtWriter
from dipsat.solving import models
from dipsat.studies import random_board, rules_for
from dipsat.studies.datc_runs import load_cases
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.formats.sheets import PARADOX
from tests.phases import position_of

RING = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
PLAIN = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
SIMPLE_PARADOX = {
    "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
}
OTHER_PARADOX = {
    "ITALY": ["F ROM S F NAP - TYS", "F NAP - TYS"],
    "AUSTRIA": ["A TUN - ROM", "F TYS C A TUN - ROM"],
}
BOARDS: Mapping[str, Mapping[str, list[str]]] = {
    "plain": PLAIN, "ring": RING, "paradox": SIMPLE_PARADOX, "no orders": {},
    "both": {**SIMPLE_PARADOX, **OTHER_PARADOX, **RING},
}  # fmt: skip
Decide = Callable[..., dipsat.Outcome | dipsat.Proof]


def propagating(orders: Mapping[str, list[str]], **more: Any) -> dipsat.Outcome:
    return dipsat.adjudicate(position_of(orders), orders, **more)


def by_solver(orders: Mapping[str, list[str]], **more: Any) -> dipsat.Outcome:
    return dipsat.adjudicate(position_of(orders), orders, presolve=False, **more)


def proving(orders: Mapping[str, list[str]], **more: Any) -> dipsat.Proof:
    return dipsat.prove(position_of(orders), orders, **more)


WAYS: Sequence[Decide] = (propagating, by_solver, proving)


def evidence_of(found: dipsat.Outcome | dipsat.Proof) -> dipsat.Evidence:
    assert found.evidence is not None
    return found.evidence


def names_of(found: dipsat.Outcome | dipsat.Proof) -> list[str]:
    """All decisions, each once."""
    return [name for subgraph in found.subgraphs for name in subgraph.decisions]


def check_counts(found: dipsat.Outcome | dipsat.Proof) -> None:
    """Every decision is counted once, and what is named is one of them."""
    evidence, everything = evidence_of(found), names_of(found)
    solved = [name for one in evidence.subgraphs for name in one.decisions]
    counted = (evidence.propagation, evidence.constants, evidence.undecided, len(solved))
    assert sum(counted) == len(everything)
    assert min(counted) >= 0
    assert len(set(solved)) == len(solved)
    assert set(solved) <= set(everything)
    assert sum(int(count) for count in re.findall(r"(\d+) (?:dec|con)", evidence.text)) == len(
        everything
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[str]]:
    """The decisions for which Z3 receives a symbol, question by question."""
    found: list[frozenset[str]] = []
    honest = models.find_models

    def noted(equations: Any, name: Any, bounds: Any, *rest: Any) -> models.Models:
        writer = SmtWriter(name, bounds)
        writer.text(equations)
        found.append(frozenset(name(key) for key, _ in writer.symbols.values()))
        return honest(equations, name, bounds, *rest)

    monkeypatch.setattr(models, "find_models", noted)
    return found


@exhaustive
def test_counts_sum_on_full_boards_and_in_all_cases() -> None:
    for seed in range(4):
        board = random_board(seed, 34)
        position = dipsat.Position.from_units(board.units)
        for presolve in (True, False):
            check_counts(dipsat.adjudicate(position, board.orders, presolve=presolve))
        check_counts(dipsat.prove(position, board.orders))
    for case in load_cases(["6.C", "6.F"]):
        check_counts(dipsat.adjudicate(case.position, case.orders, rules_for(case, "datc")))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("decide", WAYS)
def test_counts_sum_to_all_decisions_and_z3_is_named_only_if_asked_about_them(
    board: str, decide: Decide, asked: list[frozenset[str]]
) -> None:
    found = decide(BOARDS[board])
    check_counts(found)
    solved = evidence_of(found).subgraphs
    by_z3 = [one for one in solved if one.solver == "z3"]
    assert len(by_z3) == len(solved)
    assert bool(by_z3) == bool(asked)
    if board != "no orders":
        assert bool(asked) == (decide is not propagating or board != "plain")
    assert all(any(set(one.decisions) <= one_asked for one_asked in asked) for one in by_z3)
    assert ("Z3" in evidence_of(found).text) == bool(asked)
    if board == "ring":
        (several,) = [one for one in solved if one.verdict == "several"]
        assert (several.resolutions, several.instead_of) == (2, None)
        ring = {"move(F ANK - CON)", "move(A CON - SMY)", "move(A SMY - ANK)"}
        assert ring <= {*several.decisions}


@pytest.mark.parametrize("decide", [by_solver, proving])
def test_z3_decides_every_decision_that_is_not_a_constant(
    decide: Decide, asked: list[frozenset[str]]
) -> None:
    """BUR is vacant, A MAR does not move, and nothing supports A MUN: their strengths are constants
    and have no symbol. Every other decision has one."""
    found = decide(PLAIN)
    evidence = evidence_of(found)
    solved = {name for one in evidence.subgraphs for name in one.decisions}
    assert asked[0] == solved
    assert evidence.propagation == 0
    without = set(names_of(found)) - solved
    assert without == {
        "hold_strength(BUR)", "hold_strength(MAR)", "defend_strength(A MUN - BUR)",
    }  # fmt: skip
    assert evidence.constants == 3


def test_z3_receives_what_the_page_of_proofs_says() -> None:
    """A strength with one value has no symbol; a comparison that ranges decide, and an equation
    about facts alone, are constants; no truth value is inserted into another equation."""
    text = proving(SIMPLE_PARADOX).smt2()["whole.system.smt2"]
    assert "(declare-const |hold_strength(WAL) >= 1| Bool)" in text
    assert "|hold_strength(LON)" not in text.partition("(set-logic")[2]
    assert "(assert (= |move(A BRE - LON)| false))" in text  # 0 or 1 against 1
    assert "(assert (= |dislodge(A BRE)| false))" in text  # nobody moves there
    assert "(assert (= |path(F WAL - ENG)| true))" in text
    prevents = "(assert (= |prevent_strength(F WAL - ENG) >= 1| (ite (not |path(F WAL - ENG)|) "
    assert prevents in text


@pytest.mark.parametrize("presolve", [True, False])
def test_subgraph_after_a_rule_that_reaches_out_keeps_its_number_of_resolutions(
    presolve: bool,
) -> None:
    """Two paradoxes that share nothing have two resolutions each, whatever a rule settles first."""
    orders = {**SIMPLE_PARADOX, **OTHER_PARADOX}
    rules = "4.A.2-szykman-literal"
    outcome = dipsat.adjudicate(position_of(orders), orders, rules, presolve=presolve)
    troubled = [one for one in outcome.subgraphs if one.applications]
    assert [(one.verdict, one.resolutions) for one in troubled] == [("several", 2)] * 2
    assert [one.resolutions for one in evidence_of(outcome).subgraphs if one.resolutions > 1] == [
        2, 2,
    ]  # fmt: skip
    check_counts(outcome)


@pytest.mark.parametrize("board", ["plain", "both"])
@pytest.mark.parametrize("limits", [{"work": 1}, {"seconds": 1e-9}])
def test_decisions_that_limits_leave_open_are_not_counted_as_proven(
    board: str, limits: Mapping[str, Any], asked: list[frozenset[str]]
) -> None:
    orders = BOARDS[board]
    position, given = position_of(orders), dipsat.load_profile("datc")
    for presolve in (True, False):
        try:
            outcome = dipsat.adjudicate(
                position, orders, given, presolve=presolve, limits=dipsat.Limits(**limits)
            )
        except dipsat.errors.LimitError:
            continue
        check_counts(outcome)
        evidence, is_open = evidence_of(outcome), not outcome.is_decided
        assert (evidence.undecided > 0) == is_open
        assert ("left open by the limits" in str(outcome).replace("\n", " ")) == is_open
        assert "unknown" not in {one.verdict for one in evidence.subgraphs}
    proof = dipsat.prove(position, orders, given, limits=dipsat.Limits(work=1))
    assert proof.evidence.undecided + proof.evidence.constants == len(names_of(proof))
    assert str(proof).startswith("Not decided: ")


def test_proof_whose_equations_were_not_written_in_time_is_all_open() -> None:
    system = proving(PLAIN)
    late = dipsat.Proof(system._given, None, ())
    assert late.evidence.undecided == len(names_of(system))
    assert late.to_dict()["evidence"]["subgraphs"] == []


# --- where Z3 is not installed --------------------------------------------------------------------


@pytest.fixture
def without_z3(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python whose package `z3` cannot be imported."""
    package = tmp_path / "first" / "z3"
    package.mkdir(parents=True)
    text = "raise ModuleNotFoundError(\"No module named 'z3'\")\n"
    (package / "__init__.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join((str(package.parent), str(ROOT)))
    return {**os.environ, "PYTHONPATH": path}


def commands(file: str) -> Iterator[list[str]]:
    yield ["prove", file]
    yield ["prove", file, "--json"]
    yield ["adjudicate", file]
    yield ["adjudicate", file, "--no-presolve"]
    yield ["adjudicate", file, "--no-presolve", "--json"]
    yield ["explain", file]
    yield ["compare", file, "--rules", "datc", "--rules", "1982"]


ONE_AFTER_THE_OTHER = """
import json, sys
from dipsat.cli import main
for number, command in enumerate(json.loads(sys.argv[1])):
    print(end=chr(0) if number else "", flush=True)
    main(command, standalone_mode=False)
    sys.stdout.flush()
"""
"""Run several commands in one process."""


@exhaustive
def test_nothing_is_said_to_be_proven_by_z3_where_it_is_not_installed(
    without_z3: dict[str, str], tmp_path: Path
) -> None:
    sheets = [str(ROOT / "docs" / "examples" / f"{n}.txt") for n in ("convoy-paradox", "bounce")]
    asked = [command for file in sheets for command in commands(file)]
    certified = [["prove", sheets[0], "--smt2", str(tmp_path / "proof")]]
    done = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_THE_OTHER, json.dumps(asked + certified)],
        capture_output=True, text=True, env=without_z3, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    for command, printed in zip(asked, done.stdout.split("\0")[:-1], strict=True):
        words = " ".join(printed.split())
        assert "by Z3" not in words
        assert '"solver": "z3"' not in words
        is_open = command[1] == sheets[0]
        stood_in = is_open or "--no-presolve" in command or command[0] == "prove"
        said = "by case analysis because Z3 is not installed"
        assert (said in words) == stood_in, command
        assert ("Proven" in words) == ("--json" not in command)
    with_z3 = dipsat.load_phase(sheets[0])
    for name, text in dipsat.prove(with_z3.position, with_z3.orders).smt2().items():
        other = (tmp_path / "proof" / name).read_text(encoding="utf-8")
        words, other_words = (" ".join(one.replace("\n; ", " ").split()) for one in (text, other))
        has_symbols = "declare-const" in text
        assert ("dipsat found by Z3: " in words) == has_symbols, name
        said = "dipsat found by case analysis because Z3 is not installed: "
        assert (said in other_words) == has_symbols, name
        assert "Z3:" not in other_words


# --- every kind of answer -------------------------------------------------------------------------


def test_every_answer_in_json_has_the_evidence() -> None:
    board = {"orders": PARADOX}
    outcome = dipsat.answer({"request": "adjudicate", **board})["answer"]
    assert outcome["evidence"] == {
        "propagation": 9, "constants": 0, "undecided": 0, "stopped": False,
        "subgraphs": [{
            "decisions": outcome["evidence"]["subgraphs"][0]["decisions"],
            "solver": "z3", "instead_of": None, "verdict": "several", "resolutions": 2,
        }],
        "text": "9 decisions by propagation, 11 decisions in 1 subgraph by Z3",
    }  # fmt: skip
    explained = dipsat.answer({"request": "explain", "unit": "A BRE", **board})["answer"]
    assert explained["evidence"] == outcome["evidence"]
    proof = dipsat.answer({"request": "prove", **board})["answer"]
    assert {one["solver"] for one in proof["evidence"]["subgraphs"]} == {"z3"}
    assert [cycle["solver"] for cycle in proof["cycles"]] == ["z3"]
    rules = ["datc", "1982"]
    compared = dipsat.answer({"request": "compare", "rules": rules, **board})["answer"]
    assert [one["rules"] for one in compared["evidence"]] == rules
    assert compared["evidence"][0]["evidence"] == outcome["evidence"]


def test_picture_of_a_cycle_names_the_solver_that_counted_its_resolutions() -> None:
    picture = str(dipsat.draw.cycle(proving(RING)))
    assert "The resolutions are counted by Z3." in picture


@exhaustive
def test_comparison_says_what_proves_each_outcome() -> None:
    file = str(ROOT / "docs" / "examples" / "convoy-paradox.txt")
    shown = CliRunner().invoke(main, ["compare", file, "--rules", "datc", "--rules", "1971"])
    words = " ".join(shown.stdout.split())
    assert "datc Proven not unique: 19 decisions by propagation, 11 decisions in 1" in words
    assert "1971 Proven unique: 30 decisions by propagation." in words
    same = dipsat.compare(position_of(PLAIN), PLAIN, ["datc", "1971"])
    assert str(same).count("Proven unique: ") == 1
    for compared in (same, dipsat.compare(position_of(RING), RING, ["datc", "datc+4.A.2-1982"])):
        assert "Proven" in str(dipsat.draw.compare(compared))


def test_play_says_what_proves_a_phase() -> None:
    typed = "FRANCE: A PAR - BUR\nadvance\nwhy A PAR\n"
    shown = CliRunner().invoke(main, ["play"], input=typed).stdout
    assert len(re.findall(r"^Proven unique: \d+ decisions by propagation\.$", shown, re.M)) == 2


@pytest.mark.parametrize("phase", ["F1901R", "W1901A"])
def test_phases_without_equations_claim_no_proof(phase: str) -> None:
    file = str(ROOT / "docs" / "examples" / ("retreat.yaml" if phase[-1] == "R" else "winter.yaml"))
    given = dipsat.load_phase(file)
    outcome = dipsat.adjudicate(given.position, given.orders)
    assert outcome.evidence is None
    assert json.loads(json.dumps(outcome.to_dict()))["evidence"] is None
    words = " ".join(str(outcome).split())
    said = "Retreats and adjustments are decided without equations; there is nothing to prove."
    assert words.endswith(said)
    assert "Proven" not in words
    unit = next(order.unit for order in outcome.orders)
    assert said in " ".join(str(dipsat.explain(outcome, unit)).split())


@pytest.mark.parametrize("engine", ["dip_eval", "recursive_guess", "dpjudge"])
def test_engines_prove_nothing_and_say_so_everywhere(engine: str) -> None:
    outcome = propagating(PLAIN, engine=engine)
    assert outcome.evidence is None
    assert outcome.to_dict()["evidence"] is None
    for shown in (outcome, dipsat.explain(outcome, "A PAR")):
        words = " ".join(str(shown).split())
        assert "nothing is proven." in words
        assert "Proven" not in words


@pytest.mark.parametrize("work", range(200, 420, 40))
def test_a_cycle_that_the_limits_leave_without_a_rule_is_reported(work: int) -> None:
    units = {"TURKEY": ["F ANK", "A CON", "A SMY"]}
    orders = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    position = dipsat.Position.from_units(units)
    outcome = dipsat.adjudicate(position, orders, limits=dipsat.Limits(work=work))
    assert isinstance(outcome, dipsat.MovementOutcome)
    evidence = outcome.evidence
    assert evidence is not None
    assert (evidence.undecided > 0 or evidence.is_stopped) == (not outcome.is_decided)
    assert ("left" in evidence.text) == (not outcome.is_decided)
