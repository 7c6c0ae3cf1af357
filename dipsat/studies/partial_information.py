"""The partial information algorithm of DATC 3.0 5.E, in its last form.

Every order is adjudicated in an optimistic and in a pessimistic scenario; where both agree, it is
resolved. Orders that the recursion comes back to are tracked as a cycle. If it returns to the order
from which the whole cycle was entered and the scenarios still differ, the backup rule is applied.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from dipsat.base import reached
from dipsat.equations import Key, interval
from dipsat.errors import EngineError
from dipsat.outcomes import RESOLVED, UNRESOLVED, Note, Row, Step, in_words
from dipsat.studies.engine_runner import RecursiveResolver, Resolver, TracedRunner
from dipsat.studies.order_equations import OrderEquations, Scenario

_UPDATE = 8  # steps charged for updating the bounds of a decision, besides its equation


class MultiPass(Resolver):
    """The older form of the algorithm: passes over a list until everything on it is decided, with a
    minimum and a maximum for each entry. What cannot be decided yet waits for the next pass. If a
    pass decides nothing, circular movements and paradoxes are left to the backup rule.

    `ends_of` has the minimum and the maximum that each can still have, `passes` counts the passes.
    Decisions not on the list are computed when needed (DATC 2.4, 5.D).
    """

    def __init__(self, equations: OrderEquations, listed: Iterable[Key]) -> None:
        super().__init__(equations)
        self.ends_of = {key: equations.widest(key) for key in listed}
        self.passes = 0

    def resolve_all(self) -> None:
        """Decide everything on the list."""
        listed = tuple(self.ends_of)
        while left := [key for key in listed if key not in self.resolution]:
            self.passes += 1
            changes = [self._update(key) for key in left]
            if not any(changes):
                self._apply_backup_rule(
                    list(filter(self.equations.is_order, self._smallest_list(left)))
                )

    def ends(self, key: Key) -> tuple[int, int]:
        """The current minimum and maximum of a decision (DATC 2.4, 5.C: the functions
        `current_...`)."""
        return self.ends_of.get(key) or interval(self.equations.evaluated(key), self.ends)

    def _is_decided(self, key: Key) -> bool:
        least, greatest = self.ends(key)
        return least == greatest

    def _update(self, key: Key) -> bool:
        """Update the minimum and the maximum of a decision; return whether one has changed."""
        self.equations.count(_UPDATE, key)
        before = self.ends_of[key]
        least, greatest = self.ends_of[key] = interval(self.equations.evaluated(key), self.ends)
        if least == greatest:
            self.resolution[key] = least
        return before != (least, greatest)

    def _apply_backup_rule(self, cycle: Collection[Key]) -> None:
        super()._apply_backup_rule(cycle)
        self.ends_of |= {key: (value, value) for key, value in self.backup[-1].pins.items()}

    def _smallest_list(self, left: list[Key]) -> list[Key]:
        """The core of a paradox: the smallest list of all that a decision depends on, directly or
        not (DATC 2.4, 5.B.9)."""
        is_listed = self.ends_of.__contains__
        direct = {key: self.equations.needed(key, self._is_decided, is_listed) for key in left}
        lists = [list(reached([key], direct.__getitem__)) for key in left]
        for key, found in zip(left, lists, strict=True):
            self.equations.count(len(found), key)
        return min(lists, key=len)


_NOWHERE = 1_000_000  # an index beyond every cycle


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

    def _resolver(self, equations: OrderEquations, steps: list[Step] | None) -> Resolver:
        if self.multi_pass == "no":
            return _Resolver(equations, steps, self)
        listed = equations.orders if self.multi_pass == "orders" else equations.keys
        return MultiPass(equations, listed)


class _Resolver(RecursiveResolver):
    """The bookkeeping of `resolve`, under the names that DATC 3.0 gives it: `cycle` lists the
    orders of cycles that are not settled yet, `recursion_hits` counts those that are being
    adjudicated, `uncertain` says whether the last adjudication depends on an unresolved order.
    `resolution` also holds decisions other than orders that backup rules have set. `first` is the
    lowest index in `cycle` that the last adjudication depends on."""

    columns = ("visited", "in cycle", "resolution")

    def __init__(
        self, equations: OrderEquations, steps: list[Step] | None, options: PartialInformation
    ) -> None:
        super().__init__(equations, steps)
        self.options = options
        self.visited = set[Key]()
        self.cycle: list[Key] = []
        self.recursion_hits = 0
        self.uncertain = False
        self.first = _NOWHERE

    def _resolve(self, order: Key, scenario: Scenario) -> int:
        """The resolution of an order; if it is uncertain, the value of the scenario."""
        while order not in self.resolution:
            if order in self.cycle or order in self.visited:
                if order not in self.cycle:
                    self._show("{} is being adjudicated: the recursion unwinds.", order)
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
        best = worst = self._adjudicated(order, True)
        if self.uncertain and order in self.cycle:
            self._show(f"Back at {{}}, optimistic, result {in_words(best)}.", order)
        if self.uncertain and best:  # otherwise the other scenario gives the same
            worst = self._adjudicated(order, False)
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

    def _apply_backup_rule(self, cycle: Collection[Key]) -> None:
        if not cycle:
            raise EngineError(
                self.options.name, "it applied the backup rule to a cycle without orders"
            )
        super()._apply_backup_rule(cycle)

    def _state(self, order: Key) -> str:
        if order in self.resolution:
            return RESOLVED
        if order in self.cycle:
            return "IN CYCLE"
        return "VISITED" if order in self.visited else UNRESOLVED

    def _row(self, order: Key) -> Row:
        marks = ("yes" if order in listed else "no" for listed in (self.visited, self.cycle))
        return *marks, in_words(self.resolution.get(order))

    def _notes(self) -> Mapping[str, Note]:
        return {
            "cycle": self._named(self.cycle),
            "recursion_hits": self.recursion_hits,
            "uncertain": self.uncertain,
        }


ENGINE = PartialInformation()
