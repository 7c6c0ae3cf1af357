"""Outcomes in which two units end in one province, or a unit that moves away is dislodged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.base import check_time, grouped
from dipsat.board import Map
from dipsat.errors import ImpossibleBoardError, SharedProvinceError, UnitTwiceError, UnresolvedError
from dipsat.game import Ruling, RulingStatus
from dipsat.orders import write_order
from dipsat.outcomes.resolved_phase import GivenPhase, ResolvedPhase
from dipsat.solving import MAX_STEPS, Budget


def refuse_impossible_board(resolved: ResolvedPhase) -> None:
    """Refuse an outcome in which two units end in one province, or a unit that moves away is
    dislodged: a defect of the rules.

    Raises `SharedProvinceError` or `UnitTwiceError` with as few orders as show it, as far as
    `MAX_STEPS` steps allow. Nothing is refused if a limit has left decisions open.
    """
    if resolved.solution.unknown or not resolved.is_impossible:
        return
    # Sorted, so that the same board gives the same error in whatever order they were handed in.
    given: GivenPhase = resolved.with_orders(sorted(resolved.rulings, key=_place))
    budget = Budget(MAX_STEPS)
    for ruling in given.rulings:
        budget.charge(resolved.solution.steps)
        if budget.is_over():
            break
        fewer = resolved.with_orders(other for other in given.rulings if other is not ruling)
        if _is_shown(fewer, budget):
            given = fewer
    board = resolved.position.map
    orders = grouped((one.submission.power, _text(one, board)) for one in given.rulings)
    shown = resolved.with_orders(given.rulings).resolved(Budget(MAX_STEPS))
    check_time()
    raise impossible_board(shown, orders)


def impossible_board(
    resolved: ResolvedPhase, orders: Mapping[str, Iterable[str]]
) -> ImpossibleBoardError:
    """The error for a phase that `is_impossible`; `orders` are those that show it."""
    shared = resolved.shared_province
    if shared is not None:
        return SharedProvinceError(resolved.profile.name, shared[0], map(str, shared[1]), orders)
    unit = resolved.unit_twice
    assert unit is not None
    return UnitTwiceError(resolved.profile.name, str(unit), resolved.ends[unit.index], orders)


def _place(ruling: Ruling) -> tuple[str, str]:
    return ruling.submission.power, ruling.unit.province if ruling.unit else ""


def _text(ruling: Ruling, board: Map) -> str:
    is_illegal = ruling.status is RulingStatus.ILLEGAL
    return ruling.submission.shown if is_illegal else write_order(ruling.order, board)


def _is_shown(given: GivenPhase, budget: Budget) -> bool:
    try:
        resolved = given.resolved(budget)
    except UnresolvedError:
        return False
    return not resolved.solution.unknown and resolved.is_impossible
