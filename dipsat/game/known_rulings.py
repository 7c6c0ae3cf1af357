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

_Known: TypeAlias = tuple[Submission, str, Unit, str, dict[int, tuple[Unit | None, Ruling]]]
"""The rulings on a submission while a unit stands in a province: by the identity of the unit in
another province that the order is about, if any. A plain tuple: there are as many as orders."""


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
            ruling = None
            if known is not None and units.get(known[1]) is known[2]:
                pair = known[4].get(id(units.get(known[3])))
                if pair is not None:
                    ruling = pair[1]
            found.append(ruling)
        return found

    def remember(self, ruling: Ruling, other_at: str) -> None:
        """Remember a ruling that depends on its unit and on the one in province `other_at` alone,
        which may be ""."""
        submission, unit = ruling.submission, ruling.unit
        if unit is None:
            return
        table, key, other = self._known, id(submission), self.units.get(other_at)
        known = table.get(key)
        if known is None or known[2] is not unit:
            if len(table) >= _MOST:
                table.clear()
            table[key] = submission, unit.province, unit, other_at, {id(other): (other, ruling)}
        else:
            known[4][id(other)] = other, ruling

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
