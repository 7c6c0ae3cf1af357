"""Order sets that are tried first: drawn at random, or without decision cycles."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import dipsat
from dipsat import Position
from dipsat.outcomes import MovementOutcome
from dipsat.rules import load_profile
from dipsat.searches import cegar
from dipsat.searches.cegar import Judged, find_by_chance, find_quiet_first
from dipsat.searches.open_orders import SearchProblem, Watch, ask_about
from tests.exhaustive import exhaustive

UNITS = {"ENGLAND": ["A LON", "F NTH", "F ENG"], "FRANCE": ["A BEL"]}


def asked() -> SearchProblem:
    position = dipsat.Position.from_units(UNITS)
    return ask_about(position, [load_profile("datc")], {}, "all", Watch())


def dislodged_by_convoy(judged: Sequence[Judged]) -> str | None:
    """The army from LON, if it has dislodged the one in BEL, which takes a convoy and a support."""
    (outcome,) = judged
    assert isinstance(outcome, dipsat.MovementOutcome)
    lost = [str(one.unit) for one in outcome.dislodged]
    return "A LON" if lost == ["A BEL"] and outcome.order("A LON").verdict == "succeeds" else None


@exhaustive
def test_random_order_sets_have_orders_that_help_each_other() -> None:
    """A move, a convoy and a support have to fit together."""
    problem = asked()
    found = find_by_chance(problem, dislodged_by_convoy)
    assert found is not None
    assert found.wanted == "A LON"
    assert found.orders.keys() == {"LON", "NTH", "ENG", "BEL"}
    again = asked()
    assert find_by_chance(again, dislodged_by_convoy) == found
    assert again.watch.adjudicated == problem.watch.adjudicated > 1


def test_random_order_sets_without_an_answer_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cegar, "_DRAWN", 5)
    problem = asked()
    assert find_by_chance(problem, lambda _: None) is None
    assert problem.watch.adjudicated == 5


RING = {
    "AUSTRIA": ["F BAR", "F EDI"],
    "ENGLAND": ["A CLY"],
    "FRANCE": ["F NWG"],
    "GERMANY": ["F NWY", "A MUN"],
}
PARADOX = {
    "AUSTRIA": ["F BAR - NWG", "F EDI S F NWG"],
    "ENGLAND": ["A CLY - EDI VIA"],
    "FRANCE": ["F NWG C A CLY - EDI"],
    "GERMANY": ["F NWY S F BAR - NWG"],
}


def test_a_cycle_that_one_answer_has_settled_may_be_part_of_another() -> None:
    profile = load_profile("datc")
    asked = ask_about(Position.from_units(RING), [profile], PARADOX, None, Watch())
    seen = []

    def accept(judged: Sequence[Judged]) -> str | None:
        (outcome,) = judged
        assert isinstance(outcome, MovementOutcome)
        seen.append(
            str(next(unit.order for unit in outcome.facts.units if unit.unit.location == "MUN"))
        )
        return seen[-1] if len(seen) > 3 else None  # not what the solver offers first

    board = asked.board()
    found = find_quiet_first(board, [board.under(profile)], [], accept, Watch())
    assert found is not None
    assert len(set(seen)) == 4
