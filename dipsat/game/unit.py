"""Units on the board, with the attributes that the rules give them, such as a colour."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.brief import brief
from dipsat.errors import PositionError, nearest_names
from dipsat.orders.attributes import Attributes, Values, value_texts
from dipsat.orders.order import UnitName


@brief()
@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board. `str` gives its text, such as `F STP/SC`, with the values of its
    attributes before it."""

    power: str
    """The power that owns it."""
    kind: UnitKind
    """Army, fleet, or a kind that the rules declare."""
    location: str
    """Its location, with a coast where there are several: `STP/SC`."""
    attributes: Values = ()
    """The attributes that the rules declare for it, as (name, value)."""
    province: str = field(init=False, repr=False, compare=False)
    """Its province: `STP`."""
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:  # both are needed many times in every phase
        object.__setattr__(self, "province", province_of(self.location))
        words = (*value_texts(self.attributes), self.kind, self.location)
        object.__setattr__(self, "_text", " ".join(words))

    def __str__(self) -> str:
        return self._text

    @property
    def name(self) -> UnitName:
        """Its name in orders of its own power: attributes, kind and location."""
        return UnitName(self.location, self.kind, None, self.attributes)

    @property
    def full_name(self) -> UnitName:
        """Its name in orders of another power: power, attributes, kind and location."""
        return UnitName(self.location, self.kind, self.power, self.attributes)


@lru_cache(maxsize=20_000)  # the same few units occur in every position
def unit_of(power: str, kind: UnitKind, location: str, attributes: Values = ()) -> Unit:
    """The unit, created once."""
    return Unit(power, kind, location, attributes)


def completed(unit: Unit, attributes: Attributes) -> Unit:
    """The unit with every attribute, in the order of the rules.

    Raises `PositionError` if it lacks a required attribute, has an unknown value, or has an
    attribute that the rules do not declare.
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


def with_defaults(given: Values, attributes: Attributes) -> tuple[Values, str]:
    """The attributes given for a unit with the defaults for the rest, and a sentence about what is
    missing, "" if nothing is."""
    by_name = dict(given)
    found = []
    for rule in attributes:
        value = by_name.get(rule.name, rule.default)
        if not value:
            return given, f"its {rule.name} is missing: {_listed(attributes, rule.name)}"
        found.append((rule.name, value))
    return tuple(found), ""


def _listed(attributes: Attributes, name: str) -> str:
    return next(" or ".join(rule.values) for rule in attributes if rule.name == name)
