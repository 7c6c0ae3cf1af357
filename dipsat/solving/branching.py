"""The resolutions of a few equations by case analysis, for the small cores that propagation leaves.

Every value of a decision is tried. A core of a game has two to five open decisions, and trying one
of them decides the others. Asking Z3 takes longer than that, and importing it a thousand times as
long. Cores that are larger, or take more steps, go to Z3, as does everything if nothing is
propagated. Where there is no Z3, as in a browser that has not loaded it yet, trying
goes on for longer. `Models.solver` says which of the two has answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from dipsat.errors import SolverError
from dipsat.grouped import grouped
from dipsat.solving.budget import Budget
from dipsat.solving.models import MAX_RESOLUTIONS, MAX_STEPS, Models, Resolution, find_models
from dipsat.terms.fold import interval
from dipsat.terms.levels import Range
from dipsat.terms.term import Key, Term, size_of, unknowns

CASE_ANALYSIS = "case analysis"
"""The name of this way to find resolutions in results."""
_MOST_TRUTHS = 30
"""Open truth values of a small core: a ring of moves has two for each unit."""
_MOST_PARTS = 20_000
"""Parts of terms that are read before Z3 is asked: about 30 ms. Cores of games take a few
hundred."""
_MOST_PARTS_ALONE = 500_000
"""Parts that are read where there is no Z3: about a second. All equations of a full board take
20,000."""

Equations = Mapping[Key, tuple[Term, bool]]


def find_resolutions(
    equations: Equations,
    name: Callable[[Key], str],
    bounds: Callable[[Key], Range],
    most: int = MAX_RESOLUTIONS,
    budget: Budget | None = None,
) -> Models:
    """What `find_models` returns, without Z3 if the equations are few and simple. Of more than
    `most` resolutions, the two need not find the same."""
    limit = Budget(MAX_STEPS) if budget is None else budget
    if sum(is_truth for _, is_truth in equations.values()) <= _MOST_TRUTHS:
        with suppress(_TooLargeError):
            ranges = {key: bounds(key) for key in equations}
            return _Branches(equations, most, limit).models(ranges)
    return find_all_resolutions(equations, name, bounds, most, limit)


def find_all_resolutions(
    equations: Equations,
    name: Callable[[Key], str],
    bounds: Callable[[Key], Range],
    most: int = MAX_RESOLUTIONS,
    budget: Budget | None = None,
) -> Models:
    """What `find_models` returns; by case analysis where Z3 is not installed.

    Raises `SolverError` there if it takes too many steps.
    """
    limit = Budget(MAX_STEPS) if budget is None else budget
    try:
        return find_models(equations, name, bounds, most, limit)
    except SolverError as missing:
        branches = _Branches(equations, most, limit, _MOST_PARTS_ALONE)
        with suppress(_TooLargeError):
            found = branches.models({key: bounds(key) for key in equations})
            is_out_of_steps = found.timed_out and not limit.is_late()
            if not is_out_of_steps or branches.read < _MOST_PARTS:
                return replace(found, instead_of=missing.name)
        problem = f"{missing.problem}; the decisions of this board depend on each other too much"
        raise SolverError(missing.name, problem) from None


class _TooLargeError(Exception):
    """There are more steps than branching is meant for."""


class _Branches:
    """A search through the values of decisions. Each reading of an equation costs a step of the
    budget for each part of its term."""

    def __init__(
        self, equations: Equations, most: int, budget: Budget, parts: int = _MOST_PARTS
    ) -> None:
        self.terms = {key: term for key, (term, _) in equations.items()}
        self.sizes = {key: size_of(term) for key, term in self.terms.items()}
        self.users = grouped(
            (used, key) for key, term in self.terms.items() for used in sorted(unknowns(term))
        )
        # Numbers follow from truth values. Of these, one that many equations read decides the most.
        self.order = sorted(
            equations, key=lambda key: (not equations[key][1], -len(self.users.get(key, ())))
        )
        self.most = most
        self.budget = budget
        self.read, self.most_read = 0, parts

    def models(self, ranges: dict[Key, Range]) -> Models:
        """All resolutions within the ranges, or the first `most`."""
        found: list[Resolution] = []
        waiting = [(ranges, list(self.terms))]  # ranges, and the decisions to bound again
        while waiting:
            if self.budget.is_over():
                return Models(tuple(found), complete=False, timed_out=True, solver=CASE_ANALYSIS)
            known, changed = waiting.pop()
            if not self._tighten(known, changed):
                continue
            key = next((key for key in self.order if known[key][0] != known[key][1]), None)
            if key is None:
                found.append({key: low for key, (low, _) in known.items()})
                if len(found) == self.most:
                    return Models(tuple(found), complete=False, solver=CASE_ANALYSIS)
                continue
            low, high = known[key]
            again = [key, *self.users.get(key, ())]
            for value in range(high, low - 1, -1):  # the last one is tried first
                waiting.append(({**known, key: (value, value)}, again))
        return Models(tuple(found), solver=CASE_ANALYSIS)

    def _tighten(self, known: dict[Key, Range], changed: list[Key]) -> bool:
        """Tighten the ranges until they follow from each other; false if one becomes empty."""
        pending = dict.fromkeys(changed)
        while pending:
            key = next(iter(pending))
            del pending[key]
            self._charge(self.sizes[key])
            least, most = interval(self.terms[key], known.__getitem__)
            low, high = known[key]
            new = max(low, least), min(high, most)
            if new[0] > new[1]:
                return False
            if new != (low, high):
                known[key] = new
                pending.update(dict.fromkeys(self.users.get(key, ())))
        return True

    def _charge(self, parts: int) -> None:
        self.budget.charge(parts)
        self.read += parts
        if self.read > self.most_read:
            raise _TooLargeError
