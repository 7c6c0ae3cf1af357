"""Records without a retreat phase, whose next boards show where the dislodged units went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dipsat.formats.records import RecordedState
from dipsat.game.phase_name import PhaseKind
from dipsat.proof.adjudicate import decided
from dipsat.proof.outcome import Outcome
from dipsat.replays.compare import agree

if TYPE_CHECKING:
    from dipsat.kernel.results import BoardOutcome

LEFT_OUT = "retreats-left-out"
"""The deviation (docs/judges.md) that such a record has."""


def shows_retreats_left_out(outcome: Outcome | BoardOutcome, after: RecordedState) -> bool:
    """Whether a record goes on behind the retreats that follow the outcome, with just the board
    that some retreats lead to: units are where they could retreat to, the others are disbanded."""
    following = outcome.next
    if after.phase is None or following.phase.kind is not PhaseKind.RETREAT:
        return False
    if after.phase.kind is PhaseKind.RETREAT:
        return False
    new = {(unit.power, unit.kind, unit.location) for unit in after.units}
    new -= {(unit.power, unit.kind, unit.location) for unit in outcome.units_after}
    orders: dict[str, list[str]] = {}
    # A unit with one way out goes first, so that no other takes it.
    for lost in sorted(following.dislodged, key=lambda lost: len(lost.retreats)):
        unit = lost.unit
        places = [at for at in lost.retreats if (unit.power, unit.kind, at) in new]
        if places:
            new.discard((unit.power, unit.kind, places[0]))
            orders.setdefault(unit.power, []).append(f"{unit} R {places[0]}")
    return agree(decided(following, orders, outcome.profile), after)
