"""Rulings that hold in every position in which the same units stand in the same provinces.

Most orders are judged by the ordered unit and the unit that they support alone, and players give
the same few thousand orders in all games. Most convoys depend on all carriers of a position, and
conditions of the rules on anything; rulings that asked for either are not remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.game.settings import Settings
from dipsat.kept import kept_on_first
from dipsat.orders.order import Hold, Move, SupportHold, SupportMove
from dipsat.orders.words import Words

_SUPPORTS, _ALONE = (SupportMove, SupportHold), (Move, Hold)
_MOST = 50_000
"""Orders whose rulings are remembered; all supports of the standard map are about as many."""

_Known: TypeAlias = tuple[Submission, str, Unit, str, Unit | None, Ruling]
"""The last ruling on a submission: it holds while a unit stands in a province, and another unit, or
none, in the province that the order is about. A plain tuple: there are as many as orders."""


class KnownRulings:
    """The rulings that are remembered for a map, the words and settings of the rules, and the
    season of an extra phase. Submissions and units are looked up by identity: both are made once
    for each text (`read_submissions`, `unit_of`)."""

    def __init__(self, position: Position, settings: Settings) -> None:
        season = position.phase.extra_season
        self.units: Mapping[str, Unit] = position.by_province
        self._known = _known(position.map, position.words, settings, season)

    def of(self, submissions: Iterable[Submission]) -> list[Ruling | None]:
        """The ruling on each of these very submissions, None if it is not known."""
        found: list[Ruling | None] = []
        table, units = self._known, self.units
        for submission in submissions:
            known = table.get(id(submission))
            if known is not None:
                _, at, unit, other_at, other, ruling = known
                if units.get(at) is unit and (not other_at or units.get(other_at) is other):
                    found.append(ruling)
                    continue
            found.append(None)
        return found

    def remember(self, ruling: Ruling, other_at: str) -> None:
        """Remember a ruling that depends on its unit and on the one in province `other_at` alone,
        which may be ""."""
        submission, unit = ruling.submission, ruling.unit
        if unit is None:
            return
        if len(self._known) >= _MOST:
            self._known.clear()
        other = self.units.get(other_at) if other_at else None
        self._known[id(submission)] = submission, unit.province, unit, other_at, other, ruling

    def note(self, ruling: Ruling) -> None:
        """Remember a ruling in which no other unit of the position and no condition took part, if
        it is of a kind that may be remembered."""
        order = ruling.order
        if ruling.status is RulingStatus.ILLEGAL or ruling.submission.refusal is not None:
            return
        if isinstance(order, _SUPPORTS):
            self.remember(ruling, province_of(order.supported.location))
        elif isinstance(order, _ALONE):
            self.remember(ruling, "")


@kept_on_first(16)
def _known(board: Map, words: Words, settings: Settings, season: str) -> dict[int, _Known]:
    return {}
