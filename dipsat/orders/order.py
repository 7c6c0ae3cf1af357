"""The orders of all phases, as written: typed, immutable, not yet judged; and units on the board.

Locations are as in `dipsat.board.province`; a coast that was written is kept even where it
makes no sense (`BRE/EC`), because the rules decide whether it matters (DATC 4.B.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol, TypeAlias

from dipsat.base import brief, checked, grouped
from dipsat.board import UnitKind, province_of, words_of

# --- attributes -----------------------------------------------------------------------------------

# Attributes that the rules declare for units, such as a colour, as words in an order's text.


class AttributeRule(Protocol):
    """An attribute as the rules declare it: its name, its values, and the default for units without
    a value ("" if a value is required)."""

    @property
    def name(self) -> str:
        """Its name, such as "color"."""

    @property
    def values(self) -> tuple[str, ...]:
        """Its possible values."""

    @property
    def default(self) -> str:
        """The value of units for which none is given."""


Attributes: TypeAlias = tuple[AttributeRule, ...]
"""The attributes of units, in the order in which their values are written before a unit."""
Values: TypeAlias = tuple[tuple[str, str], ...]
"""(attribute, value) of one unit, in that order."""


class AttributeWords:
    """The words that stand for values: folded words -> the attributes and values they may mean."""

    def __init__(self, attributes: Attributes) -> None:
        self.known = grouped(
            (words_of(value), (rule.name, value)) for rule in attributes for value in rule.values
        )
        self.longest = max(map(len, self.known), default=0)
        self.names = tuple(rule.name for rule in attributes)
        self.values = tuple(value for rule in attributes for value in rule.values)

    def in_order(self, found: Mapping[str, str]) -> Values:
        """Values by attribute, in the order in which they are written."""
        return tuple((name, found[name]) for name in self.names if name in found)


@lru_cache(maxsize=64)
def attribute_words(attributes: Attributes) -> AttributeWords:
    """The words of attributes, computed once."""
    return AttributeWords(attributes)


def value_texts(values: Values) -> tuple[str, ...]:
    """The values as they are written before a unit: `Red`."""
    return tuple(value.capitalize() for _, value in values)


def contradiction(named: Values, values: Values) -> str:
    """The mistake in the attributes that a text gives a unit, "" if there is none."""
    if named and named != values:
        own = dict(values)
        for name, value in named:
            if own.get(name) != value:
                return f"its {name} is {own.get(name, 'unknown')}, not {value}"
    return ""


# --- order ----------------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit as named in an order."""

    location: str
    """Its location, with a coast if one was written."""
    kind: UnitKind | None = None
    """Its kind, None if it was not written."""
    power: str | None = None
    """Its power, None if it was not written."""
    attributes: Values = ()
    """The attributes that were written, as (name, value)."""

    @checked
    def text(self, with_power: bool = False) -> str:
        """Return the name as text, such as `F STP/SC`, or only the location if that is all the
        order names."""
        power = self.power if with_power else None
        parts = (power, *value_texts(self.attributes), self.kind, self.location)
        return " ".join(part for part in parts if part)


@brief()
@dataclass(frozen=True, slots=True)
class Hold:
    """An order to hold."""

    unit: UnitName
    """The unit that holds."""


@brief()
@dataclass(frozen=True, slots=True)
class Move:
    """An order to move to another province."""

    unit: UnitName
    """The unit that moves."""
    target: str
    """The location to move to."""
    via: bool = False
    """Whether the order says "via convoy"."""
    path: tuple[str, ...] = ()
    """The sea provinces of a written convoy path (DATC 3.0 4.A.6), usually none."""


@brief()
@dataclass(frozen=True, slots=True)
class SupportHold:
    """An order to support a unit where it stands."""

    unit: UnitName
    """The supporting unit."""
    supported: UnitName
    """The supported unit."""


@brief()
@dataclass(frozen=True, slots=True)
class SupportMove:
    """An order to support the move of a unit."""

    unit: UnitName
    """The supporting unit."""
    supported: UnitName
    """The supported unit."""
    target: str
    """The location to which the supported unit is to move."""


@brief()
@dataclass(frozen=True, slots=True)
class Convoy:
    """An order to convoy an army."""

    unit: UnitName
    """The convoying fleet."""
    army: UnitName
    """The convoyed army."""
    target: str
    """The location to which the army is to move."""


@brief()
@dataclass(frozen=True, slots=True)
class Retreat:
    """An order to retreat."""

    unit: UnitName
    """The dislodged unit."""
    target: str
    """The location to retreat to."""
    otherwise: tuple[str, ...] = ()
    """Alternative targets. If the unit may not retreat to `target`, it retreats to the first of
    these to which it may."""


@brief()
@dataclass(frozen=True, slots=True)
class Disband:
    """An order to leave the board, in a retreat or an adjustment phase."""

    unit: UnitName
    """The unit to disband."""


@brief()
@dataclass(frozen=True, slots=True)
class Build:
    """An order to build a unit."""

    unit: UnitName
    """The unit to build, with its location."""


ALL_BUILDS = 99


@brief()
@dataclass(frozen=True, slots=True)
class Waive:
    """An order to waive a build."""

    builds: int = 1
    """The number of builds that a text waives (`waive 2`); it counts as this many orders.
    `ALL_BUILDS` waives all that are due."""


@brief()
@dataclass(frozen=True, slots=True)
class DeclaredOrder:
    """An order of a kind that the rules declare."""

    kind: str
    """The name of the kind."""
    unit: UnitName
    """The ordered unit; its location is empty in an order of a power."""
    fields: tuple[tuple[str, UnitName | str], ...]
    """The other provinces and units that it names, as (field, province or unit), sorted by
    field."""
    text: str = field(default="", compare=False)
    """The order as written."""
    season: str = field(default="", compare=False)
    """The season of the extra phase for such orders, "" for movement phases."""


@brief()
@dataclass(frozen=True, slots=True)
class Unreadable:
    """A text that cannot be read as an order (DATC 3.0 4.E.2)."""

    unit: UnitName
    """The unit that it seems to be for; its location is empty if the unit cannot be read either."""
    text: str
    """The text as typed."""
    problem: str
    """Why it cannot be read."""


Order: TypeAlias = (
    Hold
    | Move
    | SupportHold
    | SupportMove
    | Convoy
    | Retreat
    | Disband
    | Build
    | Waive
    | DeclaredOrder
    | Unreadable
)
"""An order for any phase, as written: typed, immutable, not yet judged. A coast that was written is
kept even where it makes no sense (`BRE/EC`), because the rules decide whether it matters (DATC 3.0
4.B.6)."""
MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy


# --- unit -----------------------------------------------------------------------------------------

# Units on the board, with attributes that the rules declare, such as a colour.


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
