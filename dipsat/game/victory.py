"""Victory: the centres a power needs, and who has won."""

from __future__ import annotations

from dipsat.board.map import Map
from dipsat.game.order_conditions import counted_centers
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import FIRST_PHASE, Position
from dipsat.game.settings import Settings


def centers_to_win(board: Map, settings: Settings) -> int | None:
    """How many centres a power must own to win, None if no power can win."""
    if settings.victory == "never":
        return None
    if settings.victory == "map" and board.victory is not None:
        return board.victory
    return sum(province.supply for province in board.provinces.values()) // 2 + 1


def _is_within_year(phase: PhaseName) -> bool:
    """Whether units have moved since the last winter."""
    begins = phase.season == FIRST_PHASE.season and phase.kind is PhaseKind.MOVEMENT
    return not begins and phase.kind is not PhaseKind.ADJUSTMENT


def victor(position: Position, settings: Settings) -> str | None:
    """The power that has won: it owns enough centres, and more than any other power that is played.

    None if there is no such power; if two powers lead with the same number, neither has won. Of a
    centre whose owner is unknown it counts only that another power may own it.
    Centres change hands only after fall, so the position may be of any phase. Where units on the
    board determine whether a centre counts, they do so only at the end of a year: from the spring
    moves until the winter, no power has won.
    """
    own, phase = settings.conditions, position.phase
    if own is not None and not own.count_whatever_stands and _is_within_year(phase):
        return None
    needed = centers_to_win(position.map, settings)
    players = position.centers.keys() - position.map.neutrals
    owned = {power: len(counted_centers(position, power, settings)) for power in players}
    most = max(owned.values(), default=0)
    if needed is None or most < needed:
        return None
    leading = [power for power, count in owned.items() if count == most]
    rival = max((count for power, count in owned.items() if power != leading[0]), default=0)
    return leading[0] if rival + len(position.unknown_centers) < most else None
