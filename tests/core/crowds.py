"""Small crowded boards under a profile, for faults of rules that single orders do not show."""

from __future__ import annotations

import dipsat
from dipsat.rules import Profile
from dipsat.studies.random_boards import trial_board

UNITS = 14


def boards_judged(profile: Profile, boards: int) -> int:
    """The number of crowded boards that have a next position. Raises `SharedProvinceError` for the
    first on which rules put two units into one province."""
    board = dipsat.load_map(profile.map or "standard")
    for seed in range(boards):
        sheet = trial_board(profile, board, seed, UNITS, crowd=True)
        outcome = dipsat.adjudicate(sheet.position(), sheet.orders, profile)
        assert outcome.next is not None
    return boards
