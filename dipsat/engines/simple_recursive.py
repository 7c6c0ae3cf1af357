"""The simple recursive algorithm, without guesses (Kruijswijk, The Math of Adjudication, "A simple
recursive algorithm that works for most cases"; DATC 3.0 5.C, orders of category a).

An unresolved order is adjudicated, and the same function first resolves what that depends on. Where
orders depend on each other in a cycle this would never end; here it is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.engines.depth import deep_recursion, in_one_piece
from dipsat.engines.evaluation import Scenario
from dipsat.engines.order_equations import OrderEquations
from dipsat.equations.phase import Phase
from dipsat.errors import CyclicOrdersError
from dipsat.profiles.profile import Profile
from dipsat.proof.engine import EquationVerdicts, written
from dipsat.terms.term import Key


@dataclass(frozen=True, slots=True)
class SimpleRecursive:
    """The simple recursive algorithm over the equations of a profile.

    By default, `adjudicate` resolves another order when it needs it, as in the trace of
    Kruijswijk's last chapter. With `dependencies_first`, all orders that an equation mentions are
    resolved before it is adjudicated, as in his list of steps. That finds more cycles, even where
    the rest of the equation would have settled the order.
    """

    dependencies_first: bool = False

    @property
    def name(self) -> str:
        """The name, with the options that differ from the default."""
        return written("simple_recursive", self)

    def decide(self, phase: Phase, profile: Profile) -> EquationVerdicts:
        """Decide a phase; see `dipsat.proof.engine.Engine`.

        Raises `CyclicOrdersError` where an order depends on itself.
        """
        return in_one_piece(self.name, lambda: self._decided(phase, profile))

    def _decided(self, phase: Phase, profile: Profile) -> EquationVerdicts:
        equations = OrderEquations(profile, phase, self.name)
        resolver = _Resolver(equations, self)
        with deep_recursion(len(equations.orders)):
            for order in equations.orders:
                resolver.resolve(order)
        return equations.verdicts(resolver.resolution, ())


class _Resolver:
    """The administration of `resolve`: an order in `resolution` succeeds or fails, any other is
    unresolved. `visited` are the orders that are being adjudicated, outermost first."""

    def __init__(self, equations: OrderEquations, options: SimpleRecursive) -> None:
        self.equations = equations
        self.options = options
        self.resolution: dict[Key, int] = {}
        self.visited: dict[Key, None] = {}

    def resolve(self, order: Key, _: Scenario = None) -> int:
        """The resolution of an order."""
        if order not in self.resolution:
            if order in self.visited:
                self._refuse_cycle(order)
            self.visited[order] = None
            if self.options.dependencies_first:
                for needed in self.equations.needed(order, self.resolution.__contains__):
                    self.resolve(needed)
            self.resolution[order] = self.equations.adjudicate(order, self.resolve, self.resolution)
            del self.visited[order]
        return self.resolution[order]

    def _refuse_cycle(self, order: Key) -> None:
        """Raise the error for a recursion that came back to an order."""
        visited = list(self.visited)
        cycle = visited[visited.index(order) :]
        raise CyclicOrdersError(self.options.name, map(self.equations.name, cycle))


ENGINE = SimpleRecursive()
