"""Every verdict of `dipsat.prove`, confirmed by cvc5 from the SMT-LIB files alone."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

import dipsat
from dipsat import studies
from dipsat.board import parse_map
from dipsat.game import PhaseKind
from dipsat.studies import random_board, rules_for
from dipsat.studies.datc_runs import load_cases
from tests.exhaustive import exhaustive, few_of, parts_of
from tests.oracles.second_solver import (
    RESOLUTION,
    SYSTEM,
    UNIQUE,
    answer,
    confirmed,
    equations_of,
    names_of,
    stated,
)
from tests.phases import crowded_orders, position_of, troubled_orders

CASES = [
    case
    for case in (*load_cases([]), *load_cases([], variants=True))
    if case.position.phase.kind is PhaseKind.MOVEMENT
]
WHOLE = {"unique": {"unique"}, "not unique": {"none", "several"}}


def confirm(proof: dipsat.Proof) -> set[str]:
    """Have cvc5 confirm each verdict of a proof; the verdicts of its subgraphs."""
    files = proof.smt2()
    whole, *parts = names_of(files)
    assert whole == "whole"
    verdicts = [subgraph.verdict for subgraph in proof.subgraphs]
    assert [confirmed(files, name) for name in parts] == verdicts
    assert confirmed(files, whole) in WHOLE[proof.verdict]
    for name, text in files.items():
        assert answer(text) == stated(text), name
    return set(verdicts)


@exhaustive
@pytest.mark.parametrize("case", few_of(CASES, 8), ids=[case.name for case in CASES])
def test_cvc5_confirms_every_verdict_of_a_datc_case(case: studies.Case) -> None:
    confirm(dipsat.prove(case.position, case.orders, rules_for(case, "datc")))


@exhaustive
@pytest.mark.parametrize("seed", range(2))
def test_cvc5_confirms_boards_of_units_with_colors(seed: int) -> None:
    rules = dipsat.load_profile("arpiesse")
    board, rng = random_board(seed, 20), Random(seed)
    units = {
        power: [f"{rng.choice(('Red', 'Purple', 'Silver'))} {unit}" for unit in own]
        for power, own in board.units.items()
    }
    position = dipsat.Position.from_units(units, rules=rules)
    confirm(dipsat.prove(position, board.orders, rules))


@exhaustive
def test_cvc5_confirms_a_summer_phase() -> None:
    rules = dipsat.load_profile("arpiesse+color_exchange=on")
    units = {"ITALY": ["Purple F ADR"], "AUSTRIA": ["Silver A TRI"], "TURKEY": ["Red A SER"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    orders = {"ITALY": ["F ADR X A TRI"], "AUSTRIA": ["A TRI X F ADR"], "TURKEY": ["A SER X A TRI"]}
    assert confirm(dipsat.prove(position, orders, rules)) == {"unique"}


def test_datc_cases_have_all_verdicts() -> None:
    """DATC 3.0 4.A.2 and 5.D: a simple paradox has two resolutions, Pandin's has none."""
    found = {
        name: {s.verdict for s in dipsat.prove(case.position, case.orders).subgraphs} - {"unique"}
        for name in ("6.A.1", "6.F.14", "6.F.16", "6.C.1", "6.F.27")
        for case in load_cases([name])
    }
    assert found == {
        "6.A.1": set(),
        "6.F.14": {"several"},
        "6.F.16": {"none"},
        "6.C.1": {"several"},
        "6.F.27": {"several", "none"},
    }


WITH_CYCLES = [25, 34, 33, *sorted({*range(40)} - {25, 34, 33})]  # these three have all verdicts


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(WITH_CYCLES, 3))
def test_cvc5_confirms_boards_with_cycles(seeds: list[int]) -> None:
    found: set[str] = set()
    for seed in seeds:
        orders = troubled_orders(seed) if seed % 4 else crowded_orders(seed)
        found |= confirm(dipsat.prove(position_of(orders), orders))
    assert found == {"unique", "several", "none"}


@exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_cvc5_confirms_full_boards(seed: int) -> None:
    board = random_board(seed, 34)
    confirm(dipsat.prove(dipsat.Position.from_units(board.units), board.orders))


# Planted faults: if any of these went unnoticed, the tests above would show nothing.

UNIQUE_CASE, NONE_CASE, SEVERAL_CASE = "6.D.1", "6.F.16", "6.C.1"


def troubled_files(case: str, verdict: str) -> tuple[dict[str, str], str]:
    """The files of a DATC case, and the name of its largest subgraph with a verdict."""
    (loaded,) = load_cases([case])
    proof = dipsat.prove(loaded.position, loaded.orders)
    chosen = max(
        (len(subgraph.decisions), number)
        for number, subgraph in enumerate(proof.subgraphs, 1)
        if subgraph.verdict == verdict
    )[1]
    files = proof.smt2()
    (name,) = (name for name in names_of(files) if name.endswith(f"-{chosen}"))
    assert confirmed(files, name) == verdict
    return files, name


MOVE = r"^\(assert \(= \|move\(.*\n"  # the line that states the equation of a move


@pytest.mark.parametrize(
    ("case", "verdict"),
    [(UNIQUE_CASE, "unique"), (NONE_CASE, "none"), (SEVERAL_CASE, "several")],
)
def test_a_negated_equation_changes_the_verdict(case: str, verdict: str) -> None:
    files, name = troubled_files(case, verdict)
    moves = re.findall(MOVE, files[name + SYSTEM], re.MULTILINE)
    assert moves
    for line in moves:
        start, _, rest = line.partition("| ")
        wrong = f"{start}| (not {rest.rstrip()[:-2]})))\n"
        changed = {file: text.replace(line, wrong) for file, text in files.items()}
        assert confirmed(changed, name) != verdict, line


