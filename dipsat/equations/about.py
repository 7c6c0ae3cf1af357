"""Which units an object of the equations is about."""

from __future__ import annotations

from typing import Any

from dipsat.equations.instances import Combination
from dipsat.game.facts import ProvinceFacts, UnitFacts


def unit_of(thing: Any) -> Any:
    """The unit of an order, or of the first object of a combination; a unit itself; None if there
    is none."""
    if isinstance(thing, Combination):
        thing = thing.parts[0]
    return thing if isinstance(thing, UnitFacts) else getattr(thing, "unit", None)


def units_about(thing: Any) -> tuple[UnitFacts, ...]:
    """The units that a decision about this object is about."""
    if isinstance(thing, ProvinceFacts):
        return tuple(thing.units)
    if isinstance(thing, Combination):
        return tuple(dict.fromkeys(unit for part in thing.parts for unit in units_about(part)))
    unit = thing if isinstance(thing, UnitFacts) else getattr(thing, "unit", None)
    return () if unit is None else (unit,)
