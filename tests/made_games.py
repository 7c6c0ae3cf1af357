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
        game.submit(random_orders(game.position, game.all_legal_orders(), rng, moving=0.5))
        game.advance()
    return game


def random_orders(
    position: dipsat.Position,
    legal: Mapping[str, Sequence[str]],
    rng: random.Random,
    moving: float = 0,
) -> dict[str, list[str]]:
    """A random legal order for whatever has one, with some chance a move."""
    orders: dict[str, list[str]] = {}
    for thing, choices in legal.items():
        owner = _owner(position, thing)
        if owner and choices:
            moves = [order for order in choices if order.split()[2:3] == ["-"]]
            chosen = rng.choice(moves if moves and rng.random() < moving else choices)
            orders.setdefault(owner, []).append(chosen)
    return orders


def _owner(position: dipsat.Position, thing: str) -> str:
    place = thing.rpartition(" ")[2].partition("/")[0]
    for lost in position.dislodged:
        if lost.unit.province == place:
            return lost.unit.power
    unit = position.by_province.get(place)
    return position.owner(place) if unit is None else unit.power
