"""Attributes that the rules give to units, such as a colour: completed and checked."""

from __future__ import annotations

from dipsat.errors import PositionError, nearest_names
from dipsat.game.unit import Unit, unit_of
from dipsat.orders.attributes import Attributes, Values


def completed(unit: Unit, attributes: Attributes) -> Unit:
    """The unit with every attribute, in the order of the rules.

    Raises `PositionError` if it is without a needed attribute, has an unknown value, or an
    attribute that the rules do not have.
    """
    known = {rule.name: rule for rule in attributes}
    for name, value in unit.attributes:
        if name not in known:
            have = f"they have {', '.join(known)}" if known else "they have none"
            problem = f"units have no {name} under these rules ({value!r}); {have}"
            raise PositionError(str(unit), problem)
        if value not in known[name].values:
            close = nearest_names(value, dict.fromkeys(known[name].values), 1)
            hint = f"did you mean {close[0]}?" if close else f"known: {_listed(attributes, name)}"
            raise PositionError(str(unit), f"{value!r} is no {name}; {hint}")
    values, missing = with_defaults(unit.attributes, attributes)
    if missing:
        raise PositionError(str(unit), missing)
    return unit_of(unit.power, unit.kind, unit.location, values)


def with_defaults(told: Values, attributes: Attributes) -> tuple[Values, str]:
    """What is told of a unit with the defaults for the rest; and what is missing, "" if nothing."""
    said = dict(told)
    found = []
    for rule in attributes:
        value = said.get(rule.name, rule.default)
        if not value:
            return told, f"its {rule.name} is missing: {_listed(attributes, rule.name)}"
        found.append((rule.name, value))
    return tuple(found), ""


def _listed(attributes: Attributes, name: str) -> str:
    return next(" or ".join(rule.values) for rule in attributes if rule.name == name)
