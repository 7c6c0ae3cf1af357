"""Profiles that judge the phases of a kind alike.

Most deviations of other judges touch phases of one kind. On phases of another kind they need not be
tried, since the outcome is known.
"""

from __future__ import annotations

from dataclasses import replace

from dipsat.game.phase_name import PhaseKind
from dipsat.kept import kept_on_first
from dipsat.profiles.profile import Profile

_ASKED_IN = {
    "via_without_convoy": PhaseKind.MOVEMENT,
    "civil_disorder": PhaseKind.ADJUSTMENT,
}
"""Setting -> the only kind of phase in which it is asked. Any other setting counts as asked in
all."""


@kept_on_first(256)
def judge_alike(one: Profile, other: Profile, kind: PhaseKind) -> bool:
    """Whether two profiles, apart from their names, are known to give the same outcome of every
    phase of a kind; False in doubt. Retreat phases depend on the moves before them, so
    for these the answer is False unless both are one profile."""
    if one is other:
        return True
    if kind is PhaseKind.RETREAT or one.words != other.words:
        return False
    elsewhere = {
        name: getattr(one.settings, name)
        for name, asked_in in _ASKED_IN.items()
        if asked_in is not kind
    }
    if replace(other.settings, **elsewhere) != one.settings:
        return False
    return kind is PhaseKind.ADJUSTMENT or _equations(one) == _equations(other)


def _equations(profile: Profile) -> tuple[object, ...]:
    """What only movement phases and the retreats after them ask for."""
    return (
        profile.decisions, profile.results, profile.cycles, profile.reasons, profile.declared,
        profile.lawful, profile.legal,
    )  # fmt: skip
