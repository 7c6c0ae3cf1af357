"""Attributes that the rules give to units, such as a colour: completed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from dipsat.errors import PositionError, nearest_names
from dipsat.game.position import DislodgedUnit, Position, Unit, unit_of


class AttributeRule(Protocol):
    """What the rules say of an attribute: its values, and that of a unit of which none is told
    ("" if there must be one)."""

    @property
    def values(self) -> tuple[str, ...]:
        """The values that there are."""

    @property
    def default(self) -> str:
        """The value where none is told."""


def with_attributes(position: Position, rules: Mapping[str, AttributeRule]) -> Position:
    """The position with every attribute of every unit, in the order of the rules.

    Raises `PositionError` for a unit without a needed attribute, with an unknown value, or with an
    attribute that the rules do not have.
    """
    lost = [one.unit for one in position.dislodged]
    if not rules and not any(unit.attributes for unit in (*position.units, *lost)):
        return position
    return replace(
        position,
        units=tuple(_completed(unit, rules) for unit in position.units),
        dislodged=tuple(
            DislodgedUnit(_completed(one.unit, rules), one.retreats) for one in position.dislodged
        ),
    )


def _completed(unit: Unit, rules: Mapping[str, AttributeRule]) -> Unit:
    told = dict(unit.attributes)
    found = []
    for name, value in told.items():
        if name not in rules:
            known = f"they have {', '.join(rules)}" if rules else "they have none"
            problem = f"units have no {name} under these rules ({value!r}); {known}"
            raise PositionError(str(unit), problem)
    for name, rule in rules.items():
        value = told.get(name, rule.default)
        if not value:
            raise PositionError(str(unit), f"its {name} is missing: {' or '.join(rule.values)}")
        if value not in rule.values:
            close = nearest_names(value, dict.fromkeys(rule.values), 1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(rule.values)}"
            raise PositionError(str(unit), f"{value!r} is no {name}; {hint}")
        found.append((name, value))
    return unit_of(unit.power, unit.kind, unit.location, tuple(found))
