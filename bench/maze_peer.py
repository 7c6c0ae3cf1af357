"""The convoy maze for the `diplomacy` package, in a process of its own that can be stopped."""

from __future__ import annotations

from diplomacy import Game

import dipsat
from bench.__main__ import maze_orders


def main() -> None:
    """Set the maze up and process it."""
    orders = maze_orders(dipsat.load_map("standard"))
    game = Game()
    game.clear_units()
    for power, texts in orders.items():
        game.set_units(power, [" ".join(text.split()[:2]) for text in texts])
        game.set_orders(power, texts)
    game.process()


if __name__ == "__main__":
    main()
