"""Counts that are minimised: `dipsat.solving.sat` and the steps of its questions."""

from __future__ import annotations

from itertools import combinations

import pytest

from dipsat.solving import AUTO, Z3, Budget, CardinalityProblem, Fewest, clause_solver, sat
from dipsat.solving.budget import ExhaustedError


def pigeons(number: int, holes: int) -> list[tuple[int, ...]]:
    """One hole for each pigeon, and no two pigeons in one."""
    found = [tuple(p * holes + h + 1 for h in range(holes)) for p in range(number)]
    return found + [(-a, -b) for hole in zip(*found, strict=True) for a, b in combinations(hole, 2)]


@pytest.mark.parametrize("solver", [AUTO, Z3])
def test_few_steps_for_each_question_find_the_same_fewest(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = 6
    problem = CardinalityProblem(unknowns=number**2)
    for clause in pigeons(number, number):
        problem.require(*clause)
    homes = [[pigeon * number + hole + 1 for pigeon in range(number)] for hole in range(number)]
    problem.minimised = tuple(map(problem.any_of, homes))
    monkeypatch.setattr(sat, "_SLICE", 40)
    fewest = Fewest(problem, solver)
    fewest.search()
    assert (fewest.count, fewest.bound) == (number, number)  # each has a hole of its own


@pytest.mark.parametrize("solver", [AUTO, Z3])
def test_steps_allowed_for_one_question_are_charged_once_and_limit_no_other(solver: str) -> None:
    budget, steps = Budget(100_000_000), 10_000
    solving = clause_solver(solver, budget)
    solving.add(pigeons(8, 7))
    for _ in range(3):
        before = budget.left or 0
        with pytest.raises(ExhaustedError), budget.no_more_than(steps):
            solving.solve(())
        assert steps <= before - (budget.left or 0) < 2 * steps
    assert not budget.is_over()
    assert solving.solve(()) is None


@pytest.mark.parametrize("guides", [[(1,)], [(-1, -2)], [(1, 3, 5), (-1,)], [(2, 4), (6, -6)]])
def test_guides_change_no_answer(guides: list[tuple[int, ...]]) -> None:
    """On a ring of seven, it takes four to have one of every two neighbours."""
    problem = CardinalityProblem(unknowns=7, minimised=tuple(range(1, 8)))
    for one in range(1, 8):
        problem.require(one, one % 7 + 1)
    fewest = Fewest(problem)
    fewest.search(guides=guides)
    assert (fewest.count, fewest.bound) == (4, 4)
