"""Case analysis, without Z3: the same resolutions as Z3 finds, within the same limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx
import pytest

import dipsat
from dipsat.equations import Equations, Key, Term, Unknown, all_of, any_of, greater, negation
from dipsat.equations.term import if_else, sum_of
from dipsat.errors import SolverError
from dipsat.game import PhaseKind
from dipsat.solving import (
    MAX_RESOLUTIONS,
    Budget,
    Models,
    connected_subgraphs,
    decision_cycles,
    models,
    resolution as resolve,
)
from dipsat.solving.graph import strong_components
from dipsat.solving.models import find_models
from dipsat.studies import random_board
from dipsat.studies.datc_runs import load_cases
from tests.exhaustive import exhaustive, parts_of
from tests.phases import adjudicate, position_of, troubled_orders, without_solvers

RULES = ["datc", "1971", "1982", "2000", "2023", "dptg", "datc+4.A.2-all-hold"]
TRUTH = (0, 1)


def as_set(found: Models) -> frozenset[frozenset[tuple[Key, int]]]:
    return frozenset(frozenset(one.items()) for one in found.resolutions)


@pytest.fixture(autouse=True)
def without_z3(monkeypatch: pytest.MonkeyPatch) -> None:
    """Z3 cannot be imported."""

    def missing(*_: Any) -> Models:
        raise SolverError("z3", "is not installed")

    monkeypatch.setattr(models, "find_models", missing)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[Equations]:
    """The equations asked about from now on; each answer is compared with Z3's."""
    asked: list[Equations] = []
    honest = models.find_resolutions

    def find(equations: Equations, name: Any, bounds: Any, most: int, budget: Any) -> Models:
        found = honest(equations, name, bounds, most, budget)
        assert (found.solver, found.instead_of) == ("case analysis", "z3")
        by_z3 = find_models(equations, name, bounds, most)
        assert (found.verdict, found.complete) == (by_z3.verdict, by_z3.complete)
        assert len(found.resolutions) == len(by_z3.resolutions)
        if found.complete:
            assert as_set(found) == as_set(by_z3)
        asked.append(equations)
        return found

    monkeypatch.setattr(resolve, "find_resolutions", find)
    return asked


@exhaustive
def test_cores_of_datc_cases_have_the_resolutions_that_z3_finds(compared: list[Equations]) -> None:
    for case in load_cases():
        if case.position.phase.kind is PhaseKind.MOVEMENT:
            dipsat.adjudicate(case.position, case.orders)
    assert len(compared) > 20


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seeds", parts_of(range(50), 2))
def test_cores_of_boards_have_the_resolutions_that_z3_finds(
    seeds: range, rules: str, compared: list[Equations]
) -> None:
    for seed in seeds:
        orders = troubled_orders(seed)
        dipsat.adjudicate(position_of(orders), orders, rules)
        board = random_board(seed)
        dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders, rules)
    assert compared


