"""The convoy maze for the `diplomacy` package, in a separate process that can be stopped."""

from __future__ import annotations

from diplomacy import Game

from tests.mazes import all_seas


def main() -> None:
    """Set up the maze and process it."""
    game = Game()
    game.clear_units()
    for power, texts in all_seas().orders.items():
        game.set_units(power, [" ".join(text.split()[:2]) for text in texts])
        game.set_orders(power, list(texts))
    game.process()


if __name__ == "__main__":
    main()
