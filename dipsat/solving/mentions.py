"""Which decisions each equation of a phase mentions."""

from __future__ import annotations

from dipsat.equations.ground import Grounder, all_decisions
from dipsat.equations.phase import Phase
from dipsat.profiles.profile import Profile
from dipsat.terms.term import unknowns


def mentions(profile: Profile, phase: Phase) -> list[list[int]]:
    """For each decision of a phase, the decisions that its ground equation mentions. A decision is
    given by its place among all of them, sorted by name of the family and index."""
    grounder = Grounder(profile, phase)
    keys = sorted(all_decisions(profile.decisions, phase))
    place = {key: at for at, key in enumerate(keys)}
    return [[place[used] for used in unknowns(grounder.equation(key))] for key in keys]
