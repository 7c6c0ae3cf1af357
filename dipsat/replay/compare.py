"""Where a record and dipsat differ about one phase.

Some things are only conventions of a record, not differences: whether it lists dislodged units
that cannot retreat (and has a retreat phase for them alone), and whether it has an adjustment
phase in which nothing is to be adjusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dipsat.board.province import UnitKind, province_of
from dipsat.errors import FileError
from dipsat.formats.records import RecordedPhase, RecordedState
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import Unit
from dipsat.orders.order import Build, Move, Retreat
from dipsat.orders.reader import OrderReader
from dipsat.proof.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Sides:
    """What differs, as the record has it and as dipsat has it: parts of `Position.to_dict()`."""

    theirs: Mapping[str, Any] = field(default_factory=dict)
    ours: Mapping[str, Any] = field(default_factory=dict)


def agree(outcome: Outcome, after: RecordedState) -> bool:
    """Whether the outcome is what the record says came after."""
    return not sides(outcome, after).theirs


def sides(outcome: Outcome, after: RecordedState) -> Sides:
    """What differs between the outcome and the record; both sides are empty if nothing does."""
    theirs: dict[str, Any] = {}
    ours: dict[str, Any] = {}
    if outcome.units_after != after.units:
        found, recorded = frozenset(outcome.units_after), frozenset(after.units)
        theirs["units"] = _by_power(recorded - found)
        ours["units"] = _by_power(found - recorded)
    following = outcome.next
    if outcome.position.phase.kind is PhaseKind.MOVEMENT:
        _dislodged(outcome, after, theirs, ours)
    phase = after.phase
    if phase is None:
        return Sides(theirs, ours)
    only_dead = phase.kind is PhaseKind.RETREAT and following.phase.kind is not PhaseKind.RETREAT
    if only_dead and "dislodged" not in theirs:
        return Sides(theirs, ours)  # the same units, in a phase where nobody can do anything
    idle = phase.kind is PhaseKind.ADJUSTMENT and following.phase == phase.next_year()
    if phase != following.phase and not idle and not theirs:
        theirs["phase"], ours["phase"] = str(phase), str(following.phase)
    if after.centers is not None and "phase" not in theirs:
        _centers(following.centers, after.centers, theirs, ours)
    return Sides(theirs, ours)


def _by_power(units: Iterable[Unit]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in sorted(units, key=lambda unit: (unit.power, unit.location)):
        found.setdefault(unit.power, []).append(str(unit))
    return found


def _dislodged(
    outcome: Outcome, after: RecordedState, theirs: dict[str, Any], ours: dict[str, Any]
) -> None:
    """Units that can retreat must be listed, others may be; recorded retreats must be the same."""
    if not outcome.dislodged and not after.dislodged:
        return
    retreats = {(lost.power, lost.unit): lost.retreats for lost in outcome.dislodged}
    listed = {(unit.power, str(unit)) for unit in after.dislodged}
    alive = {unit for unit, places in retreats.items() if places}
    dead = {unit for unit in listed if after.retreats.get(unit[1]) == ()}
    extra, missing = listed - retreats.keys(), alive - listed
    if extra or missing:
        theirs["dislodged"] = _texts(extra)
        ours["dislodged"] = _texts(missing)
    other = {
        (power, text): (after.retreats[text], retreats[power, text])
        for power, text in sorted(listed & retreats.keys())
        if text in after.retreats and set(after.retreats[text]) != set(retreats[power, text])
    }
    if other or dead & missing:
        theirs["retreats"] = _options({unit: pair[0] for unit, pair in other.items()})
        ours["retreats"] = _options({unit: pair[1] for unit, pair in other.items()})


def _texts(units: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for power, text in sorted(units):
        found.setdefault(power, []).append(text)
    return found


def _options(
    units: Mapping[tuple[str, str], tuple[str, ...]],
) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for (power, text), places in units.items():
        found.setdefault(power, {})[text] = list(places)
    return found


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


def refuse_contradiction(source: str, record: RecordedPhase, reader: OrderReader) -> None:
    """Refuse a record that no judge could have made, however the orders are judged: a phase out of
    turn, a unit where none could have come. Raises `FileError`."""
    before, after = record.before, record.after
    assert before.phase is not None
    if after is None:
        return
    if after.phase is not None and after.phase not in _next_phases(before.phase):
        raise FileError(source, f"{before.phase}: {after.phase} cannot come next")
    ordered = _ordered(record, reader)
    there = {*before.units, *before.dislodged}
    for unit in (*after.units, *after.dislodged):
        if unit not in there and (unit.power, unit.kind, unit.province) not in ordered:
            raise FileError(
                source,
                f"{before.phase}: the units contradict the history: {unit.power} {unit} stands "
                f"there afterwards, but no unit was there or was ordered there",
            )
    if before.phase.kind is PhaseKind.RETREAT:
        gone = sorted(map(str, set(before.units) - set(after.units)))
        if gone:
            raise FileError(
                source,
                f"{before.phase}: the units contradict the history: {', '.join(gone)} had not to "
                f"retreat, but is gone afterwards",
            )


def _next_phases(phase: PhaseName) -> tuple[PhaseName, ...]:
    if phase.kind is PhaseKind.ADJUSTMENT:
        return (phase.next_year(),)
    after = phase.after_moves()
    following = (after,) if phase.season == "S" else (after, after.next_year())
    retreats = (phase.retreats(),) if phase.kind is PhaseKind.MOVEMENT else ()
    return (*retreats, *following)


def _ordered(record: RecordedPhase, reader: OrderReader) -> set[tuple[str, UnitKind, str]]:
    """(power, kind, province) of every unit that an order could bring there."""
    found: set[tuple[str, UnitKind, str]] = set()
    by_place = {unit.province: unit for unit in (*record.before.units, *record.before.dislodged)}
    for unit in record.before.dislodged:  # two units may be in one province then
        by_place[unit.province] = unit
    for power, texts in record.orders.items():
        for text in texts:
            order = reader.read(text)
            if isinstance(order, Build):
                province = province_of(order.unit.location)
                found |= {(power, kind, province) for kind in _kinds(order.unit.kind)}
            elif isinstance(order, Move | Retreat):
                mover = by_place.get(province_of(order.unit.location))
                if mover is not None:
                    found.add((mover.power, mover.kind, province_of(order.target)))
    return found


def _kinds(kind: UnitKind | None) -> tuple[UnitKind, ...]:
    return (kind,) if kind is not None else tuple(UnitKind)
