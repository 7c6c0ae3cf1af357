"""The kinds of rows that dipsat writes, with all their columns, the same in every format of files.

Every value may also be missing (null).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dipsat.errors import UnknownNameError
from dipsat.game import SEASON_WORDS, PhaseName

Row: TypeAlias = Mapping[str, Any]


Type: TypeAlias = str | list[Any] | dict[str, Any]
"""`text`, `integer` or `truth`; for lists, a list of the one type of their items; for records, the
name of each member -> its type."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of rows."""

    name: str
    type: Type
    meaning: str


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row: its name, and its columns in their order."""

    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def fits(self, row: Row) -> bool:
        """Whether a row has exactly these columns, in any order."""
        return row.keys() == set(self.names)


_TEXT, _INTEGER, _TRUTH = "text", "integer", "truth"
_TEXTS = [_TEXT]
_UNITS = [{"power": _TEXT, "unit": _TEXT}]
_SIDE = {
    "units": _UNITS,
    "dislodged": _UNITS,
    "retreats": [{"power": _TEXT, "unit": _TEXT, "to": _TEXTS}],
    "centers": [{"power": _TEXT, "center": _TEXT}],
    "phase": _TEXT,
}
"""A side of a difference: what is on this one and not on the other."""

_GAME = (
    Column("file", _TEXT, "the file of the game"),
    Column("game", _TEXT, "the name of the game, as reports give it"),
    Column("map", _TEXT, "the name of the map"),
)
_PHASE = (
    Column("number", _INTEGER, "the place of the phase in the game, from 1"),
    Column("phase", _TEXT, "the name of the phase, such as `S1901M`"),
    Column("year", _INTEGER, "its year"),
    Column("season", _TEXT, "`spring`, `summer`, `fall` or `winter`"),
    Column("kind", _TEXT, "`movement`, `retreat`, `extra` or `adjustment`"),
    Column("units", _INTEGER, "the number of units on the board"),
)

REPLAY = RowKind(
    "replay",
    (
        *_GAME,
        Column("rules", _TEXT, "the name of the rules that judge it again"),
        *_PHASE,
        Column("verdict", _TEXT, "`agree`, `differ`, or `skipped` if it cannot be compared"),
        Column(
            "causes",
            _TEXTS,
            "the deviations of the other judge that explain the whole difference "
            "([judges.md](judges.md)); empty if no known ones do",
        ),
        Column("powers", _TEXTS, "the powers whose units or centres differ"),
        Column("theirs", _SIDE, "what only the next position in the record has"),
        Column("ours", _SIDE, "what only dipsat's next position has"),
        Column("orders", [{"power": _TEXT, "order": _TEXT}], "the orders of a phase that differs"),
        Column("reason", _TEXT, "why the phase is skipped"),
        Column("fault", _TRUTH, "whether the record is at fault: unreadable or contradictory"),
    ),
)
"""A row for each phase of the games that `dipsat replay` judges again; one without a phase for a
file or a game that cannot be read."""

CROSSCHECK = RowKind(
    "crosscheck",
    (
        Column("source", _TEXT, "the name of the phase: its file, DATC case or random board"),
        Column("map", _TEXT, "the name of the map, or its path"),
        Column("phase", _TEXT, "the name of the phase, such as `S1901M`, if the source states it"),
        Column("rules", _TEXT, "the rules for a judge that has none of its own"),
        Column("first", _TEXT, "a judge"),
        Column("second", _TEXT, "the other judge"),
        Column("group", _INTEGER, "the number of the group of alike disagreements in the report"),
        Column("title", _TEXT, "the title of this group"),
        Column("parts", _TEXTS, "the parts of the decision that differ, the weightiest first"),
        Column(
            "differences",
            [{"part": _TEXT, "about": _TEXT, "first": _TEXT, "second": _TEXT}],
            "the part, the unit or the province, and what each judge decides about it, an empty "
            "text where it decides nothing",
        ),
        Column("units", _INTEGER, "the number of units in the phase"),
        Column("shrunk", _TRUTH, "whether the smallest orders were searched for"),
        Column(
            "orders",
            [{"power": _TEXT, "unit": _TEXT, "order": _TEXT}],
            "the smallest orders that differ, otherwise all; a unit without one has no `order`",
        ),
        Column("one_power", [_TEXTS], "the units that must be of one power, by power"),
    ),
)
"""A row for each disagreement that `dipsat crosscheck` reports."""

IMPACT = RowKind(
    "rules impact",
    (
        *_GAME,
        Column("against", _TEXT, "the name of the base"),
        Column("rules", _TEXT, "the name of the rule set; null in the row of the base"),
        *_PHASE,
        Column(
            "verdict",
            _TEXT,
            "`judged` in the row of the base, `differ` in that of a rule set with another result, "
            "`unjudged` in that of one that cannot judge the phase",
        ),
        Column("causes", _TEXTS, "the entries of the rules that make the result differ"),
        Column("orders_changed", _INTEGER, "the number of orders with another result"),
        Column(
            "board",
            _TRUTH,
            "whether the board differs: the next position with its retreats, or the winner; null "
            "unless the verdict is `differ`",
        ),
        Column("reason", _TEXT, "why the rule set cannot judge the phase"),
    ),
)
"""A row for each phase that the base of `dipsat rules impact` judges, and one for each rule set
that has another result there, or none."""

KINDS = (REPLAY, CROSSCHECK, IMPACT)


def kind_of(row: Row) -> RowKind | None:
    """The kind of dipsat's rows that a row belongs to, if any."""
    return next((kind for kind in KINDS if kind.fits(row)), None)


_NO_PHASE = {"year": None, "season": None, "kind": None}


def phase_columns(name: str) -> dict[str, Any]:
    """The columns `phase`, `year`, `season` and `kind`; null where the name does not say it."""
    try:
        phase = PhaseName.parse(name)
    except UnknownNameError:
        return {"phase": name or None, **_NO_PHASE}
    return {
        "phase": name,
        "year": phase.year,
        "season": SEASON_WORDS[phase.season],
        "kind": phase.kind.name.lower(),
    }
