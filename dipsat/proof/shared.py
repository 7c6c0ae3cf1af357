"""Two units that end in one province: a defect of the rules, shown by as few orders as possible."""

from __future__ import annotations

from dipsat.errors import SharedProvinceError, UnresolvedError
from dipsat.game.ruling import Status
from dipsat.orders.writer import write_order
from dipsat.proof.resolved import GivenPhase, ResolvedPhase

_TIME_LIMIT = 2000  # milliseconds for a question to Z3 in search of fewer orders


def refuse_shared_province(resolved: ResolvedPhase) -> None:
    """Refuse an outcome in which two units end in one province.

    Raises `SharedProvinceError`. Nothing is refused where a time limit has left decisions open.
    """
    if resolved.solution.unknown or resolved.shared_province is None:
        return
    given: GivenPhase = resolved
    for ruling in resolved.rulings:
        fewer = resolved.with_orders(other for other in given.rulings if other is not ruling)
        if _is_shown(fewer):
            given = fewer
    shared = resolved.with_orders(given.rulings).resolved().shared_province
    assert shared is not None
    province, units = shared
    orders: dict[str, list[str]] = {}
    for ruling in given.rulings:
        is_illegal = ruling.status is Status.ILLEGAL
        board = resolved.position.map
        text = ruling.submission.text if is_illegal else write_order(ruling.order, board)
        orders.setdefault(ruling.submission.power, []).append(text)
    raise SharedProvinceError(resolved.profile.name, province, map(str, units), orders)


def _is_shown(given: GivenPhase) -> bool:
    try:
        resolved = given.resolved(time_limit_ms=_TIME_LIMIT)
    except UnresolvedError:
        return False
    return not resolved.solution.unknown and resolved.shared_province is not None
