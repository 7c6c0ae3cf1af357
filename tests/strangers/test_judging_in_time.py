"""Judging, proving, explaining and searching end when their time is up, wherever they are then:
what they say is right, the rest is unknown. No test waits: a clock of the tests' own says when."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import searches
from dipsat.base import running, running_limits
from dipsat.equations import all_decisions, grounding as ground
from dipsat.errors import FileError, LimitError, UndecidedError
from dipsat.rules import parse_profile
from dipsat.searches import parse_line
from dipsat.solving import Solution, resolve
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.random_boards import trial_board
from dipsat.studies.sheet import kept_map
from tests.exhaustive import exhaustive, few_of
from tests.phases import RING, phase_of, position_of, troubled_orders
from tests.strangers.clock import LIMITS, late_after, late_results, points, readings_of

Board = tuple[dipsat.Position, Any, str]


def _declared() -> Board:
    profile = dipsat.load_profile("colonial")
    sheet = trial_board(profile, kept_map("colonial"), 1, 20)
    return sheet.position(), sheet.orders, "colonial"


def boards() -> list[Board]:
    """Boards with decision cycles and paradoxes, and one with orders of a declared kind."""
    cases = load_cases(["6.C.1", "6.C.3", "6.F.14", "6.F.17", "6.F.22", "6.F.24", "6.G.7"])
    return [
        *((case.position, case.orders, "datc") for case in cases),
        *((case.position, case.orders, "4.A.2-szykman-literal") for case in cases[2:6]),
        *((position_of(orders), orders, "datc") for orders in map(troubled_orders, range(6))),
        _declared(),
    ]


BOARDS = boards()


FEW_POINTS = [4, pytest.param(15, marks=exhaustive)]
each_board = pytest.mark.parametrize(
    "number", [pytest.param(n, marks=exhaustive if n not in (0, 2) else ()) for n in range(18)]
)


@each_board
@pytest.mark.parametrize("most", FEW_POINTS)
@pytest.mark.parametrize("presolve", [True, False])
def test_an_outcome_is_right_or_unknown(number: int, presolve: bool, most: int) -> None:
    position, orders, rules = BOARDS[number]
    judged = partial(dipsat.adjudicate, position, orders, rules, presolve=presolve)
    whole = judged()
    verdicts = {order.unit: (order.verdict, order.fate) for order in whole.orders}
    proven = {part.decisions: part.verdict for part in whole.subgraphs}
    for found in late_results(partial(judged, limits=LIMITS), most):
        if found is None or found.is_decided:
            assert found is None or found.to_dict() == whole.to_dict()
            continue
        known = {name: value for name, value in found.decisions.items() if value is not None}
        assert known.items() < whole.decisions.items()
        for order in found.orders:
            verdict, fate = verdicts[order.unit]
            assert order.verdict in (verdict, "unknown")
            assert order.fate in (fate, "unknown")
        for part in found.subgraphs:
            assert part.verdict in (proven[part.decisions], "unknown")
        assert "unknown" in {part.verdict for part in found.subgraphs}
        assert not found.is_proven
        refuses_what_follows(found)


def refuses_what_follows(outcome: dipsat.Outcome) -> None:
    """Check that nothing is said about what follows from decisions that are not made."""
    for name in ("next", "winner", "units_after", "units", "dislodged", "contested"):
        with pytest.raises(UndecidedError):
            getattr(outcome, name)
    shown = outcome.to_dict()
    assert {shown[name] for name in ("units", "dislodged", "contested", "next", "winner")} == {None}
    assert [order.reason.text for order in outcome.orders]


@pytest.mark.parametrize(
    ("name", "presolve", "step"),
    [
        ("6.C.1", True, 3),
        ("6.C.1", False, 9),
        ("6.F.22", True, 5),
        pytest.param("6.C.1", True, 1, marks=exhaustive),
        pytest.param("6.F.22", True, 1, marks=exhaustive),
    ],
)
def test_a_resolution_that_runs_out_of_time_keeps_what_is_known(
    name: str, presolve: bool, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the time is up: in grounding, in a solver, or where a rule settles a cycle."""
    monkeypatch.setattr(ground, "_AT_ONCE", 20)  # these boards take fewer than a thousand steps
    (case,) = load_cases([name])
    phase, rules = phase_of(case.orders), dipsat.load_profile("datc")

    def resolved() -> Solution:
        with running(LIMITS):
            return resolve(rules, phase, presolve)

    whole, undecided = resolve(rules, phase, presolve), set[int]()
    keys = all_decisions(rules.decisions, phase)
    for point in range(1, readings_of(resolved), step):
        with late_after(point):
            found = resolved()
        undecided.add(len(found.unknown))
        for key in keys:
            value = found.bounds.value(key)
            assert value == (None if key in found.unknown else whole.bounds.value(key))
    assert 0 not in undecided or not presolve
    assert undecided - {0}


