"""The `resolve` of the recursive guess algorithm where `adjudicate` asks for no order twice.

Kruijswijk, The Math of Adjudication: "If written that way, the resolve function can be slightly
simplified (but beware, there are multiple tricky situations)." He does not say how. Here an order
that depends on the guess of another is simply unresolved again; its result was only for its caller.
So it need not be kept as a guess, no state has to be reset with the dependency list, and the list
is not searched before an order is added to it.
"""

from __future__ import annotations

from dipsat.engines.backup import Resolver
from dipsat.engines.evaluation import Scenario
from dipsat.engines.order_equations import OrderEquations
from dipsat.engines.single_cycles import GuardedAdjudication
from dipsat.terms.term import Key


class GuessResolver(Resolver):
    """A resolver with `guesses` for orders, and a list of the orders that depend on a guess."""

    def __init__(self, equations: OrderEquations, adjudicate: GuardedAdjudication) -> None:
        super().__init__(equations)
        self.adjudicate = adjudicate
        self.guesses: dict[Key, int] = {}
        self.dep_list: list[Key] = []


class SimplifiedResolver(GuessResolver):
    """The administration of `resolve`: an order in `guesses` is being adjudicated, and has a guess;
    one in `resolution` is resolved. `dep_list` lists the orders that depend on a guess.
    `resolution` also holds what backup rules have set for decisions other than orders."""

    def final(self) -> dict[Key, int]:
        """The resolutions; no guess is left behind."""
        return self.resolution

    def resolve(self, order: Key, _: Scenario = None) -> int:
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
        first = self._adjudicate(order, 0)
        if len(self.dep_list) == below:  # no guess was needed
            return self.resolution.setdefault(order, first)
        if self.dep_list[below] != order:  # it depends on the guess of another order
            self.dep_list.append(order)
            return first
        del self.dep_list[below:]
        second = self._adjudicate(order, 1)
        cycle = list(dict.fromkeys(self.dep_list[below:]))
        del self.dep_list[below:]
        if first == second:
            self.resolution[order] = first
            return first
        self._apply_backup_rule(cycle or [order])
        return None

    def _adjudicate(self, order: Key, guess: int) -> int:
        """Adjudicate an order; calls that come back to it get the guess."""
        self.guesses[order] = guess
        found = self.adjudicate(order, self.resolve, self.resolution)
        del self.guesses[order]
        return found
