"""`dipsat.search` and `dipsat search`: questions, answers and refusals."""

from __future__ import annotations

import gc
import json
import re
import signal
import weakref
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import Achieve, Differ, Guarantee, Paradox, studies
from dipsat.board import parse_map
from dipsat.cli import main
from dipsat.errors import ProfileError, QuestionError, SolverError, UnknownNameError
from dipsat.rules import load_profile, parse_profile
from dipsat.searches import (
    Question,
    difference_goal as differ,
    open_orders as problem,
    paradox_goal as paradox,
)
from dipsat.searches.checked_rules import cycles_are_single
from dipsat.searches.open_orders import Watch, ask_about
from dipsat.solving import Budget, Gates, RailSystem, System, clause_solver, ground_system
from dipsat.solving.sat import has_sat_solver
from tests.checkout import ROOT
from tests.core.test_architecture import run_python
from tests.exhaustive import exhaustive, few_of
from tests.phases import position_of

EXAMPLES = ROOT / "docs" / "examples"
CHANNEL = {
    "ENGLAND": ["F LON", "F WAL"],
    "FRANCE": ["A BRE", "F ENG"],
    "GERMANY": ["F BEL", "F NTH"],
}
MAP = """
name: line
powers:
  RED: {home: [AAA], start: [A AAA]}
provinces:
  AAA: {name: Alpha, type: land, supply: true, army: [BBB]}
  BBB: {name: Beta, type: land, army: [AAA]}
"""
BOARD = dipsat.Position.from_units(CHANNEL)
CROWDED = dipsat.Position.from_units(studies.random_board(6, 24).units)
START = {"RUSSIA": ["A WAR", "A MOS"], "TURKEY": ["A CON", "A SMY"], "ITALY": ["A ROM", "A VEN"]}
SOLVERS = ("z3", "sat") if has_sat_solver() else ("z3",)


def cli(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["search", *arguments], catch_exceptions=False)


def judged(result: dipsat.SearchResult, rules: str = "datc") -> dipsat.Outcome:
    """The outcome of the orders that were found, adjudicated from their texts."""
    position = dipsat.Position.from_units(
        {
            power: [" ".join(text.split()[:2]) for text in texts]
            for power, texts in result.orders.items()
        }
    )
    return dipsat.adjudicate(position, result.orders, rules)


# --- what is found --------------------------------------------------------------------------------


@exhaustive
@pytest.mark.parametrize(
    ("kind", "solver"), few_of(product([None, "none", "several", "Szykman"], SOLVERS[::-1]), 3)
)
def test_a_paradox_that_is_found_has_no_single_resolution(kind: str | None, solver: str) -> None:
    result = dipsat.search(BOARD, Paradox(kind), solver=solver)
    assert result.verdict == "found"
    verdicts = {one.verdict for one in judged(result).subgraphs}
    assert verdicts & {"none", "several"}
    assert kind is None or kind in verdicts or kind in {s.rule for s in judged(result).subgraphs}


