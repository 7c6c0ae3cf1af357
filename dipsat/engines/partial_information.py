"""The partial information algorithm of DATC 3.0 5.E, in its last form.

Every order is adjudicated in an optimistic and in a pessimistic scenario; where both agree, it is
resolved. Orders that the recursion comes back to are tracked as a cycle. If it returns to the order
from which the whole cycle was entered and the scenarios still differ, the backup rule is applied.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from dipsat.engines.backup import Resolver
from dipsat.engines.depth import deep_recursion, in_one_piece
from dipsat.engines.evaluation import Scenario
from dipsat.engines.multi_pass import MultiPass
from dipsat.engines.order_equations import OrderEquations
from dipsat.engines.recorder import Recorder, Traced
from dipsat.equations.phase import Phase
from dipsat.errors import EngineError, EngineOptionError
from dipsat.profiles.profile import Profile
from dipsat.proof.engine import EquationVerdicts, written
from dipsat.proof.trace import RESOLVED, UNRESOLVED, Note, in_words
from dipsat.terms.term import Key

_NOWHERE = 1_000_000  # an index beyond every cycle
_VISITED = "VISITED"
_WORDS: Mapping[Scenario, str] = {True: "optimistic", False: "pessimistic"}


@dataclass(frozen=True, slots=True)
class PartialInformation:
    """DATC 3.0 5.E over the equations of a profile.

    With `retreat_fully`, an order is not the ancestor of a whole cycle if that cycle has an order
    found earlier. DATC 3.0 does not check this, and applies the backup rule to no order at all,
    again and again: docs/algorithms.md has the smallest example.

    With `multi_pass` it is the older form of the algorithm, without recursion: passes over the list
    of all `orders` (Kruijswijk, The Math of Adjudication) or of all `decisions` (DATC 2.4, 5.C).
    `retreat_fully` then has no effect.
    """

    retreat_fully: bool = True
    multi_pass: Literal["no", "orders", "decisions"] = "no"

    @property
    def name(self) -> str:
        """The name, with the options that differ from the default."""
        return written("partial_information", self)

    def decide(self, phase: Phase, profile: Profile) -> EquationVerdicts:
        """Decide a phase; see `dipsat.proof.engine.Engine`."""
        return in_one_piece(
            self.name, lambda: self._decided(OrderEquations(profile, phase, self.name))
        )

    def traced(self, phase: Phase, profile: Profile) -> Traced:
        """Decide a phase with a trace; see `dipsat.proof.engine.TracedEngine`."""
        equations = OrderEquations(profile, phase, self.name)
        if self.multi_pass != "no":
            raise EngineOptionError(self.name, "the passes over the list have no trace", "trace")
        recorder = Recorder(equations)
        decide = partial(self._decided, equations, recorder)
        return recorder.watched(lambda: in_one_piece(self.name, decide))

    def _decided(
        self, equations: OrderEquations, recorder: Recorder | None = None
    ) -> EquationVerdicts:
        if self.multi_pass != "no":
            listed = equations.orders if self.multi_pass == "orders" else equations.keys
            passes = MultiPass(equations, listed)
            passes.run()
            return equations.verdicts(passes.decided, tuple(passes.backup))
        resolver = _Resolver(equations, self)
        if recorder is not None:
            resolver = _TracedResolver(equations, self, recorder)
        with deep_recursion(len(equations.orders)):
            for order in equations.orders:
                resolver.resolve(order, None)
        return equations.verdicts(resolver.resolution, tuple(resolver.backup))


class _Resolver(Resolver):
    """The administration of `resolve`, under the names that DATC 3.0 gives it: `cycle` lists the
    orders of cycles that are not settled yet, `recursion_hits` counts those that are being
    adjudicated, `uncertain` says whether the last adjudication depends on an unresolved order.
    `resolution` also holds what backup rules have set for decisions other than orders. `first` is
    the lowest index in `cycle` that the last adjudication depends on."""

    def __init__(self, equations: OrderEquations, options: PartialInformation) -> None:
        super().__init__(equations)
        self.options = options
        self.visited = set[Key]()
        self.cycle: list[Key] = []
        self.recursion_hits = 0
        self.uncertain = False
        self.first = _NOWHERE

    def resolve(self, order: Key, scenario: Scenario) -> int:
        """The resolution of an order; if it is uncertain, the value of the scenario."""
        while order not in self.resolution:
            if order in self.cycle or order in self.visited:
                if order not in self.cycle:
                    self.cycle.append(order)
                    self.recursion_hits += 1
                self.uncertain = True
                self.first = min(self.first, self.cycle.index(order))
                break
            if not self._attempt(order):
                break
        return self.resolution.get(order, int(bool(scenario)))

    def _attempt(self, order: Key) -> bool:
        """Adjudicate an order in both scenarios. Return whether it is resolved, or was the ancestor
        of a cycle to which the backup rule has been applied, so that another attempt makes sense.
        """
        length, hits = len(self.cycle), self.recursion_hits
        outer = self.uncertain, self.first
        self.visited.add(order)
        self.uncertain, self.first = False, _NOWHERE
        best = worst = self._adjudicate(order, True)
        if self.uncertain and best:  # otherwise the other scenario gives the same
            worst = self._adjudicate(order, False)
        self.visited.remove(order)
        if best == worst:
            self.resolution[order] = best
            del self.cycle[length:]
            self.recursion_hits = hits
            self.uncertain, self.first = outer
            return True
        if order in self.cycle:
            self.recursion_hits -= 1
        is_whole = self.first >= length or not self.options.retreat_fully
        if self.recursion_hits == hits and is_whole:
            self._apply_backup_rule(self.cycle[length:])
            del self.cycle[length:]
            self.uncertain, self.first = outer
            return True
        if order not in self.cycle:
            self.cycle.append(order)
        self.first = min(self.first, outer[1])
        return False

    def _adjudicate(self, order: Key, scenario: bool) -> int:
        return self.equations.adjudicate(order, self.resolve, self.resolution, scenario)

    def _apply_backup_rule(self, cycle: Collection[Key]) -> None:
        if not cycle:
            raise EngineError(
                self.options.name, "it applied the backup rule to a cycle without orders"
            )
        super()._apply_backup_rule(cycle)


class _TracedResolver(_Resolver):
    """The same, and every step is recorded."""

    def __init__(
        self, equations: OrderEquations, options: PartialInformation, recorder: Recorder
    ) -> None:
        super().__init__(equations, options)
        self.recorder = recorder

    def resolve(self, order: Key, scenario: Scenario) -> int:
        """As in the base class, recorded."""
        name, state = self.recorder.name(order), self._state(order)
        self.recorder.calls("resolve", order, state, _WORDS.get(scenario, ""))
        if state == _VISITED:
            self._show(f"{name} is being adjudicated: the recursion unwinds.")
        found = super().resolve(order, scenario)
        self.recorder.returns("resolve", order, found)
        return found

    def _adjudicate(self, order: Key, scenario: bool) -> int:
        self.recorder.calls("adjudicate", order, scenario=_WORDS[scenario])
        found = super()._adjudicate(order, scenario)
        self.recorder.returns("adjudicate", order, found)
        if scenario and self.uncertain and order in self.cycle:
            name = self.recorder.name(order)
            self._show(f"Back at {name}, {_WORDS[scenario]}, result {in_words(found)}.")
        return found

    def _apply_backup_rule(self, cycle: Collection[Key]) -> None:
        super()._apply_backup_rule(cycle)
        self.recorder.applies(self.backup[-1])

    def _state(self, order: Key) -> str:
        if order in self.resolution:
            return RESOLVED
        if order in self.cycle:
            return "IN CYCLE"
        return _VISITED if order in self.visited else UNRESOLVED

    def _show(self, moment: str) -> None:
        rows = {
            key: (
                "yes" if key in self.visited else "no",
                "yes" if key in self.cycle else "no",
                in_words(self.resolution.get(key)),
            )
            for key in self.equations.orders
        }
        notes: dict[str, Note] = {
            "cycle": self.recorder.listed(self.cycle),
            "recursion_hits": self.recursion_hits,
            "uncertain": self.uncertain,
        }
        self.recorder.shows(moment, ("visited", "in cycle", "resolution"), rows, notes)


ENGINE = PartialInformation()
