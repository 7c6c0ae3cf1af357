"""The recursive guess algorithm of Kruijswijk, The Math of Adjudication.

`resolve` guesses that an order fails and adjudicates it. If the recursion came back to the order,
it tries the other guess: if both results are the same, they are the only resolution; otherwise the
backup rule is applied. The algorithm relies on every order being part of at most one cycle, and two
options ensure that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import ClassVar

from dipsat.equations import Key, Phase, interval, unknowns
from dipsat.game import MoveFacts
from dipsat.outcomes import EquationVerdicts, Note, Row, Step, in_words
from dipsat.rules import Profile
from dipsat.studies.engine_runner import (
    RecursiveResolver,
    Resolver,
    TracedRunner,
    refuse_one_of_several,
)
from dipsat.studies.order_equations import OrderEquations, Paths, Scenario

_NOTHING: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class RecursiveGuess(TracedRunner):
    """Kruijswijk's algorithm over the equations of a profile.

    With `skip_type_e`, a support does not check whether its unit is dislodged by an attack that
    cuts it anyway (his supports of type E). With `single_cycles`, a convoy order adjudicates the
    attacks on its fleet itself instead of resolving them, so that no order is on several cycles
    (DATC 3.0 5.D). Without either option the algorithm goes wrong: docs/algorithms.md has the
    smallest examples.

    The others are variations that his article discusses: `paths` says when the convoy orders of a
    path are resolved; with `ask_once`, `adjudicate` resolves no order twice, and `resolve` is
    simpler.
    """

    skip_type_e: bool = True
    single_cycles: bool = True
    paths: Paths = "orders_first"
    ask_once: bool = False
    title: ClassVar[str] = "recursive_guess"

    @property
    def untraced(self) -> str:
        """The simplified `resolve` is not recorded."""
        return "the simplified resolve has no trace" if self.ask_once else ""

    def _equations(self, phase: Phase, profile: Profile) -> OrderEquations:
        return OrderEquations(profile, phase, self.name, self.paths)

    def _resolver(self, equations: OrderEquations, steps: list[Step] | None) -> Resolver:
        kind = _SimplifiedResolver if self.ask_once else _Resolver
        return kind(equations, steps, self)


class _Resolver(RecursiveResolver):
    """The bookkeeping of `resolve`: an order in `guesses` is in the state GUESSING, one in
    `resolution` RESOLVED, any other UNRESOLVED. `dep_list` lists the orders that depend on a guess,
    and `asked` has, for each order, the unresolved orders that its adjudication resolves."""

    columns = ("state", "resolution")

    def __init__(
        self, equations: OrderEquations, steps: list[Step] | None, options: RecursiveGuess
    ) -> None:
        super().__init__(equations, steps)
        self.options = options
        self.guesses: dict[Key, int] = {}
        self.dep_list: list[Key] = []
        self.asked: dict[Key, set[Key]] = {}
        self._needless = cache(partial(needless_dislodgements, equations))

    def verdicts(self) -> EquationVerdicts:
        """The verdicts, by the resolutions and the guesses that the algorithm has left behind."""
        equations, found = self.equations, on_several_cycles(self.asked)
        several = tuple(equations.order_name(key) for key in equations.orders if key in found)
        known = {**self.guesses, **self.resolution}
        verdicts = equations.verdicts(known, tuple(self.backup), several)
        if several:
            refuse_one_of_several(equations, verdicts)
        return verdicts

    def _resolve(self, order: Key, _: Scenario) -> int:
        """The resolution of an order, which may depend on a guess."""
        while True:
            if order in self.resolution:
                return self.resolution[order]
            if order in self.guesses:
                if order not in self.dep_list:
                    if self.guesses[order] == 0:
                        self._show("{} is being guessed: the recursion unwinds.", order)
                    self.dep_list.append(order)
                return self.guesses[order]
            found = self._attempt(order)
            if found is not None:
                return found

    def _attempt(self, order: Key) -> int | None:
        """The result for an order that is unresolved. None after the backup rule has been applied:
        it may not have resolved the order."""
        below = len(self.dep_list)
        self.guesses[order] = 0
        first = self._adjudicated(order)
        self._show_way_back(order, below, 0, first)
        if len(self.dep_list) == below:  # no guess was needed
            self.guesses.pop(order, None)
            return self.resolution.setdefault(order, first)
        if self.dep_list[below] != order:  # it depends on the guess of another order
            self.dep_list.append(order)
            self.guesses[order] = first
            return first
        self._forget(below)
        self.guesses[order] = 1
        second = self._adjudicated(order)
        self._show_way_back(order, below, 1, second)
        cycle = self.dep_list[below:]
        self._forget(below)
        self.guesses.pop(order, None)
        if first == second:
            self.resolution[order] = first
            return first
        self._apply_backup_rule(cycle or [order])
        return None

    def _forget(self, below: int) -> None:
        """Set the orders of the dependency list from `below` on to UNRESOLVED, and shorten it."""
        for order in self.dep_list[below:]:
            self.guesses.pop(order, None)
        del self.dep_list[below:]

    def _adjudicate(self, order: Key, _: Scenario) -> int:
        """Evaluate an order's equation. Whether a support is cut is resolved before whether its
        unit is dislodged, as in DATC 5.B.2."""
        options, pins, noted = self.options, self.resolution, self.asked.setdefault(order, set())

        def ask(key: Key, scenario: Scenario) -> int:
            if key not in pins:
                noted.add(key)
            return self.resolve(key, scenario)

        asked = cache(ask) if options.ask_once else ask
        adjudicated = attackers_of_fleet(self.equations, order) if options.single_cycles else ()

        def result(skipped: Collection[Key]) -> int:
            return self.equations.adjudicate(order, asked, pins, None, adjudicated, skipped)

        needless = self._needless(order)
        found = result(needless)
        return found if options.skip_type_e or not needless or not found else result(())

    def _show_way_back(self, order: Key, below: int, guess: int, found: int) -> None:
        """Record that the recursion depends on this guess and on none before it."""
        if self.dep_list[below : below + 1] == [order]:
            moment = f"Back at {{}}, guess {in_words(guess)}, result {in_words(found)}."
            self._show(moment, order)

    def _state(self, order: Key) -> str:
        return "GUESSING" if order in self.guesses else super()._state(order)

    def _row(self, order: Key) -> Row:
        known = {**self.guesses, **self.resolution}
        return self._state(order), in_words(known.get(order))

    def _notes(self) -> Mapping[str, Note]:
        return {"dependency_list": self._named(self.dep_list)}


class _SimplifiedResolver(_Resolver):
    """The same, where `adjudicate` asks for no order twice.

    Kruijswijk: "If written that way, the resolve function can be slightly simplified (but beware,
    there are multiple tricky situations)." He does not say how. Here an order that depends on the
    guess of another is unresolved again; its result was only for its caller. So it need not be kept
    as a guess, no state has to be reset with the dependency list, and the list is not searched
    before an order is added to it."""

    def _resolve(self, order: Key, _: Scenario) -> int:
        """The resolution of an order, or a result that depends on a guess."""
        while order not in self.resolution:
            if order in self.guesses:
                self.dep_list.append(order)
                return self.guesses[order]
            found = self._attempt(order)
            if found is not None:
                return found
        return self.resolution[order]

    def _attempt(self, order: Key) -> int | None:
        """The result for an order that is unresolved. None after the backup rule has been applied:
        it may not have resolved the order."""
        below = len(self.dep_list)
        first = self._guessed(order, 0)
        if len(self.dep_list) == below:  # no guess was needed
            return self.resolution.setdefault(order, first)
        if self.dep_list[below] != order:  # it depends on the guess of another order
            self.dep_list.append(order)
            return first
        del self.dep_list[below:]
        second = self._guessed(order, 1)
        cycle = list(dict.fromkeys(self.dep_list[below:]))
        del self.dep_list[below:]
        if first == second:
            self.resolution[order] = first
            return first
        self._apply_backup_rule(cycle or [order])
        return None

    def _guessed(self, order: Key, guess: int) -> int:
        """Adjudicate an order; calls that come back to it use the guess."""
        self.guesses[order] = guess
        found = self._adjudicated(order)
        del self.guesses[order]
        return found


def attackers_of_fleet(equations: OrderEquations, order: Key) -> frozenset[Key]:
    """The attacks on the fleet of a convoy order, none for any other order (DATC 3.0 5.D)."""
    if order[0] != "convoy":
        return _NOTHING
    province = equations.phase.convoys[order[1]].province
    return frozenset(("move", attack.index) for attack in province.attackers)


def needless_dislodgements(equations: OrderEquations, order: Key) -> frozenset[Key]:
    """The attacks on a supporting unit whose success cannot matter to the support (Kruijswijk, The
    Math of Adjudication: the dislodge rule for supports of type E).

    An attack that succeeds has all that it needs for that, such as a path. If this alone cuts the
    support, it does not matter whether the attack succeeds.
    """
    if order[0] != "support":
        return _NOTHING
    support = equations.phase.supports[order[1]]
    found = set[Key]()
    for attack in support.province.attackers:
        needed = dict.fromkeys(_needed(equations, attack), 1)
        if _fails(equations, order, needed):
            found.add(("move", attack.index))
    return frozenset(found)


def _needed(equations: OrderEquations, attack: MoveFacts) -> list[Key]:
    """The decisions without which a move fails, whatever the others are."""
    move = ("move", attack.index)
    mentioned = sorted(unknowns(equations.term(move)))
    return [key for key in mentioned if _fails(equations, move, {key: 0})]


def _fails(equations: OrderEquations, order: Key, assumed: Mapping[Key, int]) -> bool:
    """Whether an order certainly fails, given some values."""

    def bounds(key: Key) -> tuple[int, int]:
        return (assumed[key], assumed[key]) if key in assumed else equations.widest(key)

    return interval(equations.term(order), bounds) == (0, 0)


def on_several_cycles(asked: Mapping[Key, Collection[Key]]) -> tuple[Key, ...]:
    """The orders that are part of more than one cycle, sorted (Kruijswijk, The Math of
    Adjudication: the guess algorithm is not made for such orders).

    `asked` has for each order those that its adjudication resolved.
    """
    graph = {key: sorted(others) for key, others in asked.items()}
    return tuple(key for key in sorted(graph) if _is_on_several(graph, key))


def _is_on_several(graph: Mapping[Key, Collection[Key]], key: Key) -> bool:
    """Whether there is a cycle through an order, and another one that lacks one of its arrows."""
    cycle = _way_back(graph, key, None)
    arrows = zip(cycle, (*cycle[1:], key), strict=True)
    return bool(cycle) and any(_way_back(graph, key, arrow) for arrow in arrows)


def _way_back(
    graph: Mapping[Key, Collection[Key]], start: Key, without: tuple[Key, Key] | None
) -> tuple[Key, ...]:
    """The orders on a shortest path from an order back to itself that does not use the arrow
    `without`; empty if there is none."""
    ways: dict[Key, tuple[Key, ...]] = {start: (start,)}
    for key in (reached := [start]):  # it grows during the loop
        for other in graph.get(key, ()):
            if (key, other) == without:
                continue
            if other == start:
                return ways[key]
            if other not in ways:
                ways[other] = (*ways[key], other)
                reached.append(other)
    return ()


ENGINE = RecursiveGuess()
