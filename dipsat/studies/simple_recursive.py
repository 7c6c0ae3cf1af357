"""The simple recursive algorithm, without guesses (Kruijswijk, The Math of Adjudication, "A simple
recursive algorithm that works for most cases"; DATC 3.0 5.C, orders of category a).

An unresolved order is adjudicated, and the same function first resolves what that depends on. Where
orders depend on each other in a cycle this would never end; here it is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dipsat.equations import Key
from dipsat.errors import CyclicOrdersError
from dipsat.outcomes import Step
from dipsat.studies.engine_runner import RecursiveResolver, Runner
from dipsat.studies.order_equations import OrderEquations, Scenario


@dataclass(frozen=True, slots=True)
class SimpleRecursive(Runner):
    """The simple recursive algorithm over the equations of a profile. Raises
    `CyclicOrdersError` where an order depends on itself.

    By default, `adjudicate` resolves another order when it needs it, as in the trace of
    Kruijswijk's last chapter. With `dependencies_first`, all orders that an equation mentions are
    resolved before it is adjudicated, as in his list of steps. That finds more cycles, even where
    the rest of the equation would have settled the order.
    """

    dependencies_first: bool = False
    title: ClassVar[str] = "simple_recursive"

    def _resolver(self, equations: OrderEquations, _: list[Step] | None) -> RecursiveResolver:
        return _Resolver(equations, self)


class _Resolver(RecursiveResolver):
    """The bookkeeping of `resolve`: an order in `resolution` succeeds or fails, any other is
    unresolved. `visited` are the orders that are being adjudicated, outermost first."""

    def __init__(self, equations: OrderEquations, options: SimpleRecursive) -> None:
        super().__init__(equations)
        self.options = options
        self.visited: dict[Key, None] = {}

    def _resolve(self, order: Key, scenario: Scenario) -> int:
        if order not in self.resolution:
            if order in self.visited:
                self._refuse_cycle(order)
            self.visited[order] = None
            if self.options.dependencies_first:
                for needed in self.equations.needed(order, self.resolution.__contains__):
                    self.resolve(needed)
            self.resolution[order] = self._adjudicate(order, scenario)
            del self.visited[order]
        return self.resolution[order]

    def _refuse_cycle(self, order: Key) -> None:
        """Raise the error for a recursion that came back to an order."""
        visited = list(self.visited)
        cycle = visited[visited.index(order) :]
        raise CyclicOrdersError(self.options.name, map(self.equations.name, cycle))


ENGINE = SimpleRecursive()
