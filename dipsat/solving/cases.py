"""Case analysis: finding the resolutions of equations where Z3 cannot be imported, as in a browser
that has not loaded it yet."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.base import grouped
from dipsat.equations import Equations, Key, Range, interval, size_of, unknowns
from dipsat.solving.budget import Budget

CASE_ANALYSIS = "case analysis"
"""The name of this way to find resolutions in results."""

_MOST_PARTS = 500_000
"""Parts of terms that may be read: about a second. All equations of a full board take 20,000."""


def resolutions_by_cases(
    equations: Equations, ranges: dict[Key, Range], most: int, budget: Budget
) -> tuple[list[Mapping[Key, int]], bool] | None:
    """The resolutions within these ranges, and whether the budget was enough; None if that takes
    too many steps. Every value of a decision is tried, and the other ranges are tightened."""
    terms = {key: term for key, (term, _) in equations.items()}
    sizes = {key: size_of(term) for key, term in terms.items()}
    users = grouped((used, key) for key, term in terms.items() for used in sorted(unknowns(term)))
    # Numbers follow from truth values. A truth value that many equations read decides the most.
    order = sorted(terms, key=lambda key: (not equations[key][1], -len(users.get(key, ()))))
    found: list[Mapping[Key, int]] = []
    waiting, read = [(ranges, order)], 0  # ranges, and the decisions to bound again
    while waiting and len(found) < most:
        known, changed = waiting.pop()
        pending = dict.fromkeys(changed)
        while pending:
            if budget.is_over():
                return found, False
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
    return found, True
