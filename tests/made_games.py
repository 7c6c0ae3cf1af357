"""Games of random legal orders."""

from __future__ import annotations

import random

import dipsat
from dipsat.game import PhaseKind

MADE_PHASES = 40


def made_game(seed: int, phases: int = MADE_PHASES) -> dipsat.Game:
    """A game of `phases` phases with random orders."""
    rng = random.Random(seed)
    game = dipsat.Game.standard()
    game.name = f"made-{seed}"
    while len(game.history) < phases and not game.is_over:
        orders: dict[str, list[str]] = {}
        for thing, choices in game.all_legal_orders().items():
            moves = [order for order in choices if order.split()[2:3] == ["-"]]
            chosen = rng.choice(moves if moves and rng.random() < 0.5 else choices)
            orders.setdefault(_owner(game.position, thing), []).append(chosen)
        game.submit(orders)
        game.advance()
    return game


def _owner(position: dipsat.Position, thing: str) -> str:
    place = thing.rpartition(" ")[2].partition("/")[0]
    if position.phase.kind is PhaseKind.RETREAT:
        return next(lost.unit.power for lost in position.dislodged if lost.unit.province == place)
    if " " in thing:
        return position.by_province[place].power
    return next(power for power, owned in position.centers.items() if place in owned)
