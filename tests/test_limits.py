"""Time limits: what is decided before one is right, the rest is unknown, and nothing else fails."""

from __future__ import annotations

from typing import Any

import pytest

import dipsat
from dipsat.datc import load_cases
from dipsat.game.phase_name import PhaseKind
from dipsat.proof.movement import MovementOutcome
from dipsat.scenarios.random_board import random_board
from dipsat.solving import models
from tests.exhaustive import few_of
from tests.phases import position_of, troubled_orders

Board = tuple[dipsat.Position, Any]


def boards() -> list[Board]:
    """Boards with decision cycles, paradoxes among them."""
    cases = [case for case in load_cases(["6.C", "6.F", "6.G"])
             if case.position.phase.kind is PhaseKind.MOVEMENT]  # fmt: skip
    troubled = [troubled_orders(seed) for seed in range(30)]
    full = [random_board(seed, 34) for seed in range(10)]
    return [
        *((case.position, case.orders) for case in cases),
        *((position_of(orders), orders) for orders in troubled),
        *((dipsat.Position.from_units(board.units), board.orders) for board in full),
    ]


BOARDS = boards()


def judged(board: Board, presolve: bool) -> MovementOutcome:
    outcome = dipsat.adjudicate(*board, presolve=presolve, time_limit_ms=600_000)
    assert isinstance(outcome, MovementOutcome)
    return outcome


def refuse_from(monkeypatch: pytest.MonkeyPatch, first: int | None) -> list[int]:
    """Let the time be up for every question to Z3 from this one on; return the number of each."""
    honest, asked = models._check, list[int]()

    def check(*arguments: Any) -> Any:
        asked.append(len(asked))
        if first is not None and asked[-1] >= first:
            models._THREAD.left = 0
            return None
        return honest(*arguments)

    monkeypatch.setattr(models, "_check", check)
    return asked


@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize("number", few_of(range(len(BOARDS)), 12))
def test_a_limit_at_any_question_leaves_unknown_what_depends_on_it_and_the_rest_right(
    number: int, presolve: bool
) -> None:
    board = BOARDS[number]
    with pytest.MonkeyPatch.context() as patched:
        asked = refuse_from(patched, None)
        whole = judged(board, presolve)
        values = dict(whole.decisions)
        questions = len(asked)
    for first in range(questions):
        with pytest.MonkeyPatch.context() as patched:
            refuse_from(patched, first)
            outcome = judged(board, presolve)
            assert outcome.to_dict()["orders"]
            assert [order.reason.text for order in outcome.orders]
            proven = {part.verdict for part in outcome.subgraphs}
        assert None in outcome.decisions.values() or "unknown" in proven
        known = {name: value for name, value in outcome.decisions.items() if value is not None}
        assert known.items() <= values.items()
