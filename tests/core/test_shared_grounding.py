"""Equations whose parts are grounded once are the same terms, with the same count of steps."""

from __future__ import annotations

import pytest

from dipsat.equations import MAX_OPEN_STEPS, Grounder, all_decisions
from dipsat.rules import load_profile, variant_names
from dipsat.searches.encoding import candidates, limits
from dipsat.searches.open_order_facts import open_phase_of
from dipsat.studies.random_boards import trial_board
from dipsat.studies.sheet import kept_map
from tests.exhaustive import few_of

CHOICES = ["datc", "4.A.2-1982", "4.A.2-dptg", "4.A.3-2023", "4.A.4-b", "4.A.7-a"]


@pytest.mark.parametrize("rules", few_of([*CHOICES, *variant_names()], 1))
def test_terms_and_steps_are_those_of_grounding_every_part_anew(rules: str) -> None:
    profile = load_profile(rules)
    position = trial_board(profile, kept_map(profile.map or "standard"), 2, 9).position()
    position = position.with_words(profile.words)
    if limits(profile, position):
        pytest.skip("orders cannot be open")
    phase = open_phase_of(profile, position, candidates(profile, position).of_units).phase
    anew = Grounder(profile, phase, most=MAX_OPEN_STEPS)
    shared = Grounder(profile, phase, most=MAX_OPEN_STEPS, shared=True)
    for key in all_decisions(profile.decisions, phase):
        assert shared.equation(key) == anew.equation(key), key
        assert shared.steps == anew.steps, key
