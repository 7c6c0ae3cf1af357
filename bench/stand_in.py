"""The stand-in for the package `diplomacy` and the package itself, in turns in the same games."""

from __future__ import annotations

import copy
import gc
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from dipsat import kernel
from dipsat.compat.diplomacy import Game
from dipsat.errors import DipsatError
from dipsat.outcomes import NoAnswers, answer_source

Seconds = defaultdict[tuple[str, str], list[float]]
"""What was called, and in which package or stand-in -> the seconds that it took each time."""
JUDGES = ("datc", "diplomacy")
PACKAGE = "diplomacy 1.1.2"
HOWS = ("", ", not compiled")
HEADS = ("call", PACKAGE, *(judge + how for judge in JUDGES for how in HOWS))
MOVING = 0.6  # of the orders are moves
PHASES = 24  # of a game
COPIED = range(8, PHASES, 8)  # the package takes half a second to copy
WARM = 3  # games before the measured ones


def stand_in_rows(games: int) -> Iterator[tuple[str, ...]]:
    """What was called, the median time in the package, and the ratio of that to the time of each
    stand-in. No rows if the package is not installed."""
    try:
        import diplomacy
    except ImportError:
        return
    compiled = True
    try:
        for judge in JUDGES:
            kernel.build(Game(judge=judge)._profile)
    except DipsatError:
        compiled = False
    seconds = Seconds(list)
    for seed in range(WARM + games):
        if seed == WARM:
            seconds.clear()
        _Games(seed, diplomacy.Game(), seconds, compiled).play()
    medians = {key: statistics.median(times) for key, times in seconds.items()}
    for what in dict.fromkeys(what for what, _ in medians):
        theirs, own = medians[what, PACKAGE], [medians.get((what, who)) for who in HEADS[2:]]
        ratios = (f"{theirs / one:.1f}" if one else "" for one in own)
        yield what, f"{1e6 * theirs:.0f} us", *ratios


class _Games:
    """A game of the package, and the same game in the stand-in by each judge, with and without
    compiled equations."""

    def __init__(self, seed: int, theirs: Any, seconds: Seconds, compiled: bool) -> None:
        self.chance = random.Random(seed)
        self.turns = random.Random(seed)
        self.theirs = theirs
        hows = HOWS if compiled else HOWS[1:]
        self.ours = {(judge, how): Game(judge=judge) for judge in JUDGES for how in hows}
        self.seconds = seconds

    def play(self) -> None:
        """Play with random orders."""
        gc.collect()
        for phase in range(PHASES):
            if self.theirs.is_game_done:
                return
            listed = self._timed("`get_all_possible_orders`", _possible)
            places = self.theirs.get_orderable_locations()
            orders = {power: [*self._orders(listed, own)] for power, own in places.items()}
            self._timed("`set_orders` of all powers", partial(_set, orders=orders))
            if phase in COPIED:
                self._timed("`copy.deepcopy`", copy.deepcopy)
            self._timed("`process`", lambda game: game.process())
            state = self.theirs.get_state()
            for game in self.ours.values():
                if _board(game.get_state()) != _board(state):
                    game.set_state(state, clear_history=False)

    def _timed(self, what: str, action: Callable[[Any], Any]) -> Any:
        """Time an action in every game, and return what the package returns."""
        found = self._time(what, PACKAGE, action, self.theirs)
        turns = [*self.ours.items()]
        self.turns.shuffle(turns)  # the game after the package's finds little in the caches
        for (judge, how), game in turns:
            source = answer_source(game._profile, game.map.board)
            answers = source.answers
            if how:
                source.answers = NoAnswers()
            self._time(what, judge + how, action, game)
            source.answers = answers
        return found

    def _time(self, what: str, who: str, action: Callable[[Any], Any], game: Any) -> Any:
        start = time.thread_time()
        found = action(game)
        self.seconds[what, who].append(time.thread_time() - start)
        return found

    def _orders(self, listed: Mapping[str, list[str]], places: list[str]) -> Iterator[str]:
        """An order for each place, more than half of them moves."""
        for place in places:
            choices = sorted(listed[place])
            moves = [one for one in choices if one.split()[2:3] == ["-"]]
            if choices:
                is_move = moves and self.chance.random() < MOVING
                yield self.chance.choice(moves if is_move else choices)


def _possible(game: Any) -> Any:
    return game.get_all_possible_orders()


def _set(game: Any, orders: Mapping[str, list[str]]) -> None:
    for power, own in orders.items():
        game.set_orders(power, own)


def _board(state: Mapping[str, Any]) -> Any:
    """The board of a state, without the order of lists, which means nothing."""
    retreats = [{unit: {*to} for unit, to in own.items()} for own in state["retreats"].values()]
    listed = [sorted(own) for key in ("units", "centers") for own in state[key].values()]
    return state["name"], listed, retreats
