"""A unit's dislodgement, and how it is put in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dipsat.brief import brief
from dipsat.plain import Plain

NOBODY_ENTERS = "though no unit enters"
"""What is said of a unit that house rules dislodge without an attacker that succeeds."""


@brief()
@dataclass(frozen=True, slots=True)
class Dislodgement(Plain):
    """A unit's dislodgement."""

    power: str
    """The power that owns the unit."""
    unit: str
    """The unit, such as `A LON`."""
    by: str | None
    """The unit that dislodged it; None if no unit enters its province, as some house rules have
    it."""
    retreats: tuple[str, ...]
    """The locations to which it may retreat, none if it is destroyed."""

    @property
    def cause(self) -> str:
        """What dislodged it, in words: `dislodged by A RUH`."""
        return f"dislodged by {self.by}" if self.by else f"dislodged, {NOBODY_ENTERS}"


def retreats_in_words(retreats: Sequence[str]) -> str:
    """Where a dislodged unit may go."""
    return f"may retreat to {', '.join(retreats)}" if retreats else "has no retreat"
