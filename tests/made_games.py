"""Games of random legal orders."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import dipsat

MADE_PHASES = 40


def made_game(seed: int, phases: int = MADE_PHASES) -> dipsat.Game:
    """A game of `phases` phases with random orders."""
    rng = random.Random(seed)
    game = dipsat.Game.standard()
    game.name = f"made-{seed}"
    while len(game.history) < phases and not game.is_over:
        game.submit(random_orders(game.all_legal_orders(), rng, moving=0.5))
        game.advance()
    return game


def random_orders(
    legal: Mapping[str, Mapping[str, Sequence[str]]], rng: random.Random, moving: float = 0
) -> dict[str, list[str]]:
    """A random legal order for every unit or province that has one; a move with chance `moving`."""
    orders: dict[str, list[str]] = {}
    for power, units in legal.items():
        for choices in units.values():
            moves = [order for order in choices if order.split()[2:3] == ["-"]]
            chosen = rng.choice(moves if moves and rng.random() < moving else choices)
            orders.setdefault(power, []).append(chosen)
    return orders
