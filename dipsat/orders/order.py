"""The orders of all phases, as written: typed, immutable, not yet judged.

Locations are as in `dipsat.board.province`; a coast that was written is kept even where it
makes no sense (`BRE/EC`), because the rules decide whether it matters (DATC 4.B.6).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from dipsat.board.unit_kind import UnitKind
from dipsat.orders.attributes import Values, value_texts


@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit as an order names it."""

    location: str
    """Where it stands, with a coast if one was written."""
    kind: UnitKind | None = None
    """Its kind, None if it was not written."""
    power: str | None = None
    """Its power, None if it was not written."""
    attributes: Values = ()
    """The attributes that were written, as (name, value)."""

    def text(self, with_power: bool = False) -> str:
        """Like `F STP/SC`; only the location if the order says no more."""
        power = self.power if with_power else None
        parts = (power, *value_texts(self.attributes), self.kind, self.location)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay."""

    unit: UnitName
    """The unit that stays."""


@dataclass(frozen=True, slots=True)
class Move:
    """Move to another province."""

    unit: UnitName
    """The unit that is to move."""
    target: str
    """The location to which it is to go."""
    via: bool = False
    """Whether it was ordered to go "via convoy"."""
    path: tuple[str, ...] = ()
    """The sea provinces of a written convoy path (DATC 4.A.6), usually none."""


@dataclass(frozen=True, slots=True)
class SupportHold:
    """Support a unit where it stands."""

    unit: UnitName
    """The unit that supports."""
    supported: UnitName
    """The unit that is supported."""


@dataclass(frozen=True, slots=True)
class SupportMove:
    """Support a unit in its move."""

    unit: UnitName
    """The unit that supports."""
    supported: UnitName
    """The unit that is supported."""
    target: str
    """The location to which that is to move."""


@dataclass(frozen=True, slots=True)
class Convoy:
    """Convoy an army."""

    unit: UnitName
    """The fleet that convoys."""
    army: UnitName
    """The army."""
    target: str
    """The location to which it is to go."""


@dataclass(frozen=True, slots=True)
class Retreat:
    """Retreat after being dislodged."""

    unit: UnitName
    """The dislodged unit."""
    target: str
    """The location to which it is to go."""


@dataclass(frozen=True, slots=True)
class Disband:
    """Leave the board, in a retreat or an adjustment phase."""

    unit: UnitName
    """The unit that is to go."""


@dataclass(frozen=True, slots=True)
class Build:
    """Build a unit."""

    unit: UnitName
    """What is to be built, and where."""


@dataclass(frozen=True, slots=True)
class Waive:
    """Decline a build."""


@dataclass(frozen=True, slots=True)
class DeclaredOrder:
    """An order of a kind that the rules declare."""

    kind: str
    """The name of the kind."""
    unit: UnitName
    """The ordered unit, with an empty location for an order of a power."""
    fields: tuple[tuple[str, UnitName | str], ...]
    """What else it names, as (field, province or unit), sorted by field."""
    text: str = field(default="", compare=False)
    """How it is written."""
    season: str = field(default="", compare=False)
    """The season of the extra phase in which it is given, "" for movement phases."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A text that nobody can read (DATC 4.E.2)."""

    unit: UnitName
    """The unit that it seems to be for, with an empty location where that cannot be read either."""
    text: str
    """What was typed."""
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
"""An order of any phase, as written: typed, immutable, not yet judged. A coast that was written is
kept even where it makes no sense (`BRE/EC`), because whether it matters is for the rules to say
(DATC 4.B.6)."""
MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy
