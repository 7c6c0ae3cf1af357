"""Whether the orders of a phase have one consistent resolution, without propagation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dipsat.errors import NoEquationsError
from dipsat.game.legality import judge_orders
from dipsat.game.order_sets import PowerOrders
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.submissions import read_submissions
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running
from dipsat.profiles.features import check_features
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.proof import Proof
from dipsat.proof.resolved import GivenPhase
from dipsat.solving.budget import budget_of
from dipsat.solving.models import MAX_STEPS
from dipsat.solving.system import count_resolutions, ground_system


def prove(
    position: Position,
    orders: Mapping[str, PowerOrders],
    rules: str | Path | Profile = "datc",
    *,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> Proof:
    """Count the consistent resolutions of a phase, subgraph by subgraph, with Z3. The phase is a
    movement phase, or an extra phase for orders that the rules declare (`U1901X`).

    Z3 gets the equations of all decisions, except strengths that can have one value only: their
    values are inserted, as are the results of comparisons that ranges of strengths decide. Nothing
    else is propagated before, and no cycle rule is applied. Where Z3 is not installed, case
    analysis stands in for it; `Proof.evidence` says which has decided. `position`, `orders`,
    `rules` and `lenient` are as for `adjudicate`. What is not decided within `limits` has the
    verdict `unknown`. Without them, only what takes more steps of Z3 than `Limits.work` says is
    unknown.

    Raises `NoEquationsError` for a retreat or adjustment phase, `NumberRangeError` for rules with
    numbers that cannot be searched, `SolverError` for a board that takes Z3 where it is not
    installed, `WorkLimitError` for rules that would take too many steps, and the errors of
    `adjudicate` for orders and rules that cannot be read. Raises `LimitError` if `limits.seconds`
    are not enough to read them.
    """
    if position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
        raise NoEquationsError(str(position.phase))
    with running(limits):
        budget = budget_of(MAX_STEPS)
        profile = load_profile(rules)
        check_features(profile, position.map)
        position = position.with_words(profile.words)
        submissions = read_submissions(position, orders, profile.settings, lenient)
        rulings = judge_orders(position, submissions, profile.settings)
        given = GivenPhase.of(profile, position, rulings)
        try:
            system = ground_system(profile, given.facts)
        except ExhaustedError:
            return Proof(given, None, ())
        return Proof(given, system, count_resolutions(system, budget))
