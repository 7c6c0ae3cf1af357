"""Orders before they are judged: the ruling on each, and which unit it is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.base import grouped
from dipsat.board import province_of
from dipsat.game import (
    PhaseKind,
    Position,
    Ruling,
    RulingStatus,
    Submission,
    judge_orders,
    read_in,
    read_submissions,
)
from dipsat.orders import TEXT_FAULTS, Order, Waive
from dipsat.outcomes import OrderOutcome, adjudicate
from dipsat.rules import Profile


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
    is_retreat = position.phase.kind is PhaseKind.RETREAT
    units = [one.unit for one in position.dislodged] if is_retreat else position.units
    own = {unit.province: unit for unit in units if unit.power == submission.power}
    unit = None if isinstance(order, Waive) else own.get(province_of(order.unit.location))
    if result.verdict in ("illegal", "invalid"):
        why = result.reason
        return Ruling(submission, unit, order, RulingStatus.ILLEGAL, why.code, why.text)
    if result.amended:
        return Ruling(submission, unit, order, RulingStatus.AMENDED, "amended", result.amended)
    return Ruling(submission, unit, order, RulingStatus.LEGAL)


def rulings_by_text(
    position: Position, orders: Mapping[str, Sequence[str]], rules: Profile
) -> Mapping[tuple[str, str], list[tuple[bool, bool, str]]]:
    """(power, text) -> for each order with this text: whether what it is for exists, whether it is
    legal, and why."""
    found = []
    for ruling in rulings_on(position, orders, rules):
        one, legal = ruling.submission, ruling.status is not RulingStatus.ILLEGAL
        there = legal or ruling.unit is not None
        if position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
            there = legal or not (isinstance(one.order, Waive) or ruling.code in _OF_NOTHING)
        found.append(((one.power, one.text), (there, legal, ruling.reason)))
    return grouped(found)


_OF_NOTHING = ("no_such_unit", "no_unit")
"""The codes of orders for units that the power does not have."""


def about(position: Position, text: str) -> str:
    """The province that an order is for; "" if it is for none, such as a waived build."""
    try:
        order = read_in(position, text)
    except TEXT_FAULTS:
        return f"unreadable {text}"
    return "" if isinstance(order, Waive) else province_of(order.unit.location)
