"""A game of the package `diplomacy` and one of its stand-in, played side by side.

`python -m tests.compat.two_games GAMES [JUDGE] [FIRST SEED]` plays many, and lists what differs.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from dipsat.compat.diplomacy import Game

PHASES = 24
"""How long a game is played."""
KEYS = ("name", "note", "units", "retreats", "centers", "homes", "influence", "builds")


class TwoGames:
    """Both games. What differs is kept in `differences`, as (phase, what, theirs, ours)."""

    def __init__(self, seed: int, judge: str = "diplomacy") -> None:
        import diplomacy

        self.rng = random.Random(seed)
        self.theirs = diplomacy.Game()
        self.ours = Game(judge=judge)
        self.phase = ""
        self.differences: list[tuple[str, str, Any, Any]] = []

    def play(self) -> None:
        """Play with random orders. If the boards differ, continue with the package's board."""
        for _ in range(PHASES):
            if self.theirs.is_game_done:
                self._compare("outcome", self.theirs.outcome, self.ours.outcome)
                return
            found = len(self.differences)
            self._play_phase()
            if len(self.differences) > found:
                self.ours.set_state(self.theirs.get_state(), clear_history=False)

    def _compare(self, what: str, theirs: Any, ours: Any) -> None:
        if theirs != ours:
            if isinstance(theirs, dict) and isinstance(ours, dict):
                keys = [key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key)]
                theirs, ours = ({key: one.get(key) for key in keys} for one in (theirs, ours))
            self.differences.append((self.phase, what, theirs, ours))

    def _play_phase(self) -> None:
        self.phase = self.theirs.get_current_phase()
        listed = self.theirs.get_all_possible_orders()
        own = self.ours.get_all_possible_orders()
        self._compare("possible", *({p: {*o} for p, o in one.items()} for one in (listed, own)))
        places = self.theirs.get_orderable_locations()
        self._compare("locations", places, self.ours.get_orderable_locations())
        chosen = self._orders(listed, [place for own in places.values() for place in own])
        for power, locations in places.items():
            orders = [chosen[place] for place in locations if place in chosen]
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

    def read_saved(self) -> None:
        """Compare what each reads of a game that the other saved."""
        theirs, ours = (
            import_module(f"{start}diplomacy.utils.export") for start in ("", "dipsat.compat.")
        )
        for game, saves, reads in ((self.theirs, theirs, ours), (self.ours, ours, theirs)):
            read = reads.from_saved_game_format(saves.to_saved_game_format(game))
            self._compare("saved", _history(game), _history(read))

    def _orders(self, listed: Mapping[str, list[str]], places: list[str]) -> dict[str, str]:
        """An order for most places: first moves, then supports and convoys of these."""
        found: dict[str, str] = {}
        for place in self.rng.sample(places, len(places)):
            choices = sorted(listed[place])
            moves = [one for one in choices if one.split()[2:3] == ["-"]]
            ordered = {one.removesuffix(" VIA") for one in found.values()}
            helps = [one for one in choices if " ".join(one.split()[3:]) in ordered]
            if helps and self.rng.random() < 0.7:
                choices = helps
            elif moves and self.rng.random() < 0.7:
                choices = moves
            if choices and self.rng.random() < 0.9:
                found[place] = _without_coast(self.rng.choice(choices))
        return found


def _without_coast(order: str) -> str:
    """An army's support without the coast to which a fleet moves. The package heeds that coast,
    except in a fleet's support; the rules therefore ignore it (docs/judges.md)."""
    words = order.split()
    is_one = words[0] == "A" and words[2:4] == ["S", "F"] and len(words) == 7
    return order.partition("/")[0] if is_one and "/" in words[6] and "/" not in words[4] else order


def _marks(results: Mapping[str, list[Any]]) -> dict[str, set[str]]:
    """Unit -> its marks. The package writes a mark twice if it finds it in two steps."""
    return {unit: {str(mark) for mark in own} for unit, own in results.items()}


def _sorted(key: str, value: Any) -> Any:
    """A part of a state, without the order of most lists. The influence in a province with coasts
    is left out, because the package records the coast to which a fleet retreats."""
    if key == "influence":
        hidden = ("BUL", "SPA", "STP")
        return {p: [one for one in own if one[:3] not in hidden] for p, own in value.items()}
    if key in ("centers", "homes"):
        return {p: sorted(own) for p, own in value.items()}
    if key == "retreats":
        return {p: {unit: sorted(to) for unit, to in own.items()} for p, own in value.items()}
    if key == "builds":
        return {p: (own["count"], sorted(own["homes"])) for p, own in value.items()}
    return value


def _history(game: Any) -> list[Any]:
    """The phases of a game and its board."""
    phases = [
        (str(name), {key: state[key] for key in KEYS}, orders, results)
        for (name, state), orders, results in zip(
            game.state_history.items(), game.order_history.values(), game.result_history.values(),
            strict=True,
        )
    ]  # fmt: skip
    return [*phases, game.get_current_phase(), game.get_units()]


def main(games: str, judge: str = "diplomacy", first: str = "0") -> None:
    """Print how many phases of each kind were played, and in how many of them something differs."""
    phases, differences = Counter[str](), Counter[str]()
    for seed in range(int(first), int(first) + int(games)):
        both = TwoGames(seed, judge)
        both.play()
        both.read_saved()
        phases.update(str(phase)[-1] for phase in both.theirs.state_history)
        for phase, what, theirs, ours in both.differences:
            differences[f"{phase[-1]} {what}"] += 1
            print(seed, phase, what, theirs, ours, file=sys.stderr)
    print(f"{games} games under {judge}, phases {dict(phases)}, differences {dict(differences)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