@each_board
def test_a_proof_is_right_or_unknown(number: int) -> None:
    whole = dipsat.prove(*BOARDS[number])
    proven = {part.decisions: part.verdict for part in whole.subgraphs}
    verdicts = set()
    for found in late_results(partial(dipsat.prove, *BOARDS[number], limits=LIMITS)):
        if found is not None:
            verdicts.add(found.verdict)
            for part in found.subgraphs:
                assert part.verdict in (proven[part.decisions], "unknown")
            if not found.is_grounded:
                with pytest.raises(LimitError):
                    found.smt2()
    assert verdicts <= {whole.verdict, "unknown"}
    assert "unknown" in verdicts


SMALL = dipsat.Position.from_units({"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR", "A MUN"]})
CORE = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H", "A MUN S A BUR"]}
LINE = """\
units: [F AEG, F EAS]
open: [EAS]
behind: [AEG]
enemy: {units: 2, fleets_not_in: [SYR, SMY, ION]}
"""
ASKED: dict[str, Callable[[dipsat.Limits], str]] = {
    "core": lambda limits: _explained(limits).core.verdict,
    "change": lambda limits: _explained(limits).change.verdict,
    "achieve": lambda limits: _found(dipsat.Achieve("dislodged(BUR)"), limits),
    "impossible": lambda limits: _found(dipsat.Achieve("owner(LON, FRANCE)"), limits),
    "paradox": lambda limits: _found(dipsat.Paradox(), limits),
    "guarantee": lambda limits: _found(dipsat.Guarantee("dislodged(MAR)", "GERMANY"), limits),
    "differ": lambda limits: _found(dipsat.Differ("4.A.2-1982"), limits),
    "hold": lambda limits: searches.hold_line(parse_line(LINE, "line.yaml"), limits=limits).verdict,
}


def _explained(limits: dipsat.Limits) -> Any:
    outcome = dipsat.adjudicate(SMALL, CORE)
    return dipsat.explain(outcome, "A PAR", core=True, change=True, limits=limits)


def _found(question: Any, limits: dipsat.Limits) -> str:
    return dipsat.search(SMALL, question, open="all", limits=limits).verdict


@exhaustive
@pytest.mark.parametrize("most", FEW_POINTS)
@pytest.mark.parametrize("name", few_of(ASKED, 3))
def test_an_answer_is_right_or_unknown(name: str, most: int) -> None:
    ask = ASKED[name]
    verdicts = set(late_results(lambda: ask(LIMITS), most))
    assert verdicts <= {ask(dipsat.Limits()), "unknown"}
    assert "unknown" in verdicts


def test_a_game_that_is_not_judged_in_time_stays_as_it_is() -> None:
    def ring() -> dipsat.Game:
        return dipsat.Game(position_of(RING)).submit(RING)

    late = 0
    for point in points(lambda: ring().advance(limits=LIMITS)):
        game = ring()
        before = game.to_dict()
        with late_after(point):
            try:
                game.advance(limits=LIMITS)
            except LimitError:
                late += 1
                assert game.to_dict() == before
        assert game.phase == dipsat.PhaseName.parse("F1901M" if game.history else "S1901M")
    assert late > 3


def test_a_comparison_is_complete_or_missing() -> None:
    def compared() -> dict[str, Any]:
        return dipsat.compare(SMALL, CORE, ["datc", "rulebooks/1971"], limits=LIMITS).to_dict()

    whole = compared()
    assert all(found in (whole, None) for found in late_results(compared))


