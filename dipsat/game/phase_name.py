"""Phase names, such as `S1901M`: season, year, kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from dipsat.base import ArgumentError, brief, checked, checked_fields
from dipsat.errors import OrderFaultError, UnknownNameError
from dipsat.orders import (
    EXTRA_SEASONS,
    NO_WORDS,
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    Words,
)

_NAME = re.compile(r"([SUFW])(\d{1,5})([MRXA])", re.IGNORECASE)
_LONG = re.compile(
    r"([a-z]+)(?:[\s,.]+of\s+|[\s,.]*)(\d{1,5})"
    r"(?:[\s,.:(\[-]*([a-z]+)(?:[\s-]+phase)?[)\]]*)?",
    re.IGNORECASE,
)
_POSSIBLE = {"SM", "SR", "UX", "FM", "FR", "WA"}
SEASONS = {"spring": "S", "summer": "U", "fall": "F", "autumn": "F", "winter": "W"}
"""The word for a season -> its letter."""
_KINDS = {
    "m": "M", "movement": "M", "movements": "M", "moves": "M", "orders": "M", "diplomacy": "M",
    "x": "X", "extra": "X",
    "r": "R", "retreat": "R", "retreats": "R",
    "a": "A", "b": "A", "adjustment": "A", "adjustments": "A", "builds": "A", "build": "A",
}  # fmt: skip


SEASON_WORDS = {"S": "spring", "U": "summer", "F": "fall", "W": "winter"}
"""The letter of a season -> its name."""


class PhaseKind(StrEnum):
    """The kind of a phase: which orders it takes."""

    MOVEMENT = "M"
    """Holds, moves, supports and convoys."""
    RETREAT = "R"
    """Retreats and disbands of dislodged units."""
    EXTRA = "X"
    """Only orders that the rules declare for this season."""
    ADJUSTMENT = "A"
    """Builds, waived builds and disbands."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class PhaseName:
    """A phase, such as `S1901M`. `str` gives that name, and a phase equals it: `game.phase ==
    "S1901M"`. Comparing it with a text that is not such a name (`Spring 1901`) raises
    `UnknownNameError`; `parse` reads those.

    A summer phase exists only under rules with orders for it. It comes before the fall moves.
    """

    season: str
    """`S` (spring), `U` (summer), `F` (fall) or `W` (winter)."""
    year: int
    """The year, such as 1901."""
    kind: PhaseKind
    """Which orders it takes."""

    def __post_init__(self) -> None:
        if self.season not in SEASON_WORDS:
            wanted = "'S', 'U', 'F' or 'W'"
            raise ArgumentError("dipsat.PhaseName", "season", self.season, wanted)

    def __str__(self) -> str:
        return f"{self.season}{self.year}{self.kind.value}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PhaseName):
            return self._place == other._place
        if not isinstance(other, str):
            return NotImplemented
        meant = PhaseName.find(other)
        if str(meant) != other:
            hint = f"names are like {str(self)!r}" if meant is None else f"write {str(meant)!r}"
            raise UnknownNameError("phase", other, (), hint=hint)
        return str(self) == other

    def __hash__(self) -> int:
        return hash(str(self))  # the hash of the text that it equals

    @staticmethod
    @checked
    @lru_cache(maxsize=1_000)
    def parse(text: str, words: Words = NO_WORDS) -> PhaseName:
        """Return the phase called `text`, as `find` reads it. Raises `UnknownNameError`."""
        found = PhaseName.find(text, words)
        if found is None:
            known = ("S1901M", "S1901R", "F1901M", "F1901R", "W1901A")
            hint = ""
            season = phase_letters(text)[0]
            if season in EXTRA_SEASONS.values():
                own = [off.advice for off in words.switched_off if off.kind.season == season]
                hint = "there is a summer phase only under rules that declare orders for it"
                hint = "; ".join((hint, *own))
            raise UnknownNameError("phase", text, known, hint=hint, list_known=True)
        return found

    @staticmethod
    @checked
    def find(text: str, words: Words = NO_WORDS) -> PhaseName | None:
        """Return the phase called `text`, or None if there is no such phase. The text is a name
        such as `S1901M`, or words such as `Spring 1901 Movement`, `Fall of 1902 (Retreats)` or
        `Winter 1901`.

        Without a kind, spring and fall mean the movement phase, winter the adjustment phase, and
        summer the extra phase. With the `words` of rules that have orders for summer, these orders
        may name the phase: `Summer 1901 Exchange`.
        """
        season, year, kind = phase_letters(text, words)
        if kind is None:
            kind = {"W": "A", "U": "X"}.get(season, "M")
        return _phase(season, int(year), PhaseKind(kind)) if season + kind in _POSSIBLE else None

    @checked
    def title(self, words: Words = NO_WORDS) -> str:
        """Return the phase in words, such as `Spring 1901 Movement`. An extra phase is named after
        its orders, `Summer 1901 Exchange`, if the rules with these `words` have only one kind of
        them and `find` knows the phase by that name."""
        season = SEASON_WORDS[self.season].capitalize()
        own = [
            kind.name for kind in words.kinds if kind.season and kind.season == self.extra_season
        ]
        named = f"{season} {self.year} {own[0]}" if len(own) == 1 else ""
        if named and PhaseName.find(named, words) == self:
            return named
        return f"{season} {self.year} {self.kind.name.capitalize()}"

    @checked
    def is_before(self, other: PhaseName) -> bool:
        """Return whether this phase comes before another."""
        return self._place < other._place

    def __lt__(self, other: PhaseName) -> bool:
        return self.is_before(other)

    @property
    def _place(self) -> tuple[int, int, int]:
        return self.year, "SUFW".index(self.season), "MRXA".index(self.kind)

    def or_moves(self) -> PhaseName:
        """This phase if it is a movement phase, else the first movement phase that may follow. A
        game may start with builds, as on `chaos`."""
        return self if self.kind is PhaseKind.MOVEMENT else self.next_year()

    @property
    def extra_season(self) -> str:
        """The season of an extra phase, which takes only orders that the rules declare for it; ""
        for any other phase."""
        return self.season if self.kind is PhaseKind.EXTRA else ""

    def retreats(self) -> PhaseName:
        """Return the retreat phase that may follow this movement phase."""
        return _phase(self.season, self.year, PhaseKind.RETREAT)

    @checked
    def after_moves(self, extra: Collection[str] = ()) -> PhaseName:
        """Return the phase that follows all moves and retreats of the season; `extra` holds the
        seasons with an extra phase."""
        summer = EXTRA_SEASONS["summer"]
        if self.season == "S" and summer in extra:
            return _phase(summer, self.year, PhaseKind.EXTRA)
        if self.season in ("S", summer):
            return _phase("F", self.year, PhaseKind.MOVEMENT)
        return _phase("W", self.year, PhaseKind.ADJUSTMENT)

    def next_year(self) -> PhaseName:
        """Return the first movement phase of the next year."""
        return _phase("S", self.year + 1, PhaseKind.MOVEMENT)