@pytest.mark.parametrize("solver", SOLVERS)
def test_there_is_no_paradox_without_a_convoy_or_a_ring(solver: str) -> None:
    """A convoy needs a fleet at sea, and a circular movement three units (DATC 4.A.2, 6.C)."""
    position = dipsat.Position.from_units({"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]})
    result = dipsat.search(position, Paradox(), solver=solver)
    assert (result.verdict, result.orders) == ("impossible", {})
    told = str(dipsat.search(position, Paradox("none"), solver=solver))
    assert "has a decision cycle of the kind 'none'" in " ".join(told.split())


@pytest.mark.parametrize("solver", SOLVERS)
def test_rulebooks_differ_where_the_datc_says_so(solver: str) -> None:
    """DATC 6.F.14: under Szykman's rule the convoy is ignored, under 'all hold' nobody moves."""
    orders = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    position = position_of(orders)
    fixed = dipsat.search(position, Differ("4.A.2-all-hold"), {"ENGLAND": orders["ENGLAND"]},
                          solver=solver)  # fmt: skip
    assert fixed.verdict == "found"
    assert fixed.orders["ENGLAND"] == ("F LON S F WAL - ENG", "F WAL - ENG")
    assert judged(fixed).units_after != judged(fixed, "4.A.2-all-hold").units_after
    assert any("F ENG is dislodged by F WAL" in fact for fact in fixed.facts)


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_solver_outlives_its_search(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes megabytes that Python does not count, so none may wait for Python's collector."""
    made: list[weakref.ref[object]] = []

    def noted(name: str, budget: Budget) -> object:
        found = clause_solver(name, budget)
        made.append(weakref.ref(found))
        return found

    monkeypatch.setattr("dipsat.searches.encoding.clause_solver", noted)
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})
    gc.disable()
    try:
        assert dipsat.search(position, Paradox(), solver=solver).verdict == "impossible"
        goal = Achieve("enters(BUR)")
        assert dipsat.search(position, goal, solver=solver).verdict == "found"
        assert [one() for one in made] == [None] * len(made) != []
    finally:
        gc.enable()


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of equations of each board that is searched."""
    found: list[int] = []

    def counting(*given: Any) -> System:
        system = ground_system(*given)
        found.append(len(system.equations))
        return system

    monkeypatch.setattr("dipsat.searches.encoding.ground_system", counting)
    return found


@exhaustive
@pytest.mark.parametrize("question", few_of([Paradox(), Differ("4.A.2-all-hold")], 1))
def test_a_large_board_is_searched_in_a_region_first(question: Question, sizes: list[int]) -> None:
    found = dipsat.search(CROWDED, question, open="all", rules="4.A.2-szykman")
    assert found.verdict == "found"
    assert 0 < max(sizes) < 500  # of over seven hundred


@exhaustive
@pytest.mark.parametrize("question", few_of([Paradox(), Differ("4.A.2-all-hold")], 1))
def test_the_board_may_have_an_answer_where_no_region_has_one(
    question: Question, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (paradox, differ):
        monkeypatch.setattr(module, "FEW", 0)
    found = dipsat.search(CROWDED, question, open="all", rules="4.A.2-szykman")
    assert found.verdict == "found"
    assert max(sizes) > 700


@pytest.mark.parametrize(("units", "most"), [(19, 0), (20, 1), (24, 1), (34, 2)])
def test_searched_regions_cover_at_most_two_thirds_of_the_board(units: int, most: int) -> None:
    position = dipsat.Position.from_units(studies.random_board(9, units).units)
    profiles = [load_profile("datc")]
    found = [*problem.regions(ask_about(position, profiles, {}, "all", Watch()))]
    assert len(found) == most


SEEDED = """
import dipsat
from dipsat import Paradox
from dipsat.searches import open_orders
from dipsat.searches.open_orders import Watch, ask_about
rules = "4.A.2-szykman"
position = dipsat.Position.from_units(dipsat.studies.random_board(9, 34).units)
print(dipsat.search(position, Paradox(), open="all", rules=rules).to_dict())
open_orders._weight = lambda orders: 0  # every unit is as good a middle of a region
asked = ask_about(position, [dipsat.load_profile(rules)], {}, "all", Watch())
for choices in open_orders.regions(asked):
    print("region:", [at for at, orders in choices.items() if len(orders) > 1])
"""


@exhaustive
def test_regions_and_their_answers_do_not_depend_on_the_hash_seed() -> None:
    told = {run_python(SEEDED, PYTHONHASHSEED=seed) for seed in ("0", "1")}
    assert len(told) == 1
    assert told.pop().count("region:") == 2


def test_a_board_is_grounded_once_for_each_profile(sizes: list[int]) -> None:
    """Whether profiles differ takes several questions with equations of their own."""
    without = {power: [unit for unit in units if unit[0] == "A"] for power, units in START.items()}
    position = dipsat.Position.from_units(without)
    found = dipsat.search(
        position, Differ("4.A.2-all-hold"), open=["RUSSIA", "TURKEY"], rules="4.A.2-szykman"
    )
    assert found.verdict == "impossible"
    assert len(sizes) <= 2


@exhaustive
def test_profiles_with_equal_equations_share_an_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """The profiles of 4.A.5 differ only in where units may retreat."""
    made: list[Gates] = []

    def counted(gates: Gates, *given: Any) -> RailSystem:
        made.append(gates)
        return RailSystem(gates, *given)

    monkeypatch.setattr("dipsat.searches.ruled_system.RailSystem", counted)
    units = {"TURKEY": ["F ANK", "A CON", "A SMY"], "RUSSIA": ["F BLA"]}
    position = dipsat.Position.from_units(units)
    assert dipsat.search(position, Differ("4.A.5-a"), open="all").verdict == "impossible"
    assert len(made) == 1


def test_orders_that_are_legal_under_one_profile_only_are_part_of_the_question() -> None:
    """DATC 4.A.3, 6.G.8: what `VIA` means without a convoy is a setting."""
    position = dipsat.Position.from_units({"FRANCE": ["A BRE"], "ENGLAND": ["F ENG"]})
    other = parse_profile("extends: datc\nsettings: {via_without_convoy: by land}", "by-land.yaml")
    result = dipsat.search(position, Differ(other))
    assert result.verdict == "found"
    assert result.orders["FRANCE"][0].endswith("VIA")


@exhaustive
@pytest.mark.parametrize("solver", few_of(SOLVERS[::-1], 1))
def test_a_guarantee_holds_against_every_answer(solver: str) -> None:
    """An attack that can have one more support than any other is sure to succeed."""
    position = dipsat.Position.from_units(
        {"FRANCE": ["A BUR", "A RUH", "A BEL"], "GERMANY": ["A KIE", "A MUN"]}
    )
    sure = dipsat.search(position, Guarantee("not enters(RUH)", "France"), solver=solver)
    assert sure.verdict == "found"
    assert list(sure.orders) == ["FRANCE"]
    more = dipsat.search(position, Guarantee("enters(MUN)", "France"), solver=solver)
    assert more.verdict == "impossible"


@exhaustive
def test_goals_know_powers_provinces_sets_and_owners() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR", "A MAR"]}, centers={"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]}
    )
    for goal, verdict in {
        "owner(PAR, FRANCE) and not some(PAR.departures)": "found",
        "owner(BER, GERMANY) and owner(PAR, FRANCE)": "found",
        "owner(BER, FRANCE)": "impossible",
        "sum(owner(p, FRANCE) for p in provinces if p.supply) >= 2": "found",
        "sum(owner(p, FRANCE) for p in provinces if p.supply) >= 4": "impossible",
        "all(moves(u.province) for u in units) and enters(BUR)": "found",
        "goes(PAR, BUR) and goes(MAR, BUR)": "impossible",
        "standoff(BUR)": "found",
    }.items():
        assert dipsat.search(position, Achieve(goal)).verdict == verdict, goal


@exhaustive
def test_units_that_are_not_open_follow_their_orders_or_hold() -> None:
    """They hold too if their orders are illegal. An open unit loses its order."""
    goal, illegal = Achieve("enters(ENG)"), {"ENGLAND": ["F LON - MUN"]}
    result = dipsat.search(BOARD, goal, {"GERMANY": ["F NTH - ENG"]}, open="ENGLAND")
    assert result.open_units == ("F LON", "F WAL")
    assert result.orders["GERMANY"] == ("F BEL H", "F NTH - ENG")
    assert result.orders["FRANCE"] == ("A BRE H", "F ENG H")
    assert dipsat.search(BOARD, Achieve("moves(LON)"), illegal).verdict == "impossible"
    orders = {"ENGLAND": ["F LON H", "F WAL - ENG"]}
    result = dipsat.search(BOARD, goal, orders, open=["london"])
    assert result.open_units == ("F LON",)
    assert result.orders["ENGLAND"] == ("F LON S F WAL - ENG", "F WAL - ENG")


def test_questions_on_another_map_know_its_names() -> None:
    board = parse_map(MAP, "line.yaml")
    position = dipsat.Position.from_units({"RED": ["A AAA"]}, board)
    assert dipsat.search(position, Achieve("stands(BBB, RED)")).verdict == "found"
    assert dipsat.search(position, Achieve("stays(BBB)")).verdict == "impossible"
    with pytest.raises(ProfileError, match="unknown name 'MUN'"):
        dipsat.search(position, Achieve("stands(MUN, RED)"))


# --- progress and limits --------------------------------------------------------------------------


def test_an_interrupt_keeps_what_is_known() -> None:
    def stop(what: str) -> None:
        if "trying answers" in what:
            raise KeyboardInterrupt

    result = dipsat.search(BOARD, Guarantee("stays(ENG)", "FRANCE"), progress=stop)
    assert result.verdict == "unknown"
    assert "interrupted" in result.reason
    assert list(result.orders) == ["FRANCE"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_without_time_there_is_no_verdict(solver: str) -> None:
    result = dipsat.search(
        BOARD, Paradox("fallback"), limits=dipsat.Limits(seconds=0.001), solver=solver
    )
    assert (result.verdict, result.orders) == ("unknown", {})
    assert "time limit" in result.reason


def test_progress_reports_how_many_order_sets_were_adjudicated() -> None:
    told: list[str] = []
    dipsat.search(BOARD, Paradox(), progress=told.append)
    assert told[0].startswith("6 open units, 54,835,200 order sets: trying ")
    assert all("order sets adjudicated, none is an answer" in line for line in told)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "problem"),
    [
        ("enter(ENG)", "goal:1:1: unknown name 'enter'; did you mean 'enters'"),
        ("enters(ENG", "goal:1:.*the expression is not finished"),
        ("ENG", "goal:1:1: expected true or false, found a Province"),
        ("sum(enters(p) for p in provinces)", "expected true or false"),
        ("enters(ENGLAND)", "expected a Province, found a Power"),
        ("stands(XYZ, ENGLAND)", "unknown name 'XYZ'"),
        ("enters(ENG) or __import__('os')", "unknown name '__import__'"),
        ("", "goal:1:1: the expression is empty"),
        ("(" * 200 + "enters(ENG)" + ")" * 200, "nested"),
        ("enters(MUN) enters(BUR)", "goal:1:1: two expressions stand side by side; join them"),
        ("owner(MUN) = FRANCE", "goal:1:1: a single = is not a comparison; write =="),
        ("enters(MUN) == 3x", "this is not a number"),
        ("enters(MUN))", r"goal:1:12: unmatched '\)'"),
        ("'MUN", "the text in quotes does not end"),
        ("MUN if BUR", "an `if` needs its `else`"),
        ("enters(MUN]", "this bracket does not match"),
        ("import MUN", "this is not possible here in an expression"),
    ],
)
def test_a_faulty_goal_is_refused_in_words_of_the_rules(goal: str, problem: str) -> None:
    with pytest.raises(ProfileError, match=problem) as caught:
        dipsat.search(BOARD, Achieve(goal))
    for python in ("syntax", "comma", ":=", "literal", "assign", "string"):
        assert python not in str(caught.value)


SETS_NUMBERS = parse_profile(
    "extends: datc\ncycles:\n  - {name: weak, when: true, set: {attack_strength: 0}}", "weak.yaml"
)
WINTER = dipsat.Position.from_units({}, phase="W1901A", centers={"FRANCE": ["PAR", "MAR"]})
ALL_HOLD = {power: [f"{unit} H" for unit in units] for power, units in CHANNEL.items()}


@pytest.mark.parametrize(
    ("question", "options", "error", "problem"),
    [
        (Paradox("Szykmann"), {}, QuestionError, "did you mean 'Szykman'"),
        (Paradox("ring"), {}, QuestionError, "there are none, several, circular movement"),
        (Paradox(), {"open": ["A PAR"]}, QuestionError, "neither a power nor a unit on the board"),
        (Paradox(), {"open": ["ITALY"]}, QuestionError, "ITALY has no unit"),
        (Guarantee("enters(ENG)", "ITALY"), {}, QuestionError, "ITALY has no unit"),
        (Achieve("enters(ENG)"), {"rules": "4.D.9-a"}, QuestionError, "4.D.9"),
        (Paradox(), {"orders": ALL_HOLD}, QuestionError, "no unit is open"),
        (Paradox(), {"position": WINTER}, QuestionError, "W1901A is not a movement phase"),
        (Paradox(), {"rules": SETS_NUMBERS}, QuestionError, "'weak', which sets attack_strength"),
        (Guarantee("enters(ENG)", "Atlantis"), {}, UnknownNameError, "power"),
        (Achieve("enters(ENG)"), {"open": ["nowhere"]}, UnknownNameError, "nowhere"),
        (Differ("datd"), {}, UnknownNameError, "profile"),
        (Paradox(), {"solver": "minisat"}, SolverError, "minisat"),
    ],
)
def test_impossible_questions_are_refused(
    question: Question, options: dict[str, Any], error: type[dipsat.DipsatError], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        dipsat.search(**{"position": BOARD, "question": question, **options})


# --- the command line -----------------------------------------------------------------------------


@exhaustive
def test_exit_status_shows_the_verdict() -> None:
    board = str(EXAMPLES / "channel.yaml")
    assert cli("paradox", board).exit_code == 0
    assert cli("achieve", board, "dislodged(ENG)", "--for", "France").exit_code == 1
    assert cli("paradox", board, "--kind", "nothing").exit_code == 2
    assert cli("paradox", board, "--kind", "fallback", "--timeout", "0.001").exit_code == 3


@exhaustive
def test_json_has_the_verdict_the_orders_and_what_was_open() -> None:
    start = str(EXAMPLES / "start.yaml")
    found = cli("guarantee", start, "stands(GAL, AUSTRIA)", "--for", "Austria", "--json")
    value = json.loads(found.stdout)
    assert value["verdict"] == "found"
    assert value["rules"] == ["datc"]
    assert set(value["orders"]) == {"AUSTRIA"}
    assert len(value["open"]) == 22
    assert value["order_sets"] > 10**20


@exhaustive
def test_an_order_sheet_can_be_opened_again() -> None:
    sheet = str(EXAMPLES / "bounce.txt")
    closed = cli("achieve", sheet, "enters(BUR)").stderr
    assert "no unit is open" in closed
    assert "hint: --open UNIT-OR-POWER opens its orders, --open all opens all\n" in closed
    found = cli("achieve", sheet, "stands(BUR, FRANCE)", "--for", "France")
    assert found.exit_code == 1
    assert cli("achieve", sheet, "not enters(BUR)", "--open", "all").exit_code == 0


@exhaustive
def test_two_profiles_are_compared_or_one_with_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "board.yaml"
    path.write_text("rules: 4.A.2-all-hold\nunits: " + json.dumps(CHANNEL), encoding="utf-8")
    assert "4.A.2-all-hold and 4.A.2-szykman" in " ".join(
        cli("differ", str(path), "--rules", "4.A.2-szykman").stdout.split()
    )
    assert cli("differ", str(path), *["--rules", "datc"] * 3).exit_code == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("units: {FRANCE: [A PAR]}\norders: {FRANCE: [A PAR H]}\nopen: [A PAR]",
         r"board.yaml:3:8: A PAR is open, but has the order 'A PAR H'"),
        ("units: {FRANCE: [A PAR]}\norders: {FRANCE: [A PAR H]}\nopen: [France]", "3:8"),
        ("units: {FRANCE: [A PAR]}\norders: {FRANCE: [A PAR H]}\nopen: [all]", "3:8"),
        ("units: {FRANCE: [A PAR]}\nopen: [A MUN]", "'A MUN' is neither a power nor a unit"),
        ("units: {FRANCE: [A PAR]}\nopen: [Frnce]", "2:8"),
        ("units: {FRANCE: [A PAR]}\nopen: A PAR", "2:7.*should be a list"),
        ("units: {FRANCE: [A PAR]}\nopened: [A PAR]", "did you mean 'open'"),
        ("open: [A PAR]", "orders"),
    ],
)  # fmt: skip
def test_faults_in_a_file_are_reported_with_their_place(
    text: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.yaml").write_text(text, encoding="utf-8")
    found = cli("paradox", "board.yaml")
    assert found.exit_code == 2
    assert found.stderr.startswith("error: ")
    assert re.search(problem, found.stderr), found.stderr


def test_other_commands_refuse_open_orders(tmp_path: Path) -> None:
    path = tmp_path / "board.yaml"
    path.write_text("units: {FRANCE: [A PAR]}\norders: {}\nopen: [A PAR]", encoding="utf-8")
    found = CliRunner().invoke(main, ["adjudicate", str(path)])
    assert found.exit_code == 2
    assert "only `dipsat search` takes open orders" in found.stderr


def test_rules_that_match_the_first_proven_profile_are_compared_with_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Loading all thirty for the first question of a process would take as long as the rest."""
    loaded: list[str] = []

    def loading(name: str) -> dipsat.Profile:
        loaded.append(name)
        return dipsat.load_profile(name)

    monkeypatch.setattr("dipsat.searches.checked_rules.load_profile", loading)
    assert cycles_are_single(parse_profile("extends: datc\n", "mine.yaml"))
    assert loaded == ["datc"]


# --- several files --------------------------------------------------------------------------------


@exhaustive
def test_several_files_are_answered_in_their_order_and_a_bad_one_stops_none(
    tmp_path: Path,
) -> None:
    """The convoy paradox of DATC 6.F.14 has no resolution; a single open fleet always has one."""
    lone, bad = tmp_path / "lone.yaml", tmp_path / "bad.yaml"
    lone.write_text("units: {ENGLAND: [F LON]}\n")
    bad.write_text("units: {ENGLAND: [F NOWHERE]}\n")
    paradox = str(EXAMPLES / "convoy-paradox.txt")
    for jobs in ("1", "2"):
        files = [str(lone), str(bad), paradox]
        done = cli("paradox", *files, "--open", "all", "--json", "--jobs", jobs)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one["file"] for one in answers] == [str(lone), paradox]
        assert [one["verdict"] for one in answers] == ["impossible", "found"]
        assert "bad.yaml:1:19" in done.stderr
        assert done.exit_code == 2


