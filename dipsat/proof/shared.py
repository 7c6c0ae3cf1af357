"""Two units that end in one province: a defect of the rules, shown by as few orders as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.equations.lawful import phase_of
from dipsat.equations.phase import Phase
from dipsat.errors import SharedProvinceError, UnresolvedError
from dipsat.game.facts import UnitFacts
from dipsat.game.legality import Ruling, Status
from dipsat.game.position import Position
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile
from dipsat.solving.resolve import Solution, resolve

_TIME_LIMIT = 2000  # milliseconds for a question to Z3 in search of fewer orders


def refuse_shared_province(
    profile: Profile,
    position: Position,
    rulings: Sequence[Ruling],
    phase: Phase,
    solution: Solution,
) -> None:
    """Refuse an outcome in which two units end in one province.

    Raises `SharedProvinceError`. Nothing is refused where a time limit has left decisions open.
    """
    if solution.unknown or shared_province(profile, phase, solution) is None:
        return
    given = list(rulings)
    for ruling in rulings:
        fewer = [other for other in given if other is not ruling]
        if _is_shown(profile, position, fewer):
            given = fewer
    phase = phase_of(profile, position, given)
    shared = shared_province(profile, phase, resolve(profile, phase))
    assert shared is not None
    province, units = shared
    orders: dict[str, list[str]] = {}
    for ruling in given:
        is_illegal = ruling.status is Status.ILLEGAL
        text = ruling.submission.text if is_illegal else write_order(ruling.order, position.map)
        orders.setdefault(ruling.submission.power, []).append(text)
    raise SharedProvinceError(profile.name, province, map(str, units), orders)


def _is_shown(profile: Profile, position: Position, rulings: Sequence[Ruling]) -> bool:
    phase = phase_of(profile, position, rulings)
    try:
        solution = resolve(profile, phase, time_limit_ms=_TIME_LIMIT)
    except UnresolvedError:
        return False
    return not solution.unknown and shared_province(profile, phase, solution) is not None


def shared_province(
    profile: Profile, phase: Phase, solution: Solution
) -> tuple[str, list[UnitFacts]] | None:
    """The first province in which several units end, and these units."""
    moves, dislodged = solution.bounds.values("move"), solution.bounds.values("dislodge")
    landed = landings(profile, phase, solution)
    ending: dict[str, list[UnitFacts]] = {}
    for unit in phase.units:
        if unit.index in landed:
            ending.setdefault(landed[unit.index], []).append(unit)
        elif unit.moves and moves[unit.moves[0].index]:
            ending.setdefault(unit.moves[0].target.code, []).append(unit)
        elif not dislodged[unit.index]:
            ending.setdefault(unit.province.code, []).append(unit)
    return next((found for found in sorted(ending.items()) if len(found[1]) > 1), None)


def landings(profile: Profile, phase: Phase, solution: Solution) -> Mapping[int, str]:
    """Index of a unit that goes along a line -> where it ends."""
    return {
        leg.attribute("unit").index: leg.target.code
        for kind in profile.declared.kinds.values()
        if kind.lands
        for leg in phase.domain(kind.legs)
        if solution.bounds.value((kind.lands, leg.index))
    }
