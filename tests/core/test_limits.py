"""Limits and Ctrl-C: decided values are right, the others are unknown, and nothing else fails."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest
import z3

import dipsat
from dipsat.game import PhaseKind
from dipsat.outcomes import MovementOutcome
from dipsat.outcomes.resolved_phase import GivenPhase
from dipsat.solving import Budget, incremental_solver, models, resolve
from dipsat.solving.models import _Enumeration
from dipsat.studies import random_board
from dipsat.studies.datc_runs import load_cases
from dipsat.studies.random_boards import trial_board
from dipsat.studies.sheet import kept_map
from tests.core.test_cycles import pigeonhole
from tests.exhaustive import exhaustive, few_of
from tests.phases import phase_of, position_of, troubled_orders

Board = tuple[dipsat.Position, Any]


def boards() -> list[Board]:
    """Boards with decision cycles, some of them paradoxes."""
    cases = [case for case in load_cases(["6.C", "6.F"])
             if case.position.phase.kind is PhaseKind.MOVEMENT]  # fmt: skip
    full = [random_board(seed, 34) for seed in range(3)]
    return [
        *((case.position, case.orders) for case in cases),
        *((position_of(orders), orders) for orders in map(troubled_orders, range(8))),
        *((dipsat.Position.from_units(board.units), board.orders) for board in full),
    ]


BOARDS = boards()


def judged(board: Board, presolve: bool) -> MovementOutcome:
    outcome = dipsat.adjudicate(*board, presolve=presolve)
    assert isinstance(outcome, MovementOutcome)
    return outcome


def refuse_from(monkeypatch: pytest.MonkeyPatch, first: int | None) -> list[int]:
    """Let time run out for questions to Z3 from number `first` on; return the numbers of all."""
    honest, asked = _Enumeration.answer, list[int]()

    def answer(asking: _Enumeration) -> Any:
        asked.append(len(asked))
        return honest(asking) if first is None or asked[-1] < first else None

    monkeypatch.setattr(_Enumeration, "answer", answer)
    return asked


NUMBERS = range(0, len(BOARDS), 2)
STEPS = [
    *((NUMBERS[len(NUMBERS) * third // 3], 0.3) for third in range(3)),
    *(pytest.param(number, 0.1, marks=exhaustive) for number in NUMBERS),
]


@exhaustive
@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize(("number", "step"), STEPS)
def test_a_limit_at_any_question_leaves_unknown_what_depends_on_it_and_the_rest_right(
    step: float, number: int, presolve: bool
) -> None:
    """Questions are tried at steps of `step`, a share of all questions."""
    board = BOARDS[number]
    with pytest.MonkeyPatch.context() as patched:
        asked = refuse_from(patched, None)
        whole = judged(board, presolve)
        values = dict(whole.decisions)
        questions = len(asked)
    assert questions or presolve
    for first in range(0, questions, max(1, round(questions * step))):
        with pytest.MonkeyPatch.context() as patched:
            refuse_from(patched, first)
            outcome = judged(board, presolve)
            assert outcome.to_dict()["orders"]
            assert [order.reason.text for order in outcome.orders]
            proven = {part.verdict for part in outcome.subgraphs}
        assert None in outcome.decisions.values() or "unknown" in proven
        known = {name: value for name, value in outcome.decisions.items() if value is not None}
        assert known.items() <= values.items()


INSIDE_Z3 = [
    (z3.Context, "__init__"), (z3, "SolverFor"), (z3.Solver, "push"), (z3.Solver, "from_string"),
    (z3.Solver, "check"), (z3.Solver, "model"), (z3.ModelRef, "sexpr"), (z3.ModelRef, "__del__"),
    (z3.Solver, "statistics"), (z3.Solver, "pop"),
]  # fmt: skip


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("work", few_of([dipsat.adjudicate, dipsat.prove], 1))
@pytest.mark.parametrize(
    ("owner", "name"), INSIDE_Z3, ids=lambda part: getattr(part, "__name__", part)
)
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_ctrl_c_inside_z3_raises_keyboard_interrupt_and_leaves_everything_usable(
    owner: Any, name: str, late: bool, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = BOARDS[0]
    whole = work(*board).to_dict()
    honest = getattr(owner, name)

    def pressed(*given: Any, **named: Any) -> Any:
        if not late:
            signal.raise_signal(signal.SIGINT)
        found = honest(*given, **named)
        if late:
            signal.raise_signal(signal.SIGINT)
        return found

    incremental_solver._THREAD.__dict__.clear()  # so that a solver is made
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, pressed)
        with pytest.raises(KeyboardInterrupt):
            work(*board)
    assert work(*board).to_dict() == whole


@exhaustive
@pytest.mark.usefixtures("interrupts")
def test_ctrl_c_does_not_wait_for_z3(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirteen pigeons in twelve holes take Z3 longer than anybody waits."""
    monkeypatch.setattr(models, "MAX_STEPS", 10**9)
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        models.find_models(pigeonhole(12), str, lambda _: (0, 1))
    assert models.find_models(pigeonhole(2), str, lambda _: (0, 1)).verdict == "none"


@exhaustive
def test_a_question_that_is_too_hard_is_unknown_after_the_same_steps_everywhere() -> None:
    budgets = [Budget(100_000) for _ in range(2)]
    for budget in budgets:
        found = models.find_models(pigeonhole(12), str, lambda _: (0, 1), budget=budget)
        assert (found.verdict, found.timed_out) == ("unknown", True)
    assert budgets[0].left == budgets[1].left


@pytest.mark.parametrize("presolve", [True, False])
def test_z3_is_not_asked_without_steps(presolve: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = phase_of({"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]})
    asked = "dipsat.solving.resolution.find_resolutions"
    monkeypatch.setattr(asked, lambda *_: pytest.fail("was asked"))
    solution = resolve(dipsat.load_profile("datc"), ring, presolve, Budget(0))
    assert {("move", unit) for unit in range(3)} <= solution.unknown
    assert solution.records == ()


@exhaustive
def test_shipped_rules_take_a_twentieth_of_the_steps_that_z3_may() -> None:
    profile = dipsat.load_profile("arpiesse")
    sheet = trial_board(profile, kept_map("twentytwenty"), 1, 400)
    given = GivenPhase.of(profile, sheet.position(), ())
    budget = Budget(models.MAX_STEPS)
    resolve(profile, given.facts, False, budget=budget)
    assert budget.left is not None
    assert budget.left > models.MAX_STEPS * 0.95