def test_answers_in_a_journal_are_not_searched_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, journal = tmp_path / "lone.yaml", str(tmp_path / "journal")
    board.write_text("units: {ENGLAND: [F LON]}\n")
    asked = ("achieve", str(board), "stands(NTH, ENGLAND)", "--jobs", "1", "--resume", journal)
    first = cli(*asked)
    assert first.exit_code == 0
    monkeypatch.setattr("dipsat.searches.answering.search", None)
    assert cli(*asked).stdout == first.stdout


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_answers_before_an_interrupt_are_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C, or the signal of batch systems."""
    boards = [tmp_path / "first.yaml", tmp_path / "second.yaml"]
    for board in boards:
        board.write_text("units: {ENGLAND: [F LON]}\n")
    position = dipsat.Position.from_units({"ENGLAND": ["F LON"]})
    answers = [dipsat.search(position, Achieve("stands(NTH, ENGLAND)"))]
    twice = list[str]()

    def interrupted(*_: Any, **__: Any) -> Any:
        if not answers:
            try:
                signal.raise_signal(signal.Signals[name])
            finally:
                if name == "SIGTERM":  # `timeout` sends it to the command and to its group
                    signal.raise_signal(signal.SIGTERM)
                    twice.append(name)
        return answers.pop()

    monkeypatch.setattr("dipsat.searches.answering.search", interrupted)
    done = cli("achieve", *map(str, boards), "stands(NTH, ENGLAND)", "--jobs", "1", "--json")
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [str(boards[0])]
    assert "interrupted; 1 of 2 files are answered" in done.stderr
    assert twice == ["SIGTERM"] * (name == "SIGTERM")
    assert done.exit_code == 3
