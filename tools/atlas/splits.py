"""Questions about lines that `dipsat.searches.Lines` does not ask: two lines at the same time, and
lines that do not hold all of certain centres."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dipsat
from dipsat import searches
from dipsat.base import ExhaustedError, running
from dipsat.rules import DEFAULT_RULES, Profile, load_profile
from dipsat.searches.line_finder import line_of, line_to_dict
from dipsat.searches.line_placement import PlacementModel
from dipsat.searches.line_question import terms_of
from dipsat.solving import Fewest, budget_of
from tools.atlas.answers import Answer, as_answer, forms_of, search


def split(name: str, asked: Mapping[str, Any], limits: dipsat.Limits) -> Answer:
    """Two lines that share no province and have the fewest units together, one for each number of
    centres. Each holds against anyone outside it, and so beside the other too."""
    found = search(name, asked, limits)
    made = as_answer(asked, found.to_dict(), whole=False)
    made["forms"] = [form for line in found.lines for form in forms_of([line_to_dict(line)])]
    return made


def not_all(name: str, asked: Mapping[str, Any], limits: dipsat.Limits) -> Answer:
    """The fewest units that hold at least as many centres, but not all of any set of `not_all`."""
    rules = load_profile(DEFAULT_RULES)
    with running(limits):
        model = PlacementModel(terms_of(searches.Lines(self_sufficient=True, map=name), rules))
        for centres in asked["not_all"]:
            model.problem.require(*(model.outside[centre] for centre in centres))
        return _fewest(asked, model, rules)


def _fewest(asked: Mapping[str, Any], model: PlacementModel, rules: Profile) -> Answer:
    """The answer for the fewest units of a model."""
    fewest, verdict = Fewest(model.problem, budget=budget_of()), "found"
    try:
        fewest.search()
    except ExhaustedError:
        verdict = "unknown"
    best = fewest.best
    verdict = "impossible" if verdict == "found" and best is None else verdict
    lines = [] if best is None else [line_to_dict(line_of(model, best, rules))]
    return {
        "asked": dict(asked),
        "verdict": verdict,
        "fewest": fewest.count if lines else None,
        "bound": None if verdict == "impossible" else fewest.bound,
        "all": False,
        "forms": list(forms_of(lines)),
    }
