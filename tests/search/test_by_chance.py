"""Order sets drawn at random, for questions to which a solver proposes many wrong answers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import dipsat
from dipsat.rules import load_profile
from dipsat.searches import cegar
from dipsat.searches.cegar import Judged, find_by_chance
from dipsat.searches.open_orders import SearchProblem, Watch, ask_about

UNITS = {"ENGLAND": ["A LON", "F NTH", "F ENG"], "FRANCE": ["A BEL"]}


def asked() -> SearchProblem:
    position = dipsat.Position.from_units(UNITS)
    return ask_about(position, [load_profile("datc")], {}, "all", Watch())


def dislodged_by_convoy(judged: Sequence[Judged]) -> str | None:
    """The army from LON, if it has dislodged the one in BEL: it takes a convoy and a support."""
    (outcome,) = judged
    assert isinstance(outcome, dipsat.MovementOutcome)
    lost = [str(one.unit) for one in outcome.dislodged]
    return "A LON" if lost == ["A BEL"] and outcome.order("A LON").verdict == "succeeds" else None


def test_orders_that_help_each_other_are_drawn_soon() -> None:
    """A move, a convoy and a support have to fit together."""
    problem = asked()
    found = find_by_chance(problem, dislodged_by_convoy)
    assert found is not None
    assert found.wanted == "A LON"
    assert found.orders.keys() == {"LON", "NTH", "ENG", "BEL"}
    again = asked()
    assert find_by_chance(again, dislodged_by_convoy) == found
    assert again.watch.adjudicated == problem.watch.adjudicated > 1


def test_orders_drawn_in_vain_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cegar, "_DRAWN", 5)
    problem = asked()
    assert find_by_chance(problem, lambda _: None) is None
    assert problem.watch.adjudicated == 5
