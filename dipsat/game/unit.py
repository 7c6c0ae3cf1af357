"""Units on the board."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from dipsat.board.province import province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.orders.attributes import Values, value_texts
from dipsat.orders.order import UnitName


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board. `str` gives its text, such as `F STP/SC`, values of attributes before
    it."""

    power: str
    """The power that it belongs to."""
    kind: UnitKind
    """Army, fleet, or a kind that the rules declare."""
    location: str
    """Where it stands, with a coast where there are several: `STP/SC`."""
    attributes: Values = ()
    """Those that the rules declare, as (name, value)."""
    province: str = field(init=False, repr=False, compare=False)
    """The province in which it stands: `STP`."""
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:  # both are asked for many times in every phase
        object.__setattr__(self, "province", province_of(self.location))
        words = (*value_texts(self.attributes), self.kind, self.location)
        object.__setattr__(self, "_text", " ".join(words))

    def __str__(self) -> str:
        return self._text

    @property
    def name(self) -> UnitName:
        """As an order of its own power names it: attributes, kind and location."""
        return UnitName(self.location, self.kind, None, self.attributes)

    @property
    def full_name(self) -> UnitName:
        """As an order of another power names it: power, attributes, kind and location."""
        return UnitName(self.location, self.kind, self.power, self.attributes)


@lru_cache(maxsize=20_000)  # the same few units come in every position
def unit_of(power: str, kind: UnitKind, location: str, attributes: Values = ()) -> Unit:
    """The unit, made once."""
    return Unit(power, kind, location, attributes)
