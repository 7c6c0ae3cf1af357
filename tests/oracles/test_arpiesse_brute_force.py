"""Arpiesse Diplomacy against all assignments, by its rules written down a second time by hand."""

from __future__ import annotations

import pytest

from tests.exhaustive import few_of, parts_of
from tests.oracles.arpiesse_boards import READINGS, Orders, battle, small_boards
from tests.oracles.arpiesse_equations import Arpiesse
from tests.oracles.datc_equations import assert_resolved
from tests.phases import adjudicate, phase_of

SMALL = small_boards(120)
BOARDS: list[Orders] = [*SMALL[85:], *map(battle, range(40)), *SMALL[:85]]  # 85 has two resolutions


@pytest.mark.parametrize("rules", few_of(READINGS, 2))
@pytest.mark.parametrize("boards", parts_of(BOARDS[:6] + BOARDS[6::6], 6))
def test_resolutions_are_those_of_brute_force(boards: list[Orders], rules: str) -> None:
    """All assignments of success and failure against the rules written down by hand."""
    seen = set()
    for orders in boards:
        phase = phase_of(orders, rules)
        outcome = adjudicate(orders, rules)
        guesses = Arpiesse(phase, READINGS[rules]).consistent_guesses()
        seen.add(assert_resolved(outcome, guesses))
        assert outcome.decisions == adjudicate(orders, rules, presolve=False).decisions
        if not phase.convoys:  # V.6 is about attacks: supports are cut by attacks only
            cut = (order for order in outcome.orders if order.verdict == "cut")
            assert all(order.reason.code != "cycle_rule" for order in cut), orders
    assert seen >= ({1, 2} if boards[0] is BOARDS[0] else {1})
