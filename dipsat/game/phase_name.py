"""Phase names, such as `S1901M`: season, year, kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from dipsat.errors import UnknownNameError

_NAME = re.compile(r"([SFW])(\d{1,5})([MRA])", re.IGNORECASE)
_LONG = re.compile(r"([a-z]+)[\s,.]+(\d{1,5})(?:[\s,.:]+([a-z]+)(?:\s+phase)?)?", re.IGNORECASE)
_POSSIBLE = {"SM", "SR", "FM", "FR", "WA"}
_SEASONS = {"spring": "S", "fall": "F", "autumn": "F", "winter": "W"}
_KINDS = {
    "movement": "M", "movements": "M", "moves": "M", "orders": "M", "diplomacy": "M",
    "retreat": "R", "retreats": "R",
    "adjustment": "A", "adjustments": "A", "builds": "A", "build": "A",
}  # fmt: skip


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
        """The phase called `text`: `S1901M`, or in words as `title` writes it, such as
        `Spring 1901 Movement`, `Fall 1902, Retreats`, `Winter 1901`. Raises `UnknownNameError`.
        """
        match = _NAME.fullmatch(text.strip())
        season, year, kind = match.groups() if match else _in_words(text)
        if (season + kind).upper() not in _POSSIBLE:
            known = ("S1901M", "S1901R", "F1901M", "F1901R", "W1901A")
            raise UnknownNameError("phase", text, known)
        return PhaseName(season.upper(), int(year), PhaseKind(kind.upper()))

    def title(self) -> str:
        """The phase in words, such as `Spring 1901 Movement`."""
        season = {"S": "Spring", "F": "Fall", "W": "Winter"}[self.season]
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


def _in_words(text: str) -> tuple[str, str, str]:
    """Season, year and kind as letters, empty where `text` names no phase; a season without kind
    is about moves, winter about adjustments."""
    match = _LONG.fullmatch(text.strip())
    if match is None:
        return "", "", ""
    season = _SEASONS.get(match[1].lower(), "")
    usual = "adjustment" if season == "W" else "movement"
    return season, match[2], _KINDS.get((match[3] or usual).lower(), "")
