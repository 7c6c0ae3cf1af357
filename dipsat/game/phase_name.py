"""Phase names, such as `S1901M`: season, year, kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from dipsat.errors import UnknownNameError

_NAME = re.compile(r"([SFW])(\d{1,5})([MRA])", re.IGNORECASE)
_LONG = re.compile(
    r"([a-z]+)(?:[\s,.]+of\s+|[\s,.]*)(\d{1,5})"
    r"(?:[\s,.:(\[-]*([a-z]+)(?:[\s-]+phase)?[)\]]*)?",
    re.IGNORECASE,
)
_POSSIBLE = {"SM", "SR", "FM", "FR", "WA"}
_SEASONS = {"spring": "S", "fall": "F", "autumn": "F", "winter": "W"}
_KINDS = {
    "m": "M", "movement": "M", "movements": "M", "moves": "M", "orders": "M", "diplomacy": "M",
    "r": "R", "retreat": "R", "retreats": "R",
    "a": "A", "b": "A", "adjustment": "A", "adjustments": "A", "builds": "A", "build": "A",
}  # fmt: skip


SEASON_WORDS = {"S": "spring", "U": "summer", "F": "fall", "W": "winter"}
"""The letter of a season -> its name."""


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
    @lru_cache(maxsize=1_000)
    def parse(text: str) -> PhaseName:
        """The phase called `text`, as `find` reads it. Raises `UnknownNameError`."""
        found = PhaseName.find(text)
        if found is None:
            known = ("S1901M", "S1901R", "F1901M", "F1901R", "W1901A")
            raise UnknownNameError("phase", text, known)
        return found

    @staticmethod
    def find(text: str) -> PhaseName | None:
        """The phase called `text`: `S1901M`, or in words as people write it, such as `Spring 1901
        Movement`, `Fall of 1902 (Retreats)`, `Winter 1901`; None if there is no such phase.

        A season without kind is about moves, winter about adjustments.
        """
        season, year, kind = phase_letters(text)
        if kind is None:
            kind = "A" if season == "W" else "M"
        return PhaseName(season, int(year), PhaseKind(kind)) if season + kind in _POSSIBLE else None

    def title(self) -> str:
        """The phase in words, such as `Spring 1901 Movement`."""
        season = SEASON_WORDS[self.season].capitalize()
        return f"{season} {self.year} {self.kind.name.capitalize()}"

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


def phase_letters(text: str) -> tuple[str, str, str | None]:
    """Season, year and kind of the phase called `text`, whether or not there is such a phase.

    Season and kind are the letters of `PhaseName`, "" for a word that is none; the kind is None
    where the text does not say it.
    """
    match = _NAME.fullmatch(text.strip())
    if match is not None:
        return match[1].upper(), match[2], match[3].upper()
    match = _LONG.fullmatch(text.strip())
    if match is None:
        return "", "", ""
    kind = None if match[3] is None else _KINDS.get(match[3].lower(), "")
    return _SEASONS.get(match[1].lower(), ""), match[2], kind
