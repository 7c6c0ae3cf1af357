"""The recursive guess algorithm of Kruijswijk, The Math of Adjudication.

`resolve` guesses that an order fails and adjudicates it. If the recursion came back to the order,
it tries the other guess: if both results are the same, they are the only resolution; otherwise the
backup rule is applied. The algorithm relies on every order being part of at most one cycle, and two
options ensure that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from dipsat.engines.backup import refuse_one_of_several
from dipsat.engines.depth import deep_recursion, in_one_piece
from dipsat.engines.evaluation import Scenario
from dipsat.engines.order_equations import OrderEquations, Paths
from dipsat.engines.recorder import Recorder, Traced
from dipsat.engines.simplified_guess import GuessResolver, SimplifiedResolver
from dipsat.engines.single_cycles import GuardedAdjudication, on_several_cycles
from dipsat.equations.phase import Phase
from dipsat.errors import EngineOptionError
from dipsat.profiles.profile import Profile
from dipsat.proof.engine import EquationVerdicts, written
from dipsat.proof.trace import RESOLVED, UNRESOLVED, in_words
from dipsat.terms.term import Key

_GUESSING = "GUESSING"


@dataclass(frozen=True, slots=True)
class RecursiveGuess:
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

    @property
    def name(self) -> str:
        """The name, with the options that differ from the default."""
        return written("recursive_guess", self)

    def decide(self, phase: Phase, profile: Profile) -> EquationVerdicts:
        """Decide a phase; see `dipsat.proof.engine.Engine`."""
        return in_one_piece(self.name, lambda: self._decided(self._equations(phase, profile)))

    def traced(self, phase: Phase, profile: Profile) -> Traced:
        """Decide a phase with a trace; see `dipsat.proof.engine.TracedEngine`."""
        if self.ask_once:
            raise EngineOptionError(self.name, "the simplified resolve has no trace", "trace")
        equations = self._equations(phase, profile)
        recorder = Recorder(equations)
        decide = partial(self._decided, equations, recorder)
        return recorder.watched(lambda: in_one_piece(self.name, decide))

    def _equations(self, phase: Phase, profile: Profile) -> OrderEquations:
        return OrderEquations(profile, phase, self.name, self.paths)

    def _decided(
        self, equations: OrderEquations, recorder: Recorder | None = None
    ) -> EquationVerdicts:
        adjudicate = GuardedAdjudication(
            equations, self.skip_type_e, self.single_cycles, self.ask_once
        )
        kind = SimplifiedResolver if self.ask_once else _Resolver
        resolver = kind(equations, adjudicate)
        if recorder is not None:
            resolver = _TracedResolver(equations, adjudicate, recorder)
        with deep_recursion(len(equations.orders)):
            for order in equations.orders:
                resolver.resolve(order)
        found = on_several_cycles(adjudicate.asked.orders)
        several = tuple(equations.order_name(key) for key in equations.orders if key in found)
        verdicts = equations.verdicts(resolver.final(), tuple(resolver.backup), several)
        if several:
            refuse_one_of_several(equations, verdicts)
        return verdicts


class _Resolver(GuessResolver):
    """The administration of `resolve`: an order in `guesses` is in the state GUESSING, one in
    `resolution` RESOLVED, any other UNRESOLVED. `dep_list` lists the orders that depend on a guess.
    `resolution` also holds what backup rules have set for decisions other than orders."""

    def final(self) -> dict[Key, int]:
        """The resolutions, with the guesses that the algorithm has left behind."""
        return {**self.guesses, **self.resolution}

    def resolve(self, order: Key, _: Scenario = None) -> int:
        """The resolution of an order, which may depend on a guess."""
        while True:
            if order in self.resolution:
                return self.resolution[order]
            if order in self.guesses:
                if order not in self.dep_list:
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
        first = self._adjudicate(order)
        if len(self.dep_list) == below:  # no guess was needed
            self.guesses.pop(order, None)
            return self.resolution.setdefault(order, first)
        if self.dep_list[below] != order:  # it depends on the guess of another order
            self.dep_list.append(order)
            self.guesses[order] = first
            return first
        self._forget(below)
        self.guesses[order] = 1
        second = self._adjudicate(order)
        if first == second:
            self._forget(below)
            self.guesses.pop(order, None)
            self.resolution[order] = first
            return first
        cycle = self.dep_list[below:]
        self._forget(below)
        self.guesses.pop(order, None)
        self._apply_backup_rule(cycle or [order])
        return None

    def _forget(self, below: int) -> None:
        """Set the orders of the dependency list from `below` on to UNRESOLVED, and shorten it."""
        for order in self.dep_list[below:]:
            self.guesses.pop(order, None)
        del self.dep_list[below:]

    def _adjudicate(self, order: Key) -> int:
        return self.adjudicate(order, self.resolve, self.resolution)


class _TracedResolver(_Resolver):
    """The same, and every step is recorded."""

    def __init__(
        self, equations: OrderEquations, adjudicate: GuardedAdjudication, recorder: Recorder
    ) -> None:
        super().__init__(equations, adjudicate)
        self.recorder = recorder
        self.rules_told = 0

    def resolve(self, order: Key, scenario: Scenario = None) -> int:
        """As in the base class, recorded."""
        name, state = self.recorder.name(order), self._state(order)
        self.recorder.calls("resolve", order, state)
        if state == _GUESSING and self.guesses[order] == 0 and order not in self.dep_list:
            self._show(f"{name} is being guessed: the recursion unwinds.")
        found = super().resolve(order, scenario)
        self._tell_rules()
        self.recorder.returns("resolve", order, found)
        return found

    def _adjudicate(self, order: Key) -> int:
        self._tell_rules()
        below, guess = len(self.dep_list), self.guesses[order]
        self.recorder.calls("adjudicate", order)
        found = super()._adjudicate(order)
        self.recorder.returns("adjudicate", order, found)
        if self.dep_list[below : below + 1] == [order]:
            name = self.recorder.name(order)
            self._show(f"Back at {name}, guess {in_words(guess)}, result {in_words(found)}.")
        return found

    def _state(self, order: Key) -> str:
        if order in self.resolution:
            return RESOLVED
        return _GUESSING if order in self.guesses else UNRESOLVED

    def _show(self, moment: str) -> None:
        known = self.final()
        rows = {key: (self._state(key), in_words(known.get(key))) for key in self.equations.orders}
        notes = {"dependency_list": self.recorder.listed(self.dep_list)}
        self.recorder.shows(moment, ("state", "resolution"), rows, notes)

    def _tell_rules(self) -> None:
        for rule in self.backup[self.rules_told :]:
            self.recorder.applies(rule)
        self.rules_told = len(self.backup)


ENGINE = RecursiveGuess()
