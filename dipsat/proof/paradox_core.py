"""The order core of a paradox: the smallest set of orders for which the trouble still exists
(DATC 4.A.2). All other units hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from dipsat.equations.lawful import phase_of
from dipsat.game.facts import UnitFacts
from dipsat.game.legality import Ruling, Status
from dipsat.game.position import Position
from dipsat.profiles.profile import Profile
from dipsat.solving.resolve import verdict_without_rules

_MAX_SUBSETS = 400  # tried in search of a core smaller than the one found by leaving out orders


def order_core(
    profile: Profile,
    position: Position,
    rulings: Sequence[Ruling],
    units: Sequence[UnitFacts],
    verdict: str,
) -> tuple[str, ...]:
    """The units whose orders form the core, in order of their provinces.

    `units` are those that may belong to it, `verdict` is the trouble: "none" or "several"
    resolutions. (The orders of Pandin's paradox, which has none, contain a simple paradox, which
    has two; that is another paradox.) Orders that a power gives besides those of its units stay.
    Orders of units are left out one by one as long as the verdict stays
    the same; then, unless there are too many to try, every smaller set of the same orders is
    tried too, so that the result is the smallest and not just minimal.
    """
    pool = sorted(unit.unit.location for unit in units)
    lasting = [r for r in rulings if r.unit is None and r.status is not Status.ILLEGAL]
    by_location = {
        ruling.unit.location: ruling
        for ruling in rulings
        if ruling.unit is not None and ruling.status is not Status.ILLEGAL
    }
    pool = [location for location in pool if location in by_location]

    def is_trouble(kept: Sequence[str]) -> bool:
        phase = phase_of(profile, position, [*lasting, *(by_location[at] for at in kept)])
        return verdict_without_rules(profile, phase) == verdict

    core = list(pool)
    for location in pool:
        fewer = [other for other in core if other != location]
        if is_trouble(fewer):
            core = fewer
    smaller = (kept for size in range(1, len(core)) for kept in combinations(pool, size))
    for tried, kept in enumerate(smaller):
        if tried >= _MAX_SUBSETS:
            break
        if is_trouble(kept):
            core = list(kept)
            break
    return tuple(str(by_location[location].unit) for location in core)
