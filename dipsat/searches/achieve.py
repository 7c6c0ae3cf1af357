"""Whether orders exist that reach a goal."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.proof.movement import MovementOutcome
from dipsat.searches.asked import Asked
from dipsat.searches.cegar import Confirmed, Judged, find_quiet_first, simplest
from dipsat.searches.goal import Goal


def find_achievement(asked: Asked, goal: Goal) -> Confirmed[bool] | None:
    """Orders of the open units that reach the goal; None if it is proven that there are none."""
    (profile,) = asked.profiles
    board = asked.board()
    rules = board.under(profile)
    reached = rules.rails.possibly(goal.term(rules.open.phase))

    def accept(judged: Sequence[Judged]) -> bool | None:
        (outcome,) = judged
        return (isinstance(outcome, MovementOutcome) and goal.holds(outcome)) or None

    found = find_quiet_first(board, [rules], [reached], accept, asked.watch)
    return found and simplest(asked, found, accept)
