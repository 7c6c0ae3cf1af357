"""A game of the package `diplomacy` and one of its stand-in, played side by side."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from dipsat.compat.diplomacy import Game

KEYS = ("name", "note", "units", "retreats", "centers", "homes", "influence", "builds")


class TwoGames:
    """Both games. What differs is kept in `differences`, as (phase, what, theirs, ours)."""

    def __init__(self, seed: int) -> None:
        import diplomacy

        self.rng = random.Random(seed)
        self.theirs = diplomacy.Game()
        self.ours = Game(judge="diplomacy")
        self.differences: list[tuple[str, str, Any, Any]] = []

    def play(self, phases: int) -> None:
        """Play with random orders. If the boards differ, go on with that of the package."""
        for _ in range(phases):
            if self.theirs.is_game_done:
                self._compare("outcome", self.theirs.outcome, self.ours.outcome)
                return
            found = len(self.differences)
            self._play_phase()
            if len(self.differences) > found:
                self.ours.set_state(self.theirs.get_state(), clear_history=False)

    def _compare(self, what: str, theirs: Any, ours: Any) -> None:
        if theirs != ours:
            self.differences.append((self.theirs.get_current_phase(), what, theirs, ours))

    def _play_phase(self) -> None:
        listed = self.theirs.get_all_possible_orders()
        own = self.ours.get_all_possible_orders()
        self._compare("possible", *({p: {*o} for p, o in one.items()} for one in (listed, own)))
        places = self.theirs.get_orderable_locations()
        self._compare("locations", places, self.ours.get_orderable_locations())
        for power, locations in places.items():
            orders = [*self._orders(listed, locations)]
            for game in (self.theirs, self.ours):
                game.set_orders(power, orders)
            both = (game.powers[power] for game in (self.theirs, self.ours))
            self._compare("adjust", *([*one.adjust] for one in both))
        self._compare("orders", self.theirs.get_orders(), self.ours.get_orders())
        results = [game.process().results for game in (self.theirs, self.ours)]
        self._compare("results", *map(_marks, results))
        states = self.theirs.get_state(), self.ours.get_state()
        for key in KEYS:
            self._compare(key, *(_sorted(key, state[key]) for state in states))

    def _orders(self, listed: Mapping[str, list[str]], places: list[str]) -> Iterator[str]:
        """An order for most places, and more than half of them moves."""
        for place in places:
            choices = sorted(listed[place])
            moves = [one for one in choices if one.split()[2:3] == ["-"]]
            if moves and self.rng.random() < 0.6:
                choices = moves
            if choices and self.rng.random() < 0.9:
                yield _without_coast(self.rng.choice(choices))


def _without_coast(order: str) -> str:
    """An army's support without the coast to which a fleet moves. The package heeds that coast; but
    not in the support of a fleet, and so the rules do not (docs/judges.md)."""
    words = order.split()
    is_one = words[0] == "A" and words[2:4] == ["S", "F"] and len(words) == 7
    return order.partition("/")[0] if is_one and "/" in words[6] and "/" not in words[4] else order


def _marks(results: Mapping[str, list[Any]]) -> dict[str, set[str]]:
    """Unit -> its marks. The package writes a mark twice if it finds it in two steps."""
    return {unit: {str(mark) for mark in own} for unit, own in results.items()}


def _sorted(key: str, value: Any) -> Any:
    """A part of a state, where the order in a list means nothing. The influence in a province with
    coasts is left out, because the package notes the coast to which a fleet retreats."""
    if key in ("centers", "homes", "influence"):
        hidden = ("BUL", "SPA", "STP") if key == "influence" else ()
        return {p: sorted(one for one in own if one[:3] not in hidden) for p, own in value.items()}
    if key == "retreats":
        return {p: {unit: sorted(to) for unit, to in own.items()} for p, own in value.items()}
    if key == "builds":
        return {p: (own["count"], sorted(own["homes"])) for p, own in value.items()}
    return value
