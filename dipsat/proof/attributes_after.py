"""What becomes of the attributes of units in a phase."""

from __future__ import annotations

from collections.abc import Callable

from dipsat.errors import PositionError
from dipsat.game.facts import UnitFacts
from dipsat.game.position import Unit, unit_of
from dipsat.profiles.profile import Profile


def unit_after(
    profile: Profile, unit: UnitFacts, location: str, holds: Callable[..., bool]
) -> Unit:
    """The unit in the location where it ends, with the attributes that it has then: the value that
    it had if the result that the attribute names holds of it, else the one of which it holds.
    `holds` tells whether a result of the profile holds of some objects.

    Raises `PositionError` if by the rules it would have no or several other values.
    """
    found = []
    for name, value in unit.unit.attributes:
        result = profile.declared.attributes[name].becomes
        if result and not holds(result, unit, value):
            values = profile.declared.attributes[name].values
            new = [one for one in values if holds(result, unit, one)]
            if len(new) != 1:
                problem = f"by {result} of {profile.name!r} its {name} becomes "
                raise PositionError(str(unit), problem + (" and ".join(new) or "nothing"))
            value = new[0]
        found.append((name, value))
    return unit_of(unit.power, unit.unit.kind, location, tuple(found))
