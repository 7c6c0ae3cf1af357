"""Engines from outside: `dipsat.adjudicate` and the command line with another engine, or with one
of a user's own."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.engines import EngineReason, EquationVerdicts, ReasonedVerdicts, Trace
from dipsat.equations import Phase
from dipsat.errors import (
    ArgumentError,
    DipsatError,
    EngineError,
    EngineOptionError,
    SharedProvinceError,
)
from dipsat.outcomes import Engine, EngineOutcome, Verdicts, find_engine
from dipsat.rules import Profile
from dipsat.studies import ENGINES, random_board
from dipsat.studies.dpjudge import DPjudge
from dipsat.studies.engine_names import SOLVER
from dipsat.studies.partial_information import PartialInformation
from dipsat.studies.recursive_guess import RecursiveGuess
from dipsat.studies.simple_recursive import SimpleRecursive
from tests.core.test_architecture import ATTACKED, run_python
from tests.exhaustive import exhaustive, parts_of
from tests.phases import adjudicate, position_of, sheet_of
from tests.studies.test_algorithms import FROM_PROFILE, OTHERS
from tests.studies.test_published_judges import SAFE_CONVOY

BATTLE = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS - SPA"],
    "GERMANY": ["A BUR H", "F BEL - PIC"],
    "ENGLAND": ["F ENG - PIC", "A WAL - BEL"],
    "ITALY": ["F POR - SPA/SC"],
}


ORDERS = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "GERMANY": ["A MUN - BUR", "F NTH C A BEL - YOR", "A BEL - YOR", "F HOL S F NTH"],
}
POSITION = position_of(ORDERS)


@dataclass(frozen=True)
class Answering:
    """An engine that gives one answer, or makes it from that of the solver."""

    answer: Any
    name: str = "my engine"

    def decide(self, phase: Phase, profile: dipsat.Profile) -> Any:
        """The answer."""
        right = find_engine(SOLVER).decide(phase, profile)
        return self.answer(right) if callable(self.answer) else self.answer

    def traced(self, phase: Phase, profile: dipsat.Profile) -> Any:
        """The answer, which should come with a trace."""
        return self.decide(phase, profile)


def plain(right: Verdicts) -> Verdicts:
    """Verdicts without decisions."""
    return Verdicts(right.moves, right.supports, right.convoys, right.dislodged, right.contested)


def reasoned(right: Verdicts, **fields: Any) -> Verdicts:
    """Verdicts with reasons, and with other fields."""
    given = [getattr(plain(right), name) for name in Verdicts.__dataclass_fields__]
    fields.setdefault("reasons", (EngineReason("so it is"),) * len(right.dislodged))
    return ReasonedVerdicts(*given, **fields)


def other(verdicts: Verdicts, **fields: Any) -> Verdicts:
    """Verdicts with other fields, of whatever type."""
    return replace(verdicts, **fields)


@dataclass(frozen=True, slots=True)
class Never:
    """An engine that must not be called."""

    name: str = "never"

    def decide(self, phase: Phase, profile: Profile) -> Verdicts:
        raise AssertionError("it was asked")


def told(outcome: dipsat.Outcome, *, reasons: bool = True) -> dict[str, Any]:
    """An outcome as plain values, without what only the solver or only an engine reports."""
    found = outcome.to_dict()
    for key in ("subgraphs", "evidence", "engine", "several_cycles"):
        found.pop(key, None)
    for order in found["orders"]:
        if order["reason"]["code"] == "cycle_rule":
            del order["reason"]["text"]
        order["reason"].pop("because")
        order.pop("marks", None)
        if not reasons:
            del order["reason"]
    return found


@exhaustive
@pytest.mark.parametrize("name", FROM_PROFILE)
@pytest.mark.parametrize("seeds", parts_of(range(40), 4))
def test_outcome_says_what_the_solver_says_except_for_proofs(seeds: range, name: str) -> None:
    for seed in seeds:
        board = random_board(seed)
        position = dipsat.Position.from_units(board.units)
        found = dipsat.adjudicate(position, board.orders, engine=name)
        expected = dipsat.adjudicate(position, board.orders)
        assert isinstance(found, EngineOutcome)
        assert found.decisions == expected.decisions
        assert told(found, reasons=False) == told(expected, reasons=False)


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
        found, expected = adjudicate(orders, engine=Answering(plain)), adjudicate(orders)
        assert told(found, reasons=False) == told(expected, reasons=False)
        assert {name: expected.decisions[name] for name in found.decisions} == found.decisions
    found = adjudicate(BATTLE, engine=Answering(plain))
    assert found.order("A PAR").reason.code == "engine"
    assert found.order("A BUR").reason.because == ("A PAR",)
    assert "attack_strength(A PAR - BUR)" not in found.decisions


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


def test_retreats_and_adjustments_are_the_same_whatever_the_engine() -> None:
    retreat = adjudicate(BATTLE).next
    orders = {"GERMANY": ["A BUR R RUH"]}
    found = dipsat.adjudicate(retreat, orders, engine=Never())
    assert found.to_dict() == dipsat.adjudicate(retreat, orders).to_dict()


# A wrong answer is the engine's fault, and the error says so.

WRONG: list[tuple[Any, str]] = [
    (3, "its answer should be dipsat.engines.Verdicts, not 3 (an int)"),
    (None, "its answer should be dipsat.engines.Verdicts, not None"),
    (
        Verdicts((), (), (), (), frozenset()),
        "moves should have an entry for each of the 3 moves, but has 0",
    ),
    (lambda v: other(plain(v), supports=(True,)), "supports should have an entry for each"),
    (lambda v: other(plain(v), convoys=None), "convoys should have an entry for each"),
    (lambda v: other(plain(v), dislodged=(False,) * 9), "of the 6 units, but has 9"),
    (
        lambda v: other(plain(v), moves=(True, None, False)),
        "moves[1], about A MUN - BUR, should be True or False, not None",
    ),
    (lambda v: other(plain(v), moves=(True, 2, False)), "should be True or False, not 2"),
    (lambda v: other(plain(v), contested=["BUR"]), "contested should be a set of provinces"),
    (lambda v: other(plain(v), contested={"XXX"}), "contested: there is no province 'XXX'"),
    (lambda v: other(v, decisions=3), "decisions should be a mapping, not 3"),
    (lambda v: other(v, decisions={("move", 99): 1}), "there is no decision ('move', 99)"),
    (lambda v: other(v, decisions={("move", 0): None}), "should be a whole number, not None"),
    (lambda v: reasoned(v, reasons=()), "reasons should have an entry for each of the 6 units"),
    (lambda v: reasoned(v, reasons=("because",) * 6), "should be an EngineReason, not 'because'"),
    (
        lambda v: reasoned(v, reasons=(EngineReason("x", (9,)),) * 6),
        "reasons[0], about A BEL, should be an EngineReason",
    ),
    (lambda v: reasoned(v, marks=("bounce",)), "marks should have an entry for each"),
    (lambda v: reasoned(v, retreats=(1,) * 6), "retreats[0], about A BEL, should be a tuple"),
]


@pytest.mark.parametrize(("answer", "problem"), WRONG)
def test_a_wrong_answer_names_the_engine(answer: Any, problem: str) -> None:
    with pytest.raises(EngineError) as caught:
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering(answer))
    assert problem in str(caught.value)
    assert str(caught.value).startswith("the engine 'my engine' cannot decide this: ")
    assert caught.value.engine == "my engine"
    assert len(str(caught.value)) < 300


def numbers(right: Verdicts) -> Verdicts:
    """Verdicts whose truth values are numbers."""
    return replace(plain(right), moves=tuple(map(int, right.moves)))  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [plain, reasoned, numbers, lambda right: right])
def test_right_answers_are_taken(make: Any) -> None:
    found = dipsat.adjudicate(POSITION, ORDERS, engine=Answering(make))
    assert found.units == dipsat.adjudicate(POSITION, ORDERS).units


@pytest.mark.parametrize("kind", [plain, lambda right: right])
def test_two_units_in_one_province_are_the_fault_of_the_engine(kind: Any) -> None:
    def both(right: EquationVerdicts) -> Verdicts:
        made: Verdicts = replace(kind(right), moves=(True,) * 3)
        if isinstance(made, EquationVerdicts):
            won = {("move", at): 1 for at in range(3)}
            made = replace(made, decisions={**made.decisions, **won})
        return made

    outcome = dipsat.adjudicate(POSITION, ORDERS, engine=Answering(both))
    with pytest.raises(EngineError, match=r"'my engine'.* both end in BUR") as caught:
        _ = outcome.next
    assert not isinstance(caught.value, SharedProvinceError)


@pytest.mark.parametrize("wrong", [None, lambda v: v, lambda v: (v, None), lambda v: (v, v, v)])
def test_a_trace_comes_with_the_verdicts(wrong: Any) -> None:
    with pytest.raises(EngineError, match=r"`traced` should return a pair of verdicts and a trace"):
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering(wrong), trace=True)
    right = Answering(lambda verdicts: (verdicts, Trace("my engine", {}, ())))
    assert dipsat.adjudicate(POSITION, ORDERS, engine=right, trace=True).units


def test_a_class_is_not_an_engine() -> None:
    with pytest.raises(ArgumentError, match="engine should be a text or an object with name"):
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering)  # type: ignore[arg-type]


def test_an_error_of_the_engine_itself_stays_as_it_is() -> None:
    def broken(_: Verdicts) -> Verdicts:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering(broken))


# Commands with another engine.


@pytest.mark.parametrize("name", FROM_PROFILE)
def test_adjudicate_command_takes_an_engine(name: str, tmp_path: Path) -> None:
    file = tmp_path / "paradox.txt"
    file.write_text(ATTACKED, encoding="utf-8")
    command = ["adjudicate", str(file), "--engine", name]
    shown = CliRunner().invoke(main, command)
    assert shown.exit_code == 0
    assert f"Decided by {name}; nothing is proven." in shown.output
    assert "disrupted" in shown.output
    printed = json.loads(CliRunner().invoke(main, [*command, "--json"]).output)
    assert printed["engine"] == name
    assert printed["subgraphs"] == []


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


# Options of engines.


NAMED: dict[str, Engine] = {
    "dpjudge(safe_convoys)": DPjudge(safe_convoys=True),
    "dpjudge( safe_convoys = true , missing_army=Mark )": DPjudge(
        missing_army="mark", safe_convoys=True
    ),
    "dpjudge(portage_convoy,safe_convoys=no)": DPjudge(portage_convoy=True),
    "dpjudge(safe_convoys) ": DPjudge(safe_convoys=True),
    "dpjudge()": DPjudge(),
    "recursive_guess(skip_type_e=no)": RecursiveGuess(skip_type_e=False),
    "recursive_guess(skip_type_e=false,single_cycles=no)": RecursiveGuess(False, False),
    "recursive_guess(paths=Resolved,ask_once)": RecursiveGuess(paths="resolved", ask_once=True),
    "recursive_guess(paths=local_marks)": RecursiveGuess(paths="local_marks"),
    "partial_information(retreat_fully=no)": PartialInformation(retreat_fully=False),
    "partial_information(multi_pass=orders)": PartialInformation(multi_pass="orders"),
    "partial_information(multi_pass=decisions)": PartialInformation(multi_pass="decisions"),
    "simple_recursive(dependencies_first)": SimpleRecursive(dependencies_first=True),
}


@pytest.mark.parametrize(("name", "expected"), NAMED.items())
def test_options_are_in_parentheses_after_the_name(name: str, expected: Engine) -> None:
    assert find_engine(name) == find_engine(expected.name) == expected


@pytest.mark.parametrize("name", ENGINES)
def test_name_of_an_engine_as_usual_has_no_options(name: str) -> None:
    assert find_engine(name).name == name
    assert find_engine(f"{name}()") == find_engine(name)


FAULTS = {
    "dpjudge(safe_convoy)": "unknown option 'safe_convoy'; did you mean safe_convoys?",
    "dpjudge(x)": "unknown option 'x'; its options are missing_fleet, missing_army",
    "recursive_guess(retreat_fully=no)": "its options are skip_type_e, single_cycles",
    "recursive_guess(name=x)": "unknown option 'name'; its options are",
    "dip_eval(k1)": "unknown option 'k1'; it has no options",
    "solver(presolve=no)": "unknown option 'presolve'; it has no options",
    "dpjudge(missing_unit=lost)": "'missing_unit' is hold or mark, not 'lost'",
    "dpjudge(safe_convoys=2)": "'safe_convoys' is yes or no, not '2'",
    "dpjudge(safe_convoys,safe_convoys=no)": "'safe_convoys' is given twice",
    "partial_information(multi_pass)": "'multi_pass' is no or orders or decisions, not 'yes'",
    "recursive_guess(paths=marks)": "'paths' is orders_first or local_marks or resolved, not",
    "dpjudge(safe_convoys": "write options as in dpjudge(option=value, option); "
    "'dpjudge(safe_convoys' does not end in ')'",
}


@pytest.mark.parametrize(("name", "problem"), FAULTS.items())
def test_faulty_options_are_refused_with_what_would_be_right(name: str, problem: str) -> None:
    with pytest.raises(EngineOptionError) as caught:
        find_engine(name)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


# Commands with options of engines.


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, arguments)


def test_adjudicate_command_takes_options(tmp_path: Path) -> None:
    file = tmp_path / "safe.txt"
    file.write_text(sheet_of(SAFE_CONVOY), encoding="utf-8")
    shown = run("adjudicate", str(file), "--engine", "dpjudge(safe_convoys)")
    assert shown.output.endswith("nothing is proven.\n")
    assert "Decided by dpjudge(safe_convoys=yes) by rules of its own" in shown.output
    printed = json.loads(run("adjudicate", str(file), "--engine", "dpjudge", "--json").output)
    assert printed["engine"] == "dpjudge"


@exhaustive
def test_datc_command_takes_options() -> None:
    shown = run("datc", "6.F", "--engine", "recursive_guess(skip_type_e=no,single_cycles=no)")
    assert shown.output.endswith("30 of 30 cases as the document states.\n")


@pytest.mark.parametrize("command", [("adjudicate", "-"), ("datc",)])
@pytest.mark.parametrize("name", ["dpjudge(safe)", "recursive_gues", "oracle", "", "dpjudge("])
def test_commands_refuse_bad_engines_with_one_error(command: tuple[str, ...], name: str) -> None:
    shown = run(*command, "--engine", name)
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert shown.stderr.lower().count("error:") == 1
    assert run(*command, "--engine", "dpjudge(safe_convoys)", "--no-presolve").exit_code == 2
