"""The rulings on the orders of a phase before it is adjudicated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.board.province import province_of
from dipsat.game.legality import judge_orders
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.game.submissions import read_submissions
from dipsat.orders.order import Order, Waive
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import OrderOutcome
from dipsat.values import grouped


def rulings_on(
    position: Position, orders: Mapping[str, Sequence[str | Order]], rules: Profile
) -> tuple[Ruling, ...]:
    """The ruling on each order of each power, in the order given. An order that cannot be read is
    illegal, too."""
    submissions = read_submissions(position, orders, rules.settings, lenient=True)
    if position.phase.kind in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
        return judge_orders(position, submissions, rules.settings)
    outcome = adjudicate(position, orders, rules, lenient=True)
    results = grouped(((one.power, one.submitted), one) for one in outcome.orders)
    return tuple(
        _ruling(position, one, results[one.power, one.shown].pop(0)) for one in submissions
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
