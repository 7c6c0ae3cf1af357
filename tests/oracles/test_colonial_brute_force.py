"""The resolutions of DATC 2.4 chapter 7 counted without any solver: all values of some decisions
are tried, the others are computed from them, and contradictions are left out."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import product

import pytest

from dipsat.equations import Grounder, Key, Term, evaluate, phase_of, unknowns
from dipsat.formats import Case
from dipsat.game import judge_orders, read_submissions
from dipsat.solving import propagate
from dipsat.solving.models import find_models
from dipsat.studies import rules_for
from dipsat.studies.datc_runs import load_cases

CASES = {case.name: case for case in load_cases(["7.B", "7.C", "7.D"], variants=True)}
COUNTS = {"7.B.17": 2, "7.B.24": 0, "7.B.25": 2, "7.B.31": 0, "7.C.7": 2, "7.C.8": 0, "7.C.9": 0,
          "7.C.10": 0, "7.C.11": 0, "7.C.12": 2, "7.C.13": 2, "7.C.14": 0, "7.D.1": 2}  # fmt: skip
"""The number of resolutions that the document states ("there are two resolutions", "no consistent
resolution") or that a circular movement has; all other cases have one."""


def open_equations(case: Case) -> tuple[Grounder, dict[Key, Term], dict[Key, bool]]:
    """What propagation leaves of a case: the equations, and which decisions are truth values."""
    rules = rules_for(case, "datc")
    position = case.position.with_words(rules.words)
    submissions = read_submissions(position, case.orders, rules.settings)
    phase = phase_of(rules, position, judge_orders(position, submissions, rules.settings))
    bounds = propagate(rules, phase)
    grounder = Grounder(rules, phase, bounds.interval)
    truths = {key: rules.decisions[key[0]].type.is_truth for key in bounds.open}
    return grounder, {key: grounder.equation(key) for key in bounds.open}, truths


def cut(graph: dict[Key, set[Key]], truths: dict[Key, bool]) -> list[Key]:
    """Truth values without which no decision depends on itself."""
    found: list[Key] = []
    while True:
        left = {key: needs - set(found) for key, needs in graph.items() if key not in found}
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            found.append(next(key for key in error.args[1] if truths[key]))
        else:
            return found


def count(equations: dict[Key, Term], truths: dict[Key, bool]) -> int:
    """How many assignments to all decisions satisfy all equations."""
    graph = {key: unknowns(term) & equations.keys() for key, term in equations.items()}
    chosen = cut(graph, truths)
    rest = {key: needs - set(chosen) for key, needs in graph.items() if key not in chosen}
    order = list(TopologicalSorter(rest).static_order())
    found = 0
    for guess in product((0, 1), repeat=len(chosen)):
        values = dict(zip(chosen, guess, strict=True))
        for key in order:
            values[key] = evaluate(equations[key], values.__getitem__)
        found += all(evaluate(equations[k], values.__getitem__) == values[k] for k in chosen)
    return found


@pytest.mark.parametrize("name", CASES)
def test_number_of_resolutions_is_that_of_the_document_and_of_all_assignments(name: str) -> None:
    grounder, equations, truths = open_equations(CASES[name])
    expected = COUNTS.get(name, 1)
    assert count(equations, truths) == expected
    if equations:
        pairs = {key: (term, truths[key]) for key, term in equations.items()}
        bounds = propagate(grounder.profile, grounder.phase)
        models = find_models(pairs, grounder.name, bounds.interval)
        assert len(models.resolutions) == expected
        assert models.complete
