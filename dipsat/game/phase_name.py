"""Phase names, such as `S1901M`: season, year, kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from dipsat.errors import UnknownNameError

_NAME = re.compile(r"([SFW])(\d{1,5})([MRA])", re.IGNORECASE)
_POSSIBLE = {"SM", "SR", "FM", "FR", "WA"}


class PhaseKind(StrEnum):
    """What is ordered in a phase."""

    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"


@dataclass(frozen=True, slots=True)
class PhaseName:
    """A phase: season "S" (spring), "F" (fall) or "W" (winter), year, kind."""

    season: str
    year: int
    kind: PhaseKind

    def __str__(self) -> str:
        return f"{self.season}{self.year}{self.kind.value}"

    @staticmethod
    def parse(text: str) -> PhaseName:
        """The phase called `text`. Raises `UnknownNameError`."""
        match = _NAME.fullmatch(text.strip())
        if match is None or (match[1] + match[3]).upper() not in _POSSIBLE:
            known = ("S1901M", "S1901R", "F1901M", "F1901R", "W1901A")
            raise UnknownNameError("phase", text, known)
        return PhaseName(match[1].upper(), int(match[2]), PhaseKind(match[3].upper()))

    def retreats(self) -> PhaseName:
        """The retreat phase that may follow a movement phase."""
        return PhaseName(self.season, self.year, PhaseKind.RETREAT)

    def after_moves(self) -> PhaseName:
        """What follows when all moves and retreats of the season are done."""
        if self.season == "S":
            return PhaseName("F", self.year, PhaseKind.MOVEMENT)
        return PhaseName("W", self.year, PhaseKind.ADJUSTMENT)

    def next_year(self) -> PhaseName:
        """The first movement phase of the next year."""
        return PhaseName("S", self.year + 1, PhaseKind.MOVEMENT)
