"""Engines from outside: `dipsat.adjudicate` and the command line with another engine."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.equations import Phase
from dipsat.errors import DipsatError, EngineError, NotMadeForError, UnknownNameError
from dipsat.outcomes import Engine, EngineOutcome, Verdicts, find_engine
from dipsat.rules import Profile
from dipsat.studies import ENGINES, random_board
from dipsat.studies.engine_names import SOLVER
from tests.core.test_architecture import ATTACKED, run_python
from tests.exhaustive import exhaustive, parts_of
from tests.phases import adjudicate
from tests.studies.test_algorithms import FROM_PROFILE, OTHERS

BATTLE = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS - SPA"],
    "GERMANY": ["A BUR H", "F BEL - PIC"],
    "ENGLAND": ["F ENG - PIC", "A WAL - BEL"],
    "ITALY": ["F POR - SPA/SC"],
}


@dataclass(frozen=True, slots=True)
class Independent:
    """An engine that decides by the solver and gives only its verdicts."""

    name: str = "independent"

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        found = find_engine(SOLVER).decide(phase, profile)
        return Verdicts(
            found.moves, found.supports, found.convoys, found.dislodged, found.contested
        )


@dataclass(frozen=True, slots=True)
class Never:
    """An engine that must not be called."""

    name: str = "never"

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        raise AssertionError("it was asked")


@dataclass(frozen=True, slots=True)
class Crowd:
    """An engine for which every move succeeds and no unit is dislodged."""

    name: str = "crowd"

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        return Verdicts(
            (True,) * len(phase.moves),
            (True,) * len(phase.supports),
            (True,) * len(phase.convoys),
            (False,) * len(phase.units),
            frozenset(),
        )


def told(outcome: dipsat.Outcome) -> dict[str, Any]:
    """An outcome as plain values, without what only the solver or only an engine reports."""
    found = outcome.to_dict()
    for key in ("subgraphs", "evidence", "engine", "several_cycles"):
        found.pop(key, None)
    for order in found["orders"]:
        if order["reason"]["code"] == "cycle_rule":
            del order["reason"]["text"]
        order["reason"].pop("because")
        order.pop("marks", None)
    return found


@pytest.mark.parametrize("name", FROM_PROFILE)
@pytest.mark.parametrize("seeds", parts_of(range(40), 4))
def test_outcome_tells_what_the_solver_tells_but_for_proofs(seeds: range, name: str) -> None:
    for seed in seeds:
        board = random_board(seed)
        position = dipsat.Position.from_units(board.units)
        found = dipsat.adjudicate(position, board.orders, engine=name)
        expected = dipsat.adjudicate(position, board.orders)
        assert isinstance(found, EngineOutcome)
        assert found.decisions == expected.decisions
        assert [order.verdict for order in found.orders] == [o.verdict for o in expected.orders]
        assert told_without_reasons(found) == told_without_reasons(expected)


def told_without_reasons(outcome: dipsat.Outcome) -> dict[str, Any]:
    found = told(outcome)
    for order in found["orders"]:
        del order["reason"]
    return found


@pytest.mark.parametrize("name", FROM_PROFILE)
def test_reasons_are_those_of_the_equations(name: str) -> None:
    assert told(adjudicate(BATTLE, engine=name)) == told(adjudicate(BATTLE))


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_is_proven_by_another_engine(name: str) -> None:
    outcome = adjudicate(BATTLE, engine=name)
    assert not outcome.is_proven
    assert outcome.subgraphs == ()
    assert outcome.to_dict()["engine"] == name


def test_engine_without_equations_has_everything_but_reasons() -> None:
    for orders in (BATTLE, random_board(3).orders, random_board(5).orders):
        found, expected = adjudicate(orders, engine=Independent()), adjudicate(orders)
        assert told_without_reasons(found) == told_without_reasons(expected)
        assert {name: expected.decisions[name] for name in found.decisions} == found.decisions
    found = adjudicate(BATTLE, engine=Independent())
    assert found.order("A PAR").reason.code == "engine"
    assert found.order("A BUR").reason.because == ("A PAR",)
    assert "attack_strength(A PAR - BUR)" not in found.decisions


def test_engine_that_puts_two_units_into_one_province_is_refused() -> None:
    outcome = adjudicate(BATTLE, engine=Crowd())
    with pytest.raises(EngineError, match=r"'crowd'.* both end in BUR"):
        outcome.next.to_dict()


BAD = [
    {"ENGLAND": ["A LON flies away"]},
    {"ENGLAND": ["A Londin - Wal"]},
    {"NOBODY": ["A LON H"]},
]


@pytest.mark.parametrize("orders", BAD)
def test_bad_input_is_refused_before_an_engine_starts(orders: dict[str, list[str]]) -> None:
    position = dipsat.Position.from_units({"ENGLAND": ["A LON"]})
    errors = set()
    judges: list[str | Engine] = [*ENGINES, Never()]
    for judge in judges:
        with pytest.raises(DipsatError) as caught:
            dipsat.adjudicate(position, orders, engine=judge)
        errors.add((type(caught.value), str(caught.value)))
    assert len(errors) == 1


@pytest.mark.parametrize("name", OTHERS)
def test_orders_that_cannot_be_carried_out_come_back_as_from_the_solver(name: str) -> None:
    position = dipsat.Position.from_units({"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A PAR"]})
    orders = {
        "ENGLAND": ["A LON - MOS", "F NTH C A YOR - BEL", "F IRI H", "A PAR H"],
        "FRANCE": ["A PAR S A MAR - BUR"],
    }
    found = dipsat.adjudicate(position, orders, engine=name)
    assert told(found) == told(dipsat.adjudicate(position, orders))


def test_unknown_engine_is_named_with_the_nearest() -> None:
    position = dipsat.Position.from_units({"ENGLAND": ["A LON"]})
    with pytest.raises(UnknownNameError, match="did you mean recursive_guess"):
        dipsat.adjudicate(position, {}, engine="recursive_gues")


def test_retreats_and_adjustments_are_the_same_whatever_the_engine() -> None:
    retreat = adjudicate(BATTLE).next
    orders = {"GERMANY": ["A BUR R RUH"]}
    found = dipsat.adjudicate(retreat, orders, engine=Never())
    assert found.to_dict() == dipsat.adjudicate(retreat, orders).to_dict()


# On the command line.


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("name", FROM_PROFILE)
def test_adjudicate_command_takes_an_engine(name: str, tmp_path: Path) -> None:
    file = tmp_path / "paradox.txt"
    file.write_text(ATTACKED, encoding="utf-8")
    shown = run("adjudicate", str(file), "--engine", name)
    assert shown.exit_code == 0
    assert f"Decided by {name}; nothing is proven." in shown.output
    assert "disrupted" in shown.output
    printed = json.loads(run("adjudicate", str(file), "--engine", name, "--json").output)
    assert printed["engine"] == name
    assert printed["subgraphs"] == []


@pytest.mark.parametrize("name", FROM_PROFILE)
def test_datc_command_takes_an_engine(name: str) -> None:
    shown = run("datc", "6.F", "--engine", name)
    assert shown.exit_code == 0
    assert shown.output.endswith("30 of 30 cases as the document states.\n")


@pytest.mark.parametrize("command", [("adjudicate", "-"), ("datc",)])
def test_no_presolve_is_for_the_solver(command: tuple[str, ...]) -> None:
    shown = run(*command, "--engine", "recursive_guess", "--no-presolve")
    assert shown.exit_code == 2
    assert "--no-presolve is for the engine solver" in shown.output
    assert run(*command, "--engine", "oracle").exit_code == 2


@exhaustive
def test_decisions_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "import sys, dipsat; from dipsat.studies.random_boards import random_board\n"
        "for seed in (0, 7, 12):\n"
        "    board = random_board(seed)\n"
        "    position = dipsat.Position.from_units(board.units)\n"
        "    for name in sys.argv[1:]:\n"
        "        found = dipsat.adjudicate(position, board.orders, engine=name)\n"
        "        print(found.to_dict(), found.decisions)"
    )
    assert len({run_python(code, *FROM_PROFILE, PYTHONHASHSEED=seed) for seed in ("0", "1")}) == 1


@pytest.mark.parametrize("name", ["dpjudge", "dip_eval"])
def test_engine_with_rules_of_its_own_refuses_units_with_attributes(name: str) -> None:
    rules = dipsat.load_profile("arpiesse")
    position = dipsat.Position.from_units({"ITALY": ["Silver A VEN"]}, rules=rules)
    lacking = r"its own rules lack what 'arpiesse' declares: the attribute color"
    with pytest.raises(NotMadeForError, match=lacking):
        dipsat.adjudicate(position, {"ITALY": ["A VEN - TRI"]}, rules, engine=name)
