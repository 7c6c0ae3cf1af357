"""The resolutions of some equations: Z3 enumerates them, and case analysis where it cannot be
imported, as in a browser that has not loaded it yet. `Models.solver` says which has answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dipsat.errors import SolverError
from dipsat.grouped import grouped
from dipsat.solving.budget import Budget, budget_of
from dipsat.solving.models import MAX_RESOLUTIONS, MAX_STEPS, Models, Resolution, find_models
from dipsat.terms.fold import interval
from dipsat.terms.levels import Range
from dipsat.terms.term import Key, Term, size_of, unknowns

CASE_ANALYSIS = "case analysis"
"""The name of this way to find resolutions in results."""
_MOST_PARTS = 500_000
"""Parts of terms that are read: about a second. All equations of a full board take 20,000."""

Equations = Mapping[Key, tuple[Term, bool]]


def find_resolutions(
    equations: Equations,
    name: Callable[[Key], str],
    bounds: Callable[[Key], Range],
    most: int = MAX_RESOLUTIONS,
    budget: Budget | None = None,
) -> Models:
    """What `find_models` returns, the resolutions sorted by their values; by case analysis where Z3
    is not installed. Of more than `most` resolutions, the two need not find the same.

    Raises `SolverError` where Z3 is not installed and case analysis takes too many steps.
    """
    limit = budget_of(MAX_STEPS) if budget is None else budget
    try:
        found = find_models(equations, name, bounds, most, limit)
    except SolverError as missing:
        tried = _by_cases(equations, {key: bounds(key) for key in equations}, most, limit)
        if tried is None:
            why = "the decisions of this board depend on each other too much"
            raise SolverError(missing.name, f"{missing.problem}; {why}") from None
        found = replace(tried, instead_of=missing.name)
    # Z3 finds them in an order that depends on what it was asked before.
    keys = sorted(equations)
    in_order = sorted(found.resolutions, key=lambda one: [one[key] for key in keys])
    return replace(found, resolutions=tuple(in_order))


def _by_cases(
    equations: Equations, ranges: dict[Key, Range], most: int, budget: Budget
) -> Models | None:
    """The resolutions within these ranges, found by trying every value of a decision and tightening
    the ranges of the others; None if that takes too many steps."""
    terms = {key: term for key, (term, _) in equations.items()}
    sizes = {key: size_of(term) for key, term in terms.items()}
    users = grouped((used, key) for key, term in terms.items() for used in sorted(unknowns(term)))
    # Numbers follow from truth values. Of these, one that many equations read decides the most.
    order = sorted(terms, key=lambda key: (not equations[key][1], -len(users.get(key, ()))))
    found: list[Resolution] = []
    waiting, read = [(ranges, order)], 0  # ranges, and the decisions to bound again
    while waiting and len(found) < most:
        known, changed = waiting.pop()
        pending = dict.fromkeys(changed)
        while pending:
            if budget.is_over():
                return Models(tuple(found), complete=False, timed_out=True, solver=CASE_ANALYSIS)
            key, _ = pending.popitem()
            budget.charge(sizes[key])
            read += sizes[key]
            low, high = known[key]
            least, most_of_all = interval(terms[key], known.__getitem__)
            known[key] = max(low, least), min(high, most_of_all)
            if known[key][0] > known[key][1]:
                break
            if known[key] != (low, high):
                pending |= dict.fromkeys(users.get(key, ()))
        else:
            open_key = next((key for key in order if known[key][0] != known[key][1]), None)
            if open_key is None:
                found.append({key: low for key, (low, _) in known.items()})
                continue
            low, high = known[open_key]
            again = [open_key, *users.get(open_key, ())]
            # The last one is tried first.
            waiting += [({**known, open_key: (at, at)}, again) for at in range(high, low - 1, -1)]
        if read > _MOST_PARTS:
            return None
    return Models(tuple(found), complete=len(found) < most, solver=CASE_ANALYSIS)
