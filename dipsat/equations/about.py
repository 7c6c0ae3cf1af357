"""Which units an object of the equations is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dipsat.equations.instances import Combination
from dipsat.game.facts import ProvinceFacts, UnitFacts


def unit_of(thing: Any) -> Any:
    """The unit of an order, or of the first object of a combination; a unit itself. None if it is
    about none."""
    if isinstance(thing, Combination):
        thing = thing.parts[0]
    return thing if isinstance(thing, UnitFacts) else getattr(thing, "unit", None)


def units_about(thing: Any) -> Iterator[UnitFacts]:
    """The units that a decision about this object is about."""
    if isinstance(thing, ProvinceFacts):
        yield from thing.units
    elif isinstance(thing, Combination):
        yield from dict.fromkeys(unit for part in thing.parts for unit in units_about(part))
    else:
        unit = unit_of(thing)
        if unit is not None:
            yield unit
