"""What would be reported on orders that are not submitted yet."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.board.province import province_of
from dipsat.game.legality import judge_orders
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.game.submissions import read_submissions
from dipsat.grouped import grouped
from dipsat.orders.order import Order, Waive
from dipsat.play.turn import Turn
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import OrderOutcome


def rulings_on(turn: Turn, power: str, orders: Sequence[str | Order]) -> tuple[Ruling, ...]:
    """The ruling on each order of a power, in the order given; the orders of the other powers are
    those of the turn."""
    position, settings = turn.position, turn.rules.settings
    given = {**turn.orders, power: orders}
    submissions = read_submissions(position, given, settings, lenient=True)
    if position.phase.kind in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
        found = judge_orders(position, submissions, settings)
        return tuple(one for one in found if one.submission.power == power)
    outcome = adjudicate(position, given, turn.rules, lenient=True)
    results = grouped((one.submitted, one) for one in outcome.orders if one.power == power)
    return tuple(
        _ruling(position, one, results[one.shown].pop(0))
        for one in submissions
        if one.power == power
    )


def _ruling(position: Position, submission: Submission, result: OrderOutcome) -> Ruling:
    """The ruling on an order of a retreat or adjustment phase, from its result."""
    order = submission.order
    place = "" if isinstance(order, Waive) else province_of(order.unit.location)
    unit = _units(position, submission.power).get(place)
    if result.verdict in ("illegal", "invalid"):
        reason = result.reason
        return Ruling(
            submission, unit, order, RulingStatus.ILLEGAL, reason.code, reason.text
        )  # fmt: skip
    if result.amended:
        return Ruling(submission, unit, order, RulingStatus.AMENDED, "amended", result.amended)
    return Ruling(submission, unit, order, RulingStatus.LEGAL)


def _units(position: Position, power: str) -> dict[str, Unit]:
    """The units of a power that can be ordered in the phase, by province."""
    if position.phase.kind is PhaseKind.RETREAT:
        units = [lost.unit for lost in position.dislodged]
    else:
        units = list(position.units)
    return {unit.province: unit for unit in units if unit.power == power}