@pytest.mark.parametrize("seeds", parts_of(range(60), 5))
def test_outcomes_are_those_of_z3(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [troubled_orders(seed) for seed in seeds]
    found = [adjudicate(orders).to_dict() for orders in boards]
    monkeypatch.setattr(models, "find_models", find_models)
    by_z3 = [adjudicate(orders).to_dict() for orders in boards]
    assert without_solvers(found) == without_solvers(by_z3)


def random_system(seed: int) -> Equations:
    """Equations of random form over a few truth values and numbers."""
    rng = random.Random(seed)
    keys = [("t", at) for at in range(rng.randint(1, 5))]
    numbers = [("n", at) for at in range(rng.randint(0, 2))]

    def truth(depth: int = 2) -> Term:
        if not depth:
            return Unknown(rng.choice(keys), True)
        forms: list[Callable[[], Term]] = [
            lambda: Unknown(rng.choice(keys), True),
            lambda: negation(truth(depth - 1)),
            lambda: all_of([truth(depth - 1), truth(depth - 1)]),
            lambda: any_of([truth(depth - 1), truth(depth - 1)]),
            lambda: greater(number(depth - 1), number(depth - 1)),
            lambda: if_else(truth(depth - 1), truth(depth - 1), truth(depth - 1)),
        ]
        return rng.choice(forms)()

    def number(depth: int) -> Term:
        if numbers and rng.random() < 0.5:
            return Unknown(rng.choice(numbers), False)
        return sum_of([rng.randint(0, 1), truth(depth) if depth else Unknown(keys[0], True)])

    found: dict[Key, tuple[Term, bool]] = {key: (truth(), True) for key in keys}
    return {**found, **{key: (sum_of([truth(1), truth(1)]), False) for key in numbers}}


@pytest.mark.parametrize("seeds", parts_of(range(600), 40))
def test_random_equations_have_the_resolutions_that_z3_finds(seeds: range) -> None:
    counts = set()
    for seed in seeds:
        equations = random_system(seed)
        found = models.find_resolutions(equations, str, bounds_of(equations))
        by_z3 = find_models(equations, str, bounds_of(equations))
        assert (found.verdict, as_set(found)) == (by_z3.verdict, as_set(by_z3)), seed
        counts.add(found.verdict)
    assert counts == {"none", "unique", "several"}


def bounds_of(equations: Equations) -> Callable[[Key], tuple[int, int]]:
    return lambda key: TRUTH if equations[key][1] else (0, 2)


def free(count: int) -> Equations:
    return {("free", at): (Unknown(("free", at), True), True) for at in range(count)}


def test_no_more_resolutions_are_listed_than_asked_for() -> None:
    for count, most, complete in ((6, 100, True), (6, 64, False), (7, MAX_RESOLUTIONS, False)):
        found = models.find_resolutions(free(count), str, lambda _: TRUTH, most)
        assert len(found.resolutions) == len(as_set(found)) == min(2**count, most)
        assert (found.complete, found.timed_out) == (complete, False)


def test_resolutions_are_sorted_whichever_are_found_first(monkeypatch: pytest.MonkeyPatch) -> None:
    equations = free(3)
    found = models.find_resolutions(equations, str, lambda _: TRUTH).resolutions
    values = [[one[key] for key in sorted(equations)] for one in found]
    assert values == sorted(values)
    assert len(values) == 8
    backwards = Models(tuple(reversed(found)))
    monkeypatch.setattr(models, "find_models", lambda *_: backwards)
    assert models.find_resolutions(equations, str, lambda _: TRUTH).resolutions == found


def test_within_a_limit_of_steps_nothing_wrong_is_found() -> None:
    equations = free(3)
    whole = models.find_resolutions(equations, str, lambda _: TRUTH)
    assert len(whole.resolutions) == 8
    verdicts = set()
    for steps in range(40):
        found = models.find_resolutions(equations, str, lambda _: TRUTH, budget=Budget(steps))
        assert as_set(found) <= as_set(whole)
        assert found.timed_out is not found.complete
        assert found.timed_out or as_set(found) == as_set(whole)
        verdicts.add(found.verdict)
    assert verdicts == {"unknown", "several"}


def random_graph(seed: int) -> dict[Key, list[Key]]:
    rng = random.Random(seed)
    keys = [("x", at) for at in range(rng.randint(1, 12))]
    edges = rng.randint(0, 2 * len(keys))
    found: dict[Key, list[Key]] = {key: [] for key in keys}
    for _ in range(edges):
        found[rng.choice(keys)].append(rng.choice(keys))
    return found


def test_parts_of_graphs_are_those_of_networkx() -> None:
    """Connected subgraphs are sorted, and in the order of their first decisions."""
    for seed in range(100):
        graph = random_graph(seed)
        digraph = networkx.DiGraph(graph)
        expected = {frozenset(one) for one in networkx.strongly_connected_components(digraph)}
        parts = list(strong_components(graph))
        assert {frozenset(one) for one in parts} == expected
        assert sum(map(len, parts)) == len(graph)
        ends = {frozenset(one) for one in networkx.attracting_components(digraph)}
        assert {frozenset(one) for one in decision_cycles(graph)} == ends
        connected = networkx.connected_components(networkx.Graph(graph))
        assert connected_subgraphs(graph) == tuple(sorted(tuple(sorted(one)) for one in connected))


@exhaustive
def test_a_long_chain_of_decisions_needs_no_recursion() -> None:
    chain: dict[Key, list[Key]] = {("x", at): [("x", at + 1)] for at in range(20_000)}
    chain["x", 20_000] = [("x", 19_999)]
    assert decision_cycles(chain) == ((("x", 19_999), ("x", 20_000)),)
    assert len(connected_subgraphs(chain)) == 1
