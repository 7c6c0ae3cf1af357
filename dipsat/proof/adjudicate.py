"""The pipeline of a movement phase, from texts to the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from dipsat.equations.facts import build_phase
from dipsat.game.legality import Submission, judge_orders
from dipsat.game.position import Position
from dipsat.orders.order import Order
from dipsat.orders.reader import reader_for
from dipsat.orders.writer import write_order
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.outcome import Outcome
from dipsat.solving.resolve import resolve


def adjudicate(
    position: Position,
    orders: Mapping[str, Iterable[str | Order]],
    rules: str | Path | Profile = "datc",
    *,
    presolve: bool = True,
    time_limit_ms: int | None = None,
) -> Outcome:
    """Adjudicate a movement phase.

    `orders` maps each power to its orders, as texts in any notation the reader knows or as typed
    orders; units without an order hold. `rules` is a shipped profile's name, the path of a
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
    rulings = judge_orders(position, submissions, profile.settings)
    phase = build_phase(position, rulings, profile.settings)
    solution = resolve(profile, phase, presolve, time_limit_ms)
    return Outcome(position, profile, rulings, phase, solution)
