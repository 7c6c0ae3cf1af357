"""Whether two profiles judge one position alike, whatever is ordered, because their equations are
the same there: an alliance that no power on the board is in changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dipsat.limits import check_time
from dipsat.openorders.ruled_system import RuledSystem
from dipsat.profiles.difference import difference
from dipsat.profiles.profile import Profile
from dipsat.solving.system import System
from dipsat.terms.term import Key, Unknown, unequal


def breaks(one: RuledSystem[Any], other: RuledSystem[Any]) -> int | None:
    """The literal that says that what propagation decides under `one` does not surely keep each
    equation that `other` has in its place; None if the profiles are not about the same decisions.

    Suppose that neither profile breaks the other. Then each fixpoint of propagation is one of the
    other profile, too, so that the least ones are equal; and whatever is open there has the same
    equation under both, and the same cycle rules settle it. So the boards are the same. Without
    decision cycles there is one resolution each, and either direction alone is enough.
    """
    mine, theirs = one.system.equations, other.system.equations
    if not (_ruled_alike(one.profile, other.profile) and theirs.keys() <= mine.keys()):
        return None
    return one.gates.any_of(broken_equations(one, other).values())


def broken_equations(one: RuledSystem[Any], other: RuledSystem[Any]) -> Mapping[Key, int]:
    """The same for each equation of `other` that `one` does not have."""
    mine, theirs = one.system.equations, other.system.equations
    found = {}
    for key, (term, is_truth) in theirs.items():
        if mine[key] != (term, is_truth):
            check_time()
            broken = one.rails.possibly(unequal(term, Unknown(key, is_truth)))
            found[key] = one.gates.all_of((broken, one.issued(key)))
    return found


def judge_alike(one: System, other: System) -> bool:
    """Whether two profiles, given by their systems for the same open orders, read these alike and
    have the same equations.

    False says nothing. What else decides the board (the results that `differ` looks at) is for the
    caller to compare.
    """
    if not _ruled_alike(one.profile, other.profile):
        return False
    return one.equations == other.equations


def _ruled_alike(one: Profile, other: Profile) -> bool:
    """Whether orders mean the same under two profiles, and their decision cycles are settled by the
    same rules."""
    changes = difference(one, other).changes
    return read_alike(one, other) and all(change.section != "cycles" for change in changes)


def read_alike(one: Profile, other: Profile) -> bool:
    """Whether orders mean the same under two profiles."""
    mine, theirs = one.declared, other.declared
    return (
        one.settings == other.settings
        and one.legal == other.legal
        and one.lawful == other.lawful
        and one.words == other.words
        and (mine.kinds, mine.units, mine.carriages)
        == (theirs.kinds, theirs.units, theirs.carriages)
    )
