"""The partial information algorithm of DATC 3.0 5.E, in its last form.

Every order is adjudicated in an optimistic and in a pessimistic scenario; where both agree, it is
resolved. Orders that the recursion comes back to are tracked as a cycle. If it returns to the order
from which the whole cycle was entered and the scenarios still differ, the backup rule is applied.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from dipsat.equations import Key, interval
from dipsat.errors import EngineError
from dipsat.outcomes import RESOLVED, UNRESOLVED, BackupRule, EquationVerdicts, Note, in_words
from dipsat.studies.engine_runner import Recorder, RecursiveResolver, TracedRunner, backup_rule
from dipsat.studies.order_equations import OrderEquations, Scenario

_UPDATE = 8  # steps charged for updating the ends of a decision, besides its equation


class MultiPass:
    """The older form of the algorithm: passes over a list until everything on it is decided, with a
    minimum and a maximum of each. What cannot be decided yet waits for the next pass. A pass that
    decides nothing leaves circular movements and paradoxes to the backup rule.

    `ends_of` has the minimum and the maximum that each can still have, `passes` counts the passes,
    and `backup` has the rules that were applied. Decisions not on the list are computed when needed
    (DATC 2.4, 5.D).
    """

    def __init__(self, equations: OrderEquations, listed: Iterable[Key]) -> None:
        self.equations = equations
        self.listed = tuple(listed)
        self.ends_of = {key: equations.widest(key) for key in self.listed}
        self.passes = 0
        self.backup: list[BackupRule] = []

    def run(self) -> None:
        """Decide everything on the list."""
        while left := [key for key in self.listed if not self._is_decided(key)]:
            self.passes += 1
            changes = [self._update(key) for key in left]
            if not any(changes):
                self._apply_backup_rule(left)

    @property
    def decided(self) -> Mapping[Key, int]:
        """The decided values, including those that backup rules have set outside the list."""
        return {key: least for key, (least, greatest) in self.ends_of.items() if least == greatest}

    def ends(self, key: Key) -> tuple[int, int]:
        """The current minimum and maximum of a decision (DATC 2.4, 5.C: the functions
        `current_...`)."""
        return self.ends_of.get(key) or interval(self.equations.evaluated(key), self.ends)

    def _is_decided(self, key: Key) -> bool:
        least, greatest = self.ends(key)
        return least == greatest

    def _update(self, key: Key) -> bool:
        """Update the ends of a decision; return whether one has changed."""
        self.equations.count(_UPDATE, key)
        before = self.ends_of[key]
        self.ends_of[key] = interval(self.equations.evaluated(key), self.ends)
        return before != self.ends_of[key]

    def _apply_backup_rule(self, left: list[Key]) -> None:
        cycle = [key for key in self._smallest_list(left) if self.equations.is_order(key)]
        applied = backup_rule(self.equations, self.decided, cycle)
        self.ends_of.update((key, (value, value)) for key, value in applied.pins.items())
        self.backup.append(applied)

    def _smallest_list(self, left: list[Key]) -> list[Key]:
        """The core of a paradox: the smallest list of all that a decision depends on, directly or
        not (DATC 2.4, 5.B.9)."""
        is_listed = self.ends_of.__contains__
        direct = {key: self.equations.needed(key, self._is_decided, is_listed) for key in left}
        lists = []
        for key in left:
            found, stack = {key: None}, [key]
            while stack:
                fresh = [other for other in direct[stack.pop()] if other not in found]
                found.update(dict.fromkeys(fresh))
                stack += fresh
            self.equations.count(len(found), key)
            lists.append(list(found))
        return min(lists, key=len)


_NOWHERE = 1_000_000  # an index beyond every cycle
_VISITED = "VISITED"
_WORDS: Mapping[Scenario, str] = {True: "optimistic", False: "pessimistic"}


@dataclass(frozen=True, slots=True)
class PartialInformation(TracedRunner):
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
    title: ClassVar[str] = "partial_information"

    @property
    def untraced(self) -> str:
        """Passes are not recorded."""
        return "" if self.multi_pass == "no" else "the passes over the list have no trace"

    def _decided(self, equations: OrderEquations, recorder: Recorder | None) -> EquationVerdicts:
        if self.multi_pass != "no":
            listed = equations.orders if self.multi_pass == "orders" else equations.keys
            passes = MultiPass(equations, listed)
            passes.run()
            return equations.verdicts(passes.decided, tuple(passes.backup))
        resolver = _Resolver(equations, self)
        if recorder is not None:
            resolver = _TracedResolver(equations, self, recorder)
        resolver.resolve_all()
        return equations.verdicts(resolver.resolution, tuple(resolver.backup))


class _Resolver(RecursiveResolver):
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

    def resolve(self, order: Key, scenario: Scenario = None) -> int:
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

    def resolve(self, order: Key, scenario: Scenario = None) -> int:
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
