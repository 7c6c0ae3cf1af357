"""The pipeline of a phase, from texts to the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from dipsat.equations.facts import build_phase
from dipsat.game.legality import Submission, judge_orders
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.orders.order import Order
from dipsat.orders.reader import reader_for
from dipsat.orders.writer import write_order
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.adjustments import AdjustmentOutcome
from dipsat.proof.movement import MovementOutcome
from dipsat.proof.outcome import Outcome
from dipsat.proof.retreats import RetreatOutcome
from dipsat.solving.resolve import resolve


def adjudicate(
    position: Position,
    orders: Mapping[str, Iterable[str | Order]],
    rules: str | Path | Profile = "datc",
    *,
    presolve: bool = True,
    time_limit_ms: int | None = None,
) -> Outcome:
    """Adjudicate a phase: movement, retreat or adjustment, as `position.phase` says.

    `orders` maps each power to its orders, as texts in any notation the reader knows or as typed
    orders; without an order a unit holds, a dislodged unit is disbanded, and units that must go are
    chosen by the civil disorder rule. `rules` is a shipped profile's name, the path of a
    profile, or a loaded profile. With `presolve=False` every decision is handed to Z3 instead of
    being propagated first; the outcome is the same. `time_limit_ms` (milliseconds) bounds each
    question to Z3; without it there is no limit, and no decision is ever left unknown.

    An order that cannot be carried out is no error: it comes back as illegal or invalid, with its
    reason. Raises `OrderSyntaxError`, `UnknownNameError` or `AmbiguousNameError` for a text that
    cannot be read, what `load_profile` raises for the rules, and `UnresolvedError` if the profile
    has no rule for a decision cycle.
    """
    profile = load_profile(rules)
    board = position.map
    reader = reader_for(board)
    submissions = []
    for typed, texts in orders.items():
        power = typed if typed in board.powers else board.names.power(typed)
        for order in texts:
            if isinstance(order, str):
                submissions.append(Submission(power, order, reader.read(order)))
            else:
                submissions.append(Submission(power, write_order(order, board), order))
    if position.phase.kind is PhaseKind.RETREAT:
        return RetreatOutcome(position, profile, submissions)
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return AdjustmentOutcome(position, profile, submissions)
    rulings = judge_orders(position, submissions, profile.settings)
    phase = build_phase(position, rulings, profile.settings)
    solution = resolve(profile, phase, presolve, time_limit_ms)
    return MovementOutcome(position, profile, rulings, phase, solution)
