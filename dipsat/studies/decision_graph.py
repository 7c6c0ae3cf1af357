"""The algorithm of Hagenah's DipTool, an explicit dependency graph, as Kruijswijk describes it in
The Math of Adjudication.

An arrow leads from each order to those that its equation needs. Orders without an arrow are
resolved first, and the arrows to them removed. Where only cycles are left, the algorithm guesses
one: enough of its orders get both values to leave no cycle among the rest, which then follow. The
guesses that the equations confirm are the resolutions of the cycle. A single one is taken;
otherwise the backup rule is applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from dipsat.equations import Key
from dipsat.errors import EngineError
from dipsat.outcomes import EquationVerdicts
from dipsat.studies.engine_runner import Recorder, Resolver, Runner
from dipsat.studies.order_equations import OrderEquations

_MOST_GUESSES = 12  # orders guessed in one cycle; the standard rules never need more than one


@dataclass(frozen=True, slots=True)
class DecisionGraph(Runner):
    """The algorithm of DipTool over the equations of a profile."""

    title: ClassVar[str] = "decision_graph"

    def _decided(self, equations: OrderEquations, _: Recorder | None) -> EquationVerdicts:
        graph = _Graph(equations)
        graph.run()
        return equations.verdicts(graph.resolution, tuple(graph.backup))


class _Graph(Resolver):
    """The orders that are not resolved yet, with their arrows. `resolution` also holds what backup
    rules have set for decisions other than orders."""

    def __init__(self, equations: OrderEquations) -> None:
        super().__init__(equations)
        self.arrows = {order: self._needed(order) for order in equations.orders}

    def run(self) -> None:
        """Resolve all orders."""
        while self.arrows:
            leaves = [order for order, needed in self.arrows.items() if not needed]
            for order in leaves:
                self.resolution[order] = self._adjudicate(order, self.resolution)
            if not leaves:
                self._settle(self._cycle())
            self._take_out()

    def _take_out(self) -> None:
        """Remove the resolved orders and the arrows to them from the graph."""
        known = self.resolution
        self.arrows = {
            order: {other for other in needed if other not in known}
            for order, needed in self.arrows.items()
            if order not in known
        }

    def _needed(self, order: Key) -> set[Key]:
        return set(self.equations.needed(order, self.resolution.__contains__))

    def _cycle(self) -> tuple[Key, ...]:
        """A strongly connected component of the graph that no arrow leaves, sorted."""
        import networkx  # slow to import, and most phases have no cycle

        graph: Any = networkx.DiGraph()
        for order in sorted(self.arrows):
            graph.add_edges_from((order, other) for other in sorted(self.arrows[order]))
        parts = networkx.attracting_components(graph)
        found: tuple[Key, ...] = min(tuple(sorted(part)) for part in parts)
        return found

    def _settle(self, cycle: tuple[Key, ...]) -> None:
        """Resolve at least one order of the cycle."""
        found = list(self._resolutions(cycle))
        shared = {
            key: value
            for key, value in (found[0].items() if found else ())
            if all(other[key] == value for other in found)
        }
        if shared:  # the only resolution, or what all resolutions have in common
            self.resolution.update(shared)
            return
        self._apply_backup_rule(cycle)
        if any(not self.equations.is_order(key) for key in self.backup[-1].pins):
            self.arrows = {order: self._needed(order) for order in self.arrows}

    def _resolutions(self, cycle: tuple[Key, ...]) -> Iterator[Mapping[Key, int]]:
        guessed, others = self._guessed(cycle)
        for guesses in product((0, 1), repeat=len(guessed)):
            values = dict(self.resolution)
            values.update(zip(guessed, guesses, strict=True))
            for order in others:
                values[order] = self._adjudicate(order, values)
            if all(self._adjudicate(order, values) == values[order] for order in guessed):
                yield {order: values[order] for order in cycle}

    def _guessed(self, cycle: tuple[Key, ...]) -> tuple[list[Key], list[Key]]:
        """Orders to guess, which break every cycle, and the others, each after those it needs."""
        guessed: list[Key] = []
        while True:
            others: list[Key] = []
            left = [order for order in cycle if order not in guessed]
            while left:
                ready = [key for key in left if self.arrows[key].isdisjoint(left)]
                if not ready:
                    break
                others += ready
                left = [key for key in left if key not in ready]
            if not left:
                return guessed, others
            if len(guessed) == _MOST_GUESSES:
                problem = f"it would have to guess more than {_MOST_GUESSES} orders of one cycle"
                raise EngineError("decision_graph", problem)
            guessed.append(max(left, key=lambda key: self._in_and_out(key, left)))

    def _in_and_out(self, order: Key, left: list[Key]) -> int:
        """How many paths of two arrows lead through an order, among those left."""
        coming = sum(order in self.arrows[other] for other in left)
        return coming * len(self.arrows[order].intersection(left))

    def _adjudicate(self, order: Key, values: Mapping[Key, int]) -> int:
        return self.equations.adjudicate(order, lambda key, _: values[key], values)


ENGINE = DecisionGraph()