@pytest.mark.parametrize(("case", "verdict"), [(UNIQUE_CASE, "unique"), (NONE_CASE, "none")])
def test_missing_equations_change_the_verdict(case: str, verdict: str) -> None:
    files, name = troubled_files(case, verdict)
    changed = {file: re.sub(MOVE, "", text, flags=re.MULTILINE) for file, text in files.items()}
    assert confirmed(changed, name) != verdict


def test_a_wrong_resolution_changes_the_verdict() -> None:
    for case, verdict, ending in (
        (UNIQUE_CASE, "unique", UNIQUE),
        (SEVERAL_CASE, "several", RESOLUTION),
    ):
        files, name = troubled_files(case, verdict)
        text = files[name + ending]
        question = text.splitlines()[-3]
        for symbol in re.findall(r"\(not (\|[^|]*\|)\)", question)[:5]:
            wrong = question.replace(f"(not {symbol})", symbol)
            assert confirmed({**files, name + ending: text.replace(question, wrong)}, name) == (
                "nothing"
            )


def test_a_forbidden_resolution_changes_the_verdict() -> None:
    """A ring's resolution in which it does not rotate is forbidden, so one of two is left."""
    files, name = troubled_files(SEVERAL_CASE, "several")
    symbol = re.findall(r"\|move\([^|]*\|", files[name + SYSTEM])[0]
    for way in (symbol, f"(not {symbol})"):
        fixed = {
            file: text.replace("(check-sat)", f"(assert {way})\n(check-sat)")
            for file, text in files.items()
        }
        assert confirmed(fixed, name) != "several"


def test_files_that_do_not_belong_together_are_noticed() -> None:
    """The query repeats the whole system; cvc5 does not see the other file."""
    for case, verdict in ((UNIQUE_CASE, "unique"), (SEVERAL_CASE, "several")):
        files, name = troubled_files(case, verdict)
        system = equations_of(files[name + SYSTEM]).removesuffix("\n(check-sat)\n(exit)")
        for ending in (UNIQUE, RESOLUTION):
            if name + ending in files:
                assert equations_of(files[name + ending]).startswith(system)


# What the files hold.


def paradox() -> dipsat.Proof:
    """Pandin's paradox (DATC 6.F.16)."""
    (case,) = load_cases(["6.F.16"])
    return dipsat.prove(case.position, case.orders)


def test_files_name_the_orders_and_explain_the_answers() -> None:
    files = paradox().smt2()
    text = next(t for n, t in files.items() if n.endswith(SYSTEM) and stated(t) == "unsat")
    for order in ("F LON S F WAL - ENG", "A BRE - LON", "F ENG C A BRE - LON"):
        assert re.search(rf"^;   [A-Z]+: {order}$", text, re.MULTILINE)
    assert "unsat: there is none" in text
    assert "dipsat found by Z3: no resolution" in text
    assert "(declare-const |convoy(F ENG C A BRE - LON)| Bool)" in text
    assert text.index("(set-logic QF_UF)") < text.index("(declare-const")
    assert all(len(line) <= 100 for line in text.splitlines() if line.startswith(";"))


def test_every_decision_of_a_subgraph_is_in_its_files() -> None:
    proof = paradox()
    files = proof.smt2()
    for number, subgraph in enumerate(proof.subgraphs, 1):
        text = files[f"subgraph-{number}{SYSTEM}"]
        assert all(decision in text for decision in subgraph.decisions)
        assert all(decision in files[f"whole{SYSTEM}"] for decision in subgraph.decisions)


def test_undecided_subgraphs_have_no_claim() -> None:
    (case,) = load_cases(["6.F.16"])
    files = dipsat.prove(case.position, case.orders, limits=dipsat.Limits(work=1)).smt2()
    assert all(name.endswith(SYSTEM) for name in files)
    assert {stated(text) for text in files.values()} == {"unknown"}


HOSTILE_MAP = """
name: hostile
powers:
  RED: {home: [], start: []}
provinces:
  "A|B": {name: alpha, type: land, army: ["C\\\\D", "É#"]}
  "C\\\\D": {name: beta, type: land, army: ["A|B", "É#"]}
  "É#": {name: gamma, type: land, army: ["A|B", "C\\\\D"]}
"""


@exhaustive
def test_names_of_a_strange_map_cannot_break_out_of_comments_and_symbols() -> None:
    board = parse_map(HOSTILE_MAP, "hostile.yaml")
    board = replace(board, name="hostile\n(assert false)")  # which no file can say
    position = dipsat.Position.from_units({"RED": ["A alpha", "A beta", "A gamma"]}, board)
    orders = {"RED": ["A alpha - beta", "A beta - gamma", "A gamma - alpha"]}
    proof = dipsat.prove(position, orders)
    assert "several" in confirm(proof)
    text = proof.smt2()[f"whole{SYSTEM}"]
    assert "|move(A A#7C;B - C#5C;D)|" in text
    assert "|move(A É#23; - A#7C;B)|" in text
    assert "\n(assert false)" not in text
    outcome = dipsat.adjudicate(position, orders)
    assert {order.verdict for order in outcome.orders} == {"succeeds"}
