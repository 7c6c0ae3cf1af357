"""Profiles that judge the phases of a kind alike.

Most choices of the DATC, and most deviations of other judges, touch phases of one kind. On phases
of another kind they need not be tried, since the outcome is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dipsat.game.phase_name import PhaseKind
from dipsat.kept import kept_on_first
from dipsat.profiles.difference import Change, difference
from dipsat.profiles.profile import Profile

_SETTINGS_OF: Mapping[PhaseKind, tuple[str, ...]] = {
    PhaseKind.MOVEMENT: (
        "adjacent_convoy", "via_without_convoy", "disorder_support", "implicit_orders",
    ),
    PhaseKind.ADJUSTMENT: (
        "build_coast_omitted", "build_kind_missing", "build_fleet_inland", "builds_too_many",
        "builds_in_one_place", "disbands_too_many", "waive", "civil_disorder",
    ),
}  # fmt: skip
"""Kind of phase -> the settings that are asked in no other one. All others count as asked in
all."""
_ASKED_IN = {name: kind for kind, names in _SETTINGS_OF.items() for name in names}
_OF_MOVES = {"decisions", "cycles"}
"""Sections that nothing but movement phases asks."""
_OF_RETREATS = "retreat_succeeds"
"""The only result that a retreat phase asks for."""
_NOT_OF_BUILDS = {*_OF_MOVES, "results"}
SILENT = {"define", "domains", "relations", "options", "reasons"}
"""Sections whose changes show in the entries that use them, or decide nothing."""


def is_asked_in(setting: str, kind: PhaseKind) -> bool:
    """Whether a setting may matter in phases of a kind; True in doubt."""
    return _ASKED_IN.get(setting, kind) is kind


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
        name: getattr(one.settings, name) for name in _ASKED_IN if not is_asked_in(name, kind)
    }
    if replace(other.settings, **elsewhere) != one.settings:
        return False
    return kind is PhaseKind.ADJUSTMENT or _equations(one) == _equations(other)


def changes_for(one: Profile, other: Profile, kind: PhaseKind) -> tuple[Change, ...]:
    """The entries in which two profiles differ and that may matter in phases of a kind, each from
    its own position; empty if both judge every such phase alike."""
    found = [c for c in difference(one, other).changes if _matters(c, kind)]
    return tuple(found) if any(change.section not in SILENT for change in found) else ()


def _matters(change: Change, kind: PhaseKind) -> bool:
    if change.section == "reasons":
        return False
    if change.section == "settings":
        return is_asked_in(change.name, kind)
    if kind is PhaseKind.RETREAT:
        is_of_moves = change.section == "results" and change.name.partition("(")[0] != _OF_RETREATS
        return change.section not in _OF_MOVES and not is_of_moves
    return kind is PhaseKind.MOVEMENT or change.section not in _NOT_OF_BUILDS


def _equations(profile: Profile) -> tuple[object, ...]:
    """What only movement phases and the retreats after them ask for."""
    return (
        profile.decisions, profile.results, profile.cycles, profile.reasons, profile.declared,
        profile.lawful, profile.legal,
    )  # fmt: skip
