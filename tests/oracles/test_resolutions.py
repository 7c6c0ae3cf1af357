"""The resolutions that dipsat finds against brute force over all assignments."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import dipsat
from dipsat.equations import Grounder, Key, Phase, Term, all_decisions, evaluate, interval
from dipsat.solving import Bounds, propagate, resolve
from dipsat.solving.models import find_models
from dipsat.studies import random_board
from tests.exhaustive import exhaustive, few_of, parts_of
from tests.oracles.datc_equations import FAMILIES as FAMILIES, assert_resolved, consistent_guesses
from tests.phases import adjudicate, crowded_orders, phase_of, troubled_orders, without_solvers

MOST_ORDERS = 9  # brute force tries 2 to this power assignments


def small_phases(first: int, last: int) -> Iterator[tuple[dict[str, list[str]], Phase]]:
    """Phases with few enough orders to try all, three in four close to a paradox or ring."""
    for seed in range(first, last):
        orders = troubled_orders(seed) if seed % 4 else crowded_orders(seed)
        phase = phase_of(orders)
        if len(phase.moves) + len(phase.supports) + len(phase.convoys) <= MOST_ORDERS:
            yield orders, phase


@exhaustive
@pytest.mark.parametrize("block", few_of(range(8), 1))
def test_z3_finds_exactly_the_resolutions_of_brute_force(block: int) -> None:
    profile = dipsat.load_profile("datc")
    for orders, phase in small_phases(block * 40, block * 40 + 40):
        expected = {
            frozenset((FAMILIES[type(o)], o.index, value) for o, value in guess.items())
            for guess in consistent_guesses(phase)
        }
        ranges = propagate(profile, phase, numbers_only=True)
        grounder = Grounder(profile, phase)
        equations = {
            key: (grounder.equation(key), profile.decisions[key[0]].type.is_truth)
            for key in all_decisions(profile.decisions, phase)
        }
        models = find_models(equations, grounder.name, ranges.interval)
        found = [
            frozenset(
                (family, index, bool(value))
                for (family, index), value in resolution.items()
                if family in FAMILIES.values()
            )
            for resolution in models.resolutions
        ]
        assert models.complete
        assert len(found) == len(set(found))
        assert set(found) == expected, orders


@exhaustive
@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize("seeds", parts_of(range(1000, 1200), 16))
def test_resolutions_are_those_of_brute_force(seeds: range, presolve: bool) -> None:
    profile, numbers = dipsat.load_profile("datc"), set[int]()
    for orders, phase in small_phases(seeds.start, seeds.stop):
        guesses = list(consistent_guesses(phase))
        numbers.add(assert_resolved(adjudicate(orders, presolve=presolve), guesses))
        bounds = propagate(profile, phase)
        for guess in guesses:  # what propagation fixes holds in all of them
            for order, value in guess.items():
                low, high = bounds.interval((FAMILIES[type(order)], order.index))
                assert low <= value <= high
    assert numbers >= ({1, 2} if len(seeds) < 100 else {0, 1, 2})  # otherwise it would show little


@pytest.mark.parametrize("seeds", parts_of(range(60), 10))
def test_compiled_bounds_equal_those_of_the_ground_terms(seeds: range) -> None:
    """Two readings of the equations: generated code, and intervals of the ground terms."""
    profile = dipsat.load_profile("datc")
    for seed in seeds:
        board = random_board(seed, units=20)
        phase = phase_of(board.orders)
        bounds = propagate(profile, phase)
        grounder = Grounder(profile, phase)
        for key in all_decisions(profile.decisions, phase):
            assert interval(grounder.equation(key), bounds.interval) == bounds.interval(key)


@pytest.mark.parametrize("seeds", parts_of(range(100), 10))
def test_decided_values_fulfil_every_equation_unless_a_rule_pinned_them(seeds: range) -> None:
    profile = dipsat.load_profile("datc")
    for seed in seeds:
        phase = phase_of(random_board(seed).orders)
        solution = resolve(profile, phase)
        grounder = Grounder(profile, phase)

        def value(key: Key, bounds: Bounds = solution.bounds) -> int:
            found = bounds.value(key)
            assert found is not None
            return found

        for key in all_decisions(profile.decisions, phase):
            if key not in solution.pins:
                assert evaluate(grounder.equation(key), value) == value(key), grounder.name(key)


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(60), 6))
def test_presolve_changes_nothing_in_the_outcome(seeds: range) -> None:
    for seed in seeds:
        board = random_board(seed)
        position = dipsat.Position.from_units(board.units)
        with_presolve = dipsat.adjudicate(position, board.orders).to_dict()
        without = dipsat.adjudicate(position, board.orders, presolve=False).to_dict()
        assert without_solvers(with_presolve) == without_solvers(without)


def test_propagation_grounds_each_equation_once(monkeypatch: pytest.MonkeyPatch) -> None:
    profile, equation = dipsat.load_profile("datc"), Grounder.equation
    asked: list[Key] = []

    def noting(grounder: Grounder, key: Key) -> Term:
        asked.append(key)
        return equation(grounder, key)

    monkeypatch.setattr(Grounder, "equation", noting)
    for seed in range(10):
        phase = phase_of(random_board(seed).orders)
        asked.clear()
        propagate(profile, phase)
        assert sorted(asked) == sorted(all_decisions(profile.decisions, phase))
