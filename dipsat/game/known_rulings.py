"""Rulings that hold in every position in which the same units stand in the same provinces.

Most orders are judged by the ordered unit and the unit that they support alone, and players give
the same few thousand orders in all games. Convoys depend on all carriers of a position, and
conditions of the rules on anything; rulings that asked for either are not remembered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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


class _Known(NamedTuple):  # as many as orders; a frozen dataclass takes three times as long
    """The rulings on a submission while a unit stands in a province: by the identity of the unit in
    another province that the order is about, if any."""

    submission: Submission
    at: str
    unit: Unit
    other_at: str
    rulings: dict[int, tuple[Unit | None, Ruling]]


class KnownRulings:
    """The rulings that are remembered for a map, the words and settings of the rules, and the
    season of an extra phase. Submissions and units are looked up by identity: both are made once
    for each text (`read_submissions`, `unit_of`)."""

    def __init__(self, position: Position, settings: Settings) -> None:
        season = position.phase.extra_season
        self.units: Mapping[str, Unit] = position.by_province
        self._known = _known(position.map, position.words, settings, season)

    def of(self, submission: Submission) -> Ruling | None:
        """The ruling on this very submission, None if it is not known."""
        known = self._known.get(id(submission))
        if known is None or self.units.get(known.at) is not known.unit:
            return None
        found = known.rulings.get(id(self.units.get(known.other_at)))
        return None if found is None else found[1]

    def remember(self, ruling: Ruling) -> None:
        """Remember a ruling that no other unit of the position and no condition took part in."""
        submission, unit, order = ruling.submission, ruling.unit, ruling.order
        if unit is None or ruling.status is RulingStatus.ILLEGAL or submission.refusal is not None:
            return
        other_at = ""
        if isinstance(order, _SUPPORTS):
            other_at = province_of(order.supported.location)
        elif not isinstance(order, _ALONE):
            return
        if len(self._known) >= _MOST:
            self._known.clear()
        known = self._known.get(id(submission))
        if known is None or known.unit is not unit:
            known = _Known(submission, unit.province, unit, other_at, {})
            self._known[id(submission)] = known
        other = self.units.get(other_at)
        known.rulings[id(other)] = other, ruling


@kept_on_first(16)
def _known(board: Map, words: Words, settings: Settings, season: str) -> dict[int, _Known]:
    return {}
