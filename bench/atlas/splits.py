"""Splits of the board: two lines that hold at the same time, each against everybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dipsat
from bench.atlas.answers import Answer, forms_of
from dipsat.limits import ExhaustedError, running
from dipsat.lines import hold_line
from dipsat.lines.decode import line_of
from dipsat.lines.found import line_to_dict
from dipsat.lines.placement import PlacementModel
from dipsat.lines.terms import Terms, terms_of
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.solving.budget import budget_of
from dipsat.solving.cardinality import Fewest


def split(name: str, asked: Mapping[str, Any], seconds: float) -> Answer:
    """Two lines that share no province and have the fewest units together, one for each number of
    centres. Each holds whoever stands outside of it, so also beside the other."""
    rules = load_profile(DEFAULT_RULES)
    with running(dipsat.Limits(seconds=seconds)) as now:
        sizes = asked["split"]
        first, second = (
            terms_of(dipsat.Lines(centres=number, map=name), rules, now) for number in sizes
        )
        one = PlacementModel(first)
        two = PlacementModel(second, one)
        _order(one, first, sizes)
        fewest, verdict = Fewest(one.problem), "found"
        try:
            fewest.search(budget_of(now))
        except ExhaustedError:
            verdict = "unknown"
        best = fewest.best
        verdict = "impossible" if verdict == "found" and best is None else verdict
        lines = [line_of(model, best, rules) for model in (one, two)] if best is not None else []
    assert all(hold_line(line).verdict == "holds" for line in lines)
    return {
        "asked": dict(asked),
        "verdict": verdict,
        "fewest": fewest.count if lines else None,
        "bound": None if verdict == "impossible" else fewest.bound,
        "all": False,
        "forms": [form for line in lines for form in forms_of([line_to_dict(line)])],
    }


def _order(one: PlacementModel, terms: Terms, sizes: list[int]) -> None:
    """Of lines for equally many centres, which are all, the first one holds the first centre."""
    centres = sorted(terms.map.centers)
    if sizes[0] == sizes[1] and sum(sizes) == len(centres):
        one.problem.require(-one.outside[centres[0]])
