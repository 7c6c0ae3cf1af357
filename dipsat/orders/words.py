"""What rules add to the notation of orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dipsat.board.convoy_net import ARMIES_BY_FLEETS, Carriage
from dipsat.board.unit_kind import STANDARD_KINDS, UnitKind
from dipsat.brief import brief
from dipsat.orders.attributes import Attributes
from dipsat.orders.forms import OrderKind, Word


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """A kind of orders that the rules have if an option is chosen: `switch`, as typed."""

    kind: OrderKind
    switch: str

    @property
    def advice(self) -> str:
        """How to allow such orders."""
        return (
            f"there are {self.kind.name} orders if you add +{self.switch} to the name of the rules"
        )


@brief()
@dataclass(frozen=True, slots=True)
class Words:
    """What rules add to the notation of orders."""

    attributes: Attributes = ()
    """Attributes of units."""
    kinds: tuple[OrderKind, ...] = ()
    """Kinds of orders that the rules declare."""
    units: tuple[UnitKind, ...] = STANDARD_KINDS
    """The kinds of units."""
    carriages: tuple[Carriage, ...] = (ARMIES_BY_FLEETS,)
    """Which of these convoy which."""
    switched_off: tuple[SwitchedOff, ...] = ()
    """The kinds of orders that an option of the rules would add."""

    def __hash__(self) -> int:  # asked for with every text that is read
        return hash((self.attributes, self.kinds))

    @property
    def words(self) -> Words:
        """The object itself, so that words can be given in place of rules."""
        return self

    @property
    def have_own_units(self) -> bool:
        """Whether there are kinds of units other than armies and fleets, or other convoys."""
        return (self.units, self.carriages) != (NO_WORDS.units, NO_WORDS.carriages)

    @property
    def phase_words(self) -> dict[str, str]:
        """Name of the phase of a declared kind of orders -> the letter of its season. The name is
        that of the kind, or the first words of its forms."""
        found: dict[str, str] = {}
        for kind in self.kinds:
            verbs = [next(part for part in form if isinstance(part, Word)) for form in kind.forms]
            named = (kind.name.casefold(), *(word for verb in verbs for word in verb.words))
            found |= dict.fromkeys(named, kind.season)
        return found

    @property
    def extra_seasons(self) -> frozenset[str]:
        """The seasons with a phase for orders that the rules declare."""
        return frozenset(kind.season for kind in self.kinds if kind.season)


class WithWords(Protocol):
    """Rules, such as a profile, that may add to the notation."""

    @property
    def words(self) -> Words:
        """What they add."""


NO_WORDS = Words()
"""The words of rules that add nothing."""
