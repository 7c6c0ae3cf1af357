"""Records that no judge could have made, however it judges the orders."""

from __future__ import annotations

from dipsat.board.province import STANDARD_KINDS, UnitKind, province_of
from dipsat.formats.records import RecordedPhase
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.orders.guesses import GuessedReadings
from dipsat.orders.order import Build, Move, Order, Retreat
from dipsat.orders.reader import OrderReader
from dipsat.orders.text_parse import TEXT_FAULTS


def contradiction(record: RecordedPhase, reader: OrderReader) -> str:
    """Why no judge can have made a record, however it judges the orders: a phase out of turn, a
    unit where none can be. "" if a judge can have made it.

    The record must state the result of the orders.
    """
    before, after = record.before, record.after
    assert before.phase is not None
    assert after is not None
    if after.phase is not None and after.phase not in _next_phases(before.phase):
        return f"{after.phase} cannot come next"
    known = before.states_owners and after.states_owners
    if known and before.phase.season == "S" and before.centers != after.centers:
        return "centres change owners only after fall"
    ordered = _ordered(record, reader)
    there = {*before.units, *before.dislodged}
    for unit in (*after.units, *after.dislodged):
        if unit not in there and (unit.power, unit.kind, unit.province) not in ordered:
            return (
                f"the units contradict the history: {unit.power} {unit} is there afterwards, but "
                f"no unit was there or was ordered there"
            )
    if before.phase.kind is PhaseKind.RETREAT:
        gone = sorted(map(str, set(before.units) - set(after.units)))
        if gone:
            return (
                f"the units contradict the history: {', '.join(gone)} did not have to retreat, "
                f"but is gone afterwards"
            )
    return ""


def _next_phases(phase: PhaseName) -> tuple[PhaseName, ...]:
    if phase.kind is PhaseKind.ADJUSTMENT:
        return (phase.next_year(),)
    after = phase.after_moves()
    following = (after,) if phase.season == "S" else (after, after.next_year())
    retreats = (phase.retreats(),) if phase.kind is PhaseKind.MOVEMENT else ()
    return (*retreats, *following)


def _ordered(record: RecordedPhase, reader: OrderReader) -> set[tuple[str, UnitKind, str]]:
    """(power, kind, province) of every unit that an order could have put there."""
    found: set[tuple[str, UnitKind, str]] = set()
    # Where a dislodged unit and another share a province, the dislodged one counts; it comes last.
    by_place = {unit.province: unit for unit in (*record.before.units, *record.before.dislodged)}
    for power, texts in record.orders.items():
        for text in texts:
            for order in _meanings(text, reader):
                if isinstance(order, Build):
                    province = province_of(order.unit.location)
                    kinds = (order.unit.kind,) if order.unit.kind else STANDARD_KINDS
                    found |= {(power, kind, province) for kind in kinds}
                elif isinstance(order, Move | Retreat):
                    mover = by_place.get(province_of(order.unit.location))
                    if mover is not None:
                        found.add((mover.power, mover.kind, province_of(order.target)))
    return found


def _meanings(text: str, reader: OrderReader) -> tuple[Order, ...]:
    """The order of a text; for a poorly written one, all its possible meanings."""
    try:
        return (reader.read(text),)
    except TEXT_FAULTS as error:
        return GuessedReadings(reader.board, text, error, reader.words).orders
