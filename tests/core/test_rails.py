"""Clauses, rails and residual terms, against plain evaluation and against propagation."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

import pytest
from hypothesis import settings, strategies as st

import dipsat
from dipsat import Position
from dipsat.equations import (
    Key,
    Term,
    Unknown,
    all_of,
    any_of,
    evaluate,
    greater,
    negation,
    reach,
    residual,
)
from dipsat.equations.term import if_else, sum_of
from dipsat.errors import SolverError
from dipsat.game import PhaseKind
from dipsat.orders import write_order
from dipsat.outcomes import MovementOutcome
from dipsat.rules import load_profile
from dipsat.searches.cegar import judge
from dipsat.searches.encoding import OpenOrders, ProfileReadings
from dipsat.searches.open_orders import Watch, ask_about
from dipsat.searches.ruled_system import learn
from dipsat.solving import SOLVERS, Budget, Gates, clause_solver, propagate
from dipsat.solving.sat import has_sat_solver
from dipsat.studies import random_board
from dipsat.studies.datc_runs import load_cases
from tests.exhaustive import exhaustive, few_examples, few_of

NAMES = [name for name in SOLVERS if name != "sat" or has_sat_solver()]
KEYS: list[Key] = [("x", n) for n in range(5)]


def terms() -> st.SearchStrategy[Term]:
    """Truth values over the unknowns of KEYS."""
    atoms: st.SearchStrategy[Term] = st.sampled_from([Unknown(key, True) for key in KEYS])

    def more(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        lists = st.lists(parts, min_size=1, max_size=3)
        numbers = st.builds(
            lambda plus, minus, n: sum_of([n, *plus], minus), lists, lists, st.integers(-1, 2)
        )
        return st.one_of(
            st.builds(negation, parts),
            st.builds(all_of, lists),
            st.builds(any_of, lists),
            st.builds(greater, numbers, numbers),
            st.builds(if_else, parts, parts, parts),
            st.builds(
                lambda one, two, three: reach([one, two, three], [0, 1], [2], [[2], [0], [0, 1]]),
                parts, parts, parts,
            ),
        )  # fmt: skip

    return st.recursive(atoms, more, max_leaves=12)


VALUES = st.fixed_dictionaries({key: st.sampled_from([None, 0, 1]) for key in KEYS})


@exhaustive
@few_examples(
    25, settings(), term=terms(), known=VALUES,
    rest=st.lists(st.integers(0, 1), min_size=5, max_size=5),
)  # fmt: skip
def test_a_residual_term_has_the_value_of_the_term_and_lists_what_it_has_used(
    term: Term, known: Mapping[Key, int | None], rest: list[int]
) -> None:
    full = {key: rest[n] if known[key] is None else known[key] for n, key in enumerate(KEYS)}
    left, used = residual(term, lambda key: known[key])
    assert evaluate(left, lambda key: full[key] or 0) == evaluate(term, lambda key: full[key] or 0)
    again, _ = residual(term, lambda key: known[key] if key in used else None)
    for values in product((0, 1), repeat=len(KEYS)):
        given = dict(zip(KEYS, values, strict=True))
        if all(given[key] == known[key] for key in used):
            assert evaluate(again, given.__getitem__) == evaluate(left, given.__getitem__)


@pytest.mark.parametrize("name", NAMES)
def test_a_solver_counts_at_most_one_and_takes_clauses_after_an_answer(name: str) -> None:
    gates = Gates()
    some = [gates.variable() for _ in range(5)]
    gates.at_most_one(some)
    solver = clause_solver(name)
    solver.add(gates.take())
    assert solver.solve([some[1]]) is not None
    assert solver.solve([some[0], some[4]]) is None
    solver.add([[some[1], some[2]], [-some[2]]])
    assert solver.solve([-some[1]]) is None
    assert some[1] in (solver.solve([]) or ())


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_may_be_larger_than_a_solver_counts(name: str) -> None:
    """Z3 would keep only the 1 of 2**32 + 1; the other solver accepts no number over 64 bits."""
    holes = range(4)
    clauses = [[4 * pigeon + hole + 1 for hole in holes] for pigeon in range(5)]
    clauses += [
        [-(4 * first + hole + 1), -(4 * second + hole + 1)]
        for hole in holes
        for first, second in combinations(range(5), 2)
    ]
    for steps in (2**32 + 1, 10**29):
        solver = clause_solver(name, Budget(steps))
        solver.add(clauses)
        assert solver.solve([]) is None


def test_unknown_solver_is_refused() -> None:
    with pytest.raises(SolverError, match="there are auto, z3, sat"):
        clause_solver("minisat")


CASES = {
    case.name: (case.position, case.orders)
    for case in load_cases([])
    if case.position.phase.kind is PhaseKind.MOVEMENT
}
BOARDS = {
    str(seed): (dipsat.Position.from_units(board.units), board.orders)
    for seed, board in ((seed, random_board(seed, 30)) for seed in range(25))
}


@pytest.mark.parametrize("name", few_of([*CASES, *BOARDS], 12))
def test_rails_leave_open_what_propagation_leaves_open(name: str) -> None:
    """In the phase with these orders, the fixpoint of propagation is the widest of all."""
    position, orders = {**CASES, **BOARDS}[name]
    outcome = dipsat.adjudicate(position, orders)
    assert isinstance(outcome, MovementOutcome)
    fixed = {unit.unit.location: unit.order for unit in outcome.facts.units}
    given = {location: (order,) for location, order in fixed.items()}
    board = OpenOrders(ProfileReadings(position, {outcome.profile: fixed}), given)
    rules = board.under(outcome.profile)
    bounds = propagate(outcome.profile, outcome.facts)
    assert bool(bounds.open) == (board.find([*rules.rails.assumptions, rules.any_open]) is not None)
    open_units = {key[1] for key in bounds.open if key[0] == "dislodge"}
    for unit in outcome.facts.units:
        claim = rules.is_open(("dislodge", unit.index))
        is_open = board.find([*rules.rails.assumptions, claim]) is not None
        assert is_open == (unit.index in open_units), unit


@exhaustive
def test_the_worked_example_of_cycle_lemmas_computes_what_it_says() -> None:
    """The module computes what its docstring says about F BLA and the ring."""
    orders = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    units = {"TURKEY": ["F ANK", "A CON", "A SMY"], "RUSSIA": ["F BLA"]}
    position, profile = Position.from_units(units), load_profile("datc")
    problem = ask_about(position, [profile], orders, ["F BLA"], Watch())
    board = problem.board()
    rules = board.under(profile)

    def left_open() -> list[str]:
        """The orders of F BLA that may leave the cycle open."""
        return [
            write_order(order, position.map)
            for order in problem.choices["BLA"]
            if board.find((*rules.rails.assumptions, board.guard("BLA", order), rules.any_open))
        ]

    def teach(order: str) -> MovementOutcome:
        found = {write_order(one, position.map): one for one in problem.choices["BLA"]}
        chosen = {at: listed[0] for at, listed in problem.choices.items()} | {"BLA": found[order]}
        outcome = judge(problem.readings, chosen, profile)
        assert isinstance(outcome, MovementOutcome)
        learn(rules, chosen, outcome)
        return outcome

    assert len(problem.choices["BLA"]) == 21
    assert len(left_open()) == 19
    outcome = teach("F BLA H")
    (record,) = outcome.solution.records
    assert record.applied is not None
    assert len(record.applied.cycle) == 9
    assert record.applied.resolutions == 2
    assert record.applied.rule == "circular movement"
    assert {outcome.decisions[f"hold_strength({code})"] for code in ("ANK", "CON", "SMY")} == {0}
    assert {outcome.decisions[f"attack_strength({one})"] for one in orders["TURKEY"]} == {1}
    others = ["F BLA S F ANK - CON", "F BLA S A SMY - ANK"]
    assert left_open() == others
    for order in others:
        assert 2 in teach(order).decisions.values()
    assert left_open() == []
