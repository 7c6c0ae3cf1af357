"""Where a record and dipsat differ about one phase.

Some conventions of records are not differences: whether a record lists dislodged units that cannot
retreat (and has a retreat phase only for them), and whether it has an adjustment phase in which
there is nothing to adjust.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dipsat.formats.records import RecordedState
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import by_location, by_power
from dipsat.pages import titled
from dipsat.proof.outcome import Outcome
from dipsat.values import grouped

if TYPE_CHECKING:
    from dipsat.kernel.results import BoardOutcome


@dataclass(frozen=True, slots=True)
class Sides:
    """What differs, as the record has it and as dipsat has it: parts of `Position.to_dict()`."""

    theirs: Mapping[str, Any] = field(default_factory=dict)
    ours: Mapping[str, Any] = field(default_factory=dict)


def agree(outcome: Outcome | BoardOutcome, after: RecordedState) -> bool:
    """Whether the outcome is what the record states as the result."""
    if outcome.units_after != after.units and set(outcome.units_after) != set(after.units):
        return False  # without computing the rest of the outcome
    return not sides(outcome, after).theirs


def sides(outcome: Outcome | BoardOutcome, after: RecordedState) -> Sides:
    """What differs between the outcome and the record; both sides are empty if nothing does."""
    theirs: dict[str, Any] = {}
    ours: dict[str, Any] = {}
    if outcome.units_after != after.units:
        found, recorded = frozenset(outcome.units_after), frozenset(after.units)
        theirs["units"] = by_power(by_location(recorded - found))
        ours["units"] = by_power(by_location(found - recorded))
    following = outcome.next
    if outcome.position.phase.kind is PhaseKind.MOVEMENT:
        _dislodged(outcome, after, theirs, ours)
    phase = after.phase
    if phase is None:
        return Sides(theirs, ours)
    only_dead = phase.kind is PhaseKind.RETREAT and following.phase.kind is not PhaseKind.RETREAT
    if only_dead and "dislodged" not in theirs:
        return Sides(theirs, ours)  # the same units, in a phase in which nothing can be ordered
    idle = phase.kind is PhaseKind.ADJUSTMENT and following.phase == phase.next_year()
    unknown = (
        following.unknown_centers
    )  # so dipsat cannot know whether there is an adjustment phase
    if unknown and following.phase.kind is PhaseKind.ADJUSTMENT:
        idle = idle or phase == following.phase.next_year()
    if phase == following.phase or idle:
        if after.centers is not None:
            apart = {*unknown, *after.unknown}  # what one side does not know
            own, stated = _without(following.centers, apart), _without(after.centers, apart)
            _centers(own, stated, theirs, ours)
    elif not theirs:
        theirs["phase"], ours["phase"] = str(phase), str(following.phase)
    return Sides(theirs, ours)


def side_in_words(side: Mapping[str, Any]) -> str:
    """What differs on one side, in one line."""
    found = []
    for key, value in side.items():
        if isinstance(value, str):
            found.append(f"{key} {value}")
            continue
        for power, items in value.items():
            entries = (
                [f"{unit} to {', '.join(places) or 'nowhere'}" for unit, places in items.items()]
                if isinstance(items, dict)
                else items
            )
            label = "" if key == "units" else f"{key} "
            found.append(f"{label}{titled(power)}: {', '.join(entries) or 'none'}")
    return "; ".join(found) or "nothing"


def _dislodged(
    outcome: Outcome | BoardOutcome,
    after: RecordedState,
    theirs: dict[str, Any],
    ours: dict[str, Any],
) -> None:
    """Compare dislodged units: those that can retreat must be listed, others may be; recorded
    retreats must be the same."""
    if not outcome.dislodged and not after.dislodged:
        return
    retreats = {(lost.power, lost.unit): lost.retreats for lost in outcome.dislodged}
    listed = {(unit.power, str(unit)) for unit in after.dislodged}
    alive = {unit for unit, places in retreats.items() if places}
    extra, missing = listed - retreats.keys(), alive - listed
    if extra or missing:
        theirs["dislodged"] = grouped(sorted(extra))
        ours["dislodged"] = grouped(sorted(missing))
    other = {
        (power, text): (after.retreats[text], retreats[power, text])
        for power, text in sorted(listed & retreats.keys())
        if text in after.retreats and set(after.retreats[text]) != set(retreats[power, text])
    }
    if other:
        theirs["retreats"] = _options({unit: pair[0] for unit, pair in other.items()})
        ours["retreats"] = _options({unit: pair[1] for unit, pair in other.items()})


def _options(
    units: Mapping[tuple[str, str], tuple[str, ...]],
) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for (power, text), places in units.items():
        found.setdefault(power, {})[text] = list(places)
    return found


def _without(
    centers: Mapping[str, tuple[str, ...]], codes: Collection[str]
) -> Mapping[str, tuple[str, ...]]:
    """The owned centres without some."""
    if not codes:
        return centers
    left = {power: tuple(c for c in own if c not in codes) for power, own in centers.items()}
    return {power: own for power, own in left.items() if own}


def _centers(
    found: Mapping[str, tuple[str, ...]],
    recorded: Mapping[str, tuple[str, ...]],
    theirs: dict[str, Any],
    ours: dict[str, Any],
) -> None:
    if found == recorded:
        return
    powers = sorted(found.keys() | recorded.keys())
    differing = [power for power in powers if found.get(power, ()) != recorded.get(power, ())]
    if differing:
        theirs["centers"] = {power: list(recorded.get(power, ())) for power in differing}
        ours["centers"] = {power: list(found.get(power, ())) for power in differing}