_phase = lru_cache(1_000)(PhaseName)  # every position has a phase


def phase_letters(text: str, words: Words = NO_WORDS) -> tuple[str, str, str | None]:
    """Season, year and kind of the phase called `text`, whether or not there is such a phase.

    Season and kind are the letters of `PhaseName`, "" for an unknown word; the kind is None where
    the text does not give it.
    """
    match = _NAME.fullmatch(text.strip())
    if match is not None:
        return match[1].upper(), match[2], match[3].upper()
    match = _LONG.fullmatch(text.strip())
    if match is None:
        return "", "", ""
    season = SEASONS.get(match[1].lower(), "")
    if match[3] is None:
        return season, match[2], None
    named = match[3].lower()
    own = "X" if season and words.phase_words.get(named) == season else ""
    return season, match[2], _KINDS.get(named, own)


# --- phase orders ---------------------------------------------------------------------------------

# The kinds of orders that each phase takes.


ORDERS_OF: Mapping[PhaseKind, frozenset[type]] = {
    PhaseKind.MOVEMENT: frozenset({Hold, Move, SupportHold, SupportMove, Convoy}),
    PhaseKind.RETREAT: frozenset({Retreat, Disband, Move}),  # many write A BEL - PIC
    PhaseKind.EXTRA: frozenset(),
    PhaseKind.ADJUSTMENT: frozenset({Build, Disband, Waive}),
}
"""The kinds of orders that every rulebook has."""

_WITH_DECLARED = (PhaseKind.MOVEMENT, PhaseKind.EXTRA)
_WHAT = {
    PhaseKind.MOVEMENT: "is a movement phase",
    PhaseKind.RETREAT: "is a retreat phase",
    PhaseKind.EXTRA: "takes only orders that the rules declare for it",
    PhaseKind.ADJUSTMENT: "is an adjustment phase",
}


def is_misplaced(order: Order, phase: PhaseName) -> bool:
    """Whether phases of this kind do not take an order, such as a build in a movement phase."""
    if isinstance(order, DeclaredOrder):
        return phase.kind not in _WITH_DECLARED or order.season != phase.extra_season
    return type(order) not in ORDERS_OF[phase.kind]


def refuse_misplaced(order: Order, power: str, text: str, phase: PhaseName) -> None:
    """Raise `OrderFaultError` for a misplaced order."""
    if is_misplaced(order, phase):
        what = f"{phase} {_WHAT[phase.kind]}"
        raise OrderFaultError(power, [text], f"not an order of this phase; {what}")


FIRST_PHASE = PhaseName("S", 1901, PhaseKind.MOVEMENT)
