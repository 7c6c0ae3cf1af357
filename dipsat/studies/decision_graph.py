"""The algorithm of Hagenah's DipTool, an explicit dependency graph, as Kruijswijk describes it in
The Math of Adjudication.

An arrow leads from each order to those that its equation needs. Orders without an arrow are
resolved first, and the arrows to them removed. Where only cycles are left, the algorithm guesses
the orders of one: each gets both values, one after the other, until the rest follows. The guesses
that the equations confirm are the resolutions of the cycle. Whatever they all have in common is
kept; if that is nothing, the backup rule is applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dipsat.equations import Key
from dipsat.outcomes import Step
from dipsat.studies.engine_runner import Resolver, Runner, resolutions
from dipsat.studies.order_equations import OrderEquations


@dataclass(frozen=True, slots=True)
class DecisionGraph(Runner):
    """The algorithm of DipTool over the equations of a profile."""

    title: ClassVar[str] = "decision_graph"

    def _resolver(self, equations: OrderEquations, _: list[Step] | None) -> Resolver:
        return _Graph(equations)


class _Graph(Resolver):
    """The orders that are not resolved yet, with their arrows. `resolution` also holds decisions
    other than orders that backup rules have set."""

    def __init__(self, equations: OrderEquations) -> None:
        super().__init__(equations)
        self.arrows = {order: self._needed(order) for order in equations.orders}

    def resolve_all(self) -> None:
        """Resolve all orders."""
        while self.arrows:
            leaves = [order for order, needed in self.arrows.items() if not needed]
            for order in leaves:
                self.resolution[order] = self._adjudicate(order)
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
        found = list(resolutions(self.equations, self.resolution, cycle, cycle))
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

    def _adjudicate(self, order: Key) -> int:
        known = self.resolution
        return self.equations.adjudicate(order, lambda key, _: known[key], known)


ENGINE = DecisionGraph()