def test_too_little_work_says_nothing_about_what_follows() -> None:
    position, orders, rules = BOARDS[2]
    outcome = dipsat.adjudicate(position, orders, rules, limits=dipsat.Limits(work=1))
    assert not outcome.is_decided
    refuses_what_follows(outcome)
    found = dipsat.explain(outcome, outcome.orders[0].unit, core=True, change=True)
    assert found.core is not None
    assert found.change is not None
    assert (found.core.verdict, found.change.verdict) == ("unknown", "unknown")


@pytest.mark.parametrize("limits", [dipsat.Limits(seconds=5), dipsat.Limits(work=5)])
def test_an_engine_that_keeps_no_limit_is_refused(limits: dipsat.Limits) -> None:
    position, orders, _ = BOARDS[0]
    with pytest.raises(LimitError, match="run_limited"):
        dipsat.adjudicate(position, orders, engine="decision_graph", limits=limits)


ANY = dipsat.Paradox()
PAIR = dipsat.Position.from_units({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})
HEAVY = (
    "name: heavy\nextends: datc\ndecisions:\n"
    "  x(u): any(any(hold_strength(k) + hold_strength(j) > 3 for k in Province) "
    "for j in Province)\n"
)


@exhaustive
@pytest.mark.parametrize(
    ("call", "most"),
    [
        (lambda rules: dipsat.adjudicate(PAIR, {}, rules, presolve=False, limits=LIMITS), 40_000),
        pytest.param(
            lambda rules: dipsat.prove(PAIR, {}, rules, limits=LIMITS), 800_000, marks=exhaustive
        ),
        pytest.param(
            lambda rules: dipsat.search(PAIR, ANY, open="all", rules=rules, limits=LIMITS),
            700_000,
            marks=exhaustive,
        ),
    ],
    ids=["adjudicate", "prove", "search"],
)
def test_the_clock_is_looked_at_often(call: Callable[[dipsat.Profile], object], most: int) -> None:
    """There are fewer than `most` calls of functions between two looks; a million take 0.2 seconds.
    The graph of a system and its text, which proofs and searches need, are made without a look."""
    rules = parse_profile(HEAVY, "heavy.yaml")
    with late_after(None) as clock, clock.counting():
        call(rules)
    assert clock.gap < most
    assert clock.calls > 2 * clock.gap  # otherwise the input is too small to show anything


def test_a_call_inside_another_keeps_the_limits_of_both() -> None:
    """A search reports its progress to a function that calls dipsat itself."""
    found: list[object] = []

    def note(_: str) -> None:
        try:
            found.append(dipsat.load_map("no.yaml", limits=dipsat.Limits(seconds=1)))
        except FileError as error:
            found.append(error.problem)

    closed = dipsat.Limits(files=dipsat.Files.none())
    dipsat.search(SMALL, ANY, open="all", limits=closed, progress=note)
    assert found
    assert {str(one).partition(":")[0] for one in found} == {"cannot be read"}
    with running(dipsat.Limits(seconds=9, work=5)), running(dipsat.Limits(seconds=20, work=3)):
        assert (running_limits().seconds, running_limits().work) == (9, 3)
    assert running_limits() == dipsat.Limits()


def test_limits_are_left_neither_to_a_reader_of_games_nor_to_a_thread(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    dipsat.Game.standard().save(path)
    for _ in dipsat.load_games(path, limits=LIMITS):
        assert running_limits() == dipsat.Limits()
    with running(LIMITS), ThreadPoolExecutor() as pool:
        assert running_limits().seconds == LIMITS.seconds
        assert pool.submit(running_limits).result() == dipsat.Limits()


def test_a_proof_keeps_its_limits_for_what_it_finds_later() -> None:
    position = position_of(RING)
    proof = dipsat.prove(position, RING, limits=LIMITS)
    assert (proof.limits, proof.to_dict()["seconds"]) == (LIMITS, LIMITS.seconds)
    with running(dipsat.Limits(seconds=5)):
        assert dipsat.prove(position, RING).limits.seconds == 5
    assert set(proof.subgraphs[0].core) == {"F ANK", "A CON", "A SMY"}
