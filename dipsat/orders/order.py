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
    """A unit as an order names it: where it stands, and if written its kind, its power, and its
    attributes as (name, value)."""

    location: str
    kind: UnitKind | None = None
    power: str | None = None
    attributes: Values = ()

    def text(self, with_power: bool = False) -> str:
        """Like `F STP/SC`; only the location if the order says no more."""
        power = self.power if with_power else None
        parts = (power, *value_texts(self.attributes), self.kind, self.location)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Move:
    """Move to `target`. `via` is true for "via convoy"; `path` holds the sea provinces of a
    written convoy path (DATC 4.A.6), usually none."""

    unit: UnitName
    target: str
    via: bool = False
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SupportHold:
    """Support `supported` where it stands."""

    unit: UnitName
    supported: UnitName


@dataclass(frozen=True, slots=True)
class SupportMove:
    """Support the move of `supported` to `target`."""

    unit: UnitName
    supported: UnitName
    target: str


@dataclass(frozen=True, slots=True)
class Convoy:
    """Convoy `army` to `target`."""

    unit: UnitName
    army: UnitName
    target: str


@dataclass(frozen=True, slots=True)
class Retreat:
    """Retreat to `target`."""

    unit: UnitName
    target: str


@dataclass(frozen=True, slots=True)
class Disband:
    """Leave the board, in a retreat or an adjustment phase."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Build:
    """Build `unit`, which says what and where."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Waive:
    """Decline a build."""


@dataclass(frozen=True, slots=True)
class DeclaredOrder:
    """An order of a kind that the rules declare (`dipsat.orders.forms`).

    `kind` is the name of the kind, `unit` the ordered unit (with an empty location for an order of
    a power), `fields` what else it names, sorted by field: provinces and units. `text` is how it
    is written, `season` that of the extra phase in which it is given ("": in movement phases).
    """

    kind: str
    unit: UnitName
    fields: tuple[tuple[str, UnitName | str], ...]
    text: str = field(default="", compare=False)
    season: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A text that nobody can read (DATC 4.E.2), and why. `unit` is the one that it seems to be for,
    with an empty location where that cannot be read either."""

    unit: UnitName
    text: str
    problem: str


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
MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy
