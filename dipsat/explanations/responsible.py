"""The responsible orders: the fewest that force a verdict, whatever all other units are ordered.

Z3 is asked whether, with some orders fixed and all others open, the verdict can be a different one
or be left undecided by propagation. If not, the fixed orders force it, whatever decision cycles
there are elsewhere. Otherwise the answer is a counterexample, which is adjudicated to confirm it. A
set of orders that forces the verdict must contain, for each counterexample, an order that it
changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from dipsat.equations.build_facts import OrderChoice
from dipsat.game.facts import NO_ORDER
from dipsat.openorders.candidates import candidates
from dipsat.openorders.open_query import (
    GOOD,
    Cone,
    OrderQuery,
    Reordering,
    given_by_powers,
    given_orders,
    why_not_open,
)
from dipsat.orders.order import Order
from dipsat.orders.writer import write_order
from dipsat.proof.movement import MovementOrderOutcome, MovementOutcome
from dipsat.solving.budget import ExhaustedError, budget_of
from dipsat.terms.term import Key, negation
from dipsat.values import Plain, brief

_STEPS = 1_000_000
"""The budget of the search; a step is about a microsecond."""

_DEPTHS = (3, 4, 5, 6, 8)
"""The depths, in decisions, to which the equations are examined in turn. Deeper decisions may have
any value, so what is forced without their equations is forced."""

_MAX_DECISIONS = 400  # in one question
_MAX_SETS = 20_000  # tried in search of the fewest orders that meet all counterexamples
_SETS = 2  # tried per step


@brief()
@dataclass(frozen=True, slots=True)
class Responsible(Plain):
    """The orders that force a verdict."""

    verdict: str
    """`forced` (proven: with these orders, the unit's order succeeds or fails as it did, whatever
    all other units are ordered) or `unknown`."""
    orders: tuple[str, ...] = ()
    """The orders, the unit's own first."""
    is_smallest: bool = False
    """Whether no fewer orders force it: every smaller set has been refuted by orders of the other
    units that were adjudicated and lead to another verdict."""
    why: str = ""
    """Why the verdict is `unknown`, or why fewer orders might be enough."""


def responsible_orders(outcome: MovementOutcome, order: MovementOrderOutcome) -> Responsible:
    """The fewest orders that force the verdict of an order.

    The limits of the call may end the search earlier; without them the answer is the same on every
    machine. After Ctrl-C the answer is what was found so far.
    """
    key, facts = order.decision, order.facts
    value = None if key is None else outcome.solution.bounds.value(key)
    if key is None or facts is None or value is None:
        return Responsible(
            "unknown", why=f"no decision is made about an order that is {order.verdict}"
        )
    if why := why_not_open(outcome):
        return Responsible("unknown", why=why)
    return _CoreSearch(outcome, facts.index, key[0], bool(value)).run()


class _CoreSearch:
    """The search for the unit with the index `at`, whose verdict is a decision of `family`."""

    def __init__(self, outcome: MovementOutcome, at: int, family: str, value: bool) -> None:
        self.outcome, self.at, self.family, self.value = outcome, at, family, value
        self.budget = budget_of(_STEPS)
        self.best: Responsible | None = None

    def run(self) -> Responsible:
        """Examine the equations deeper and deeper, until no fewer orders can force the verdict."""
        why = "propagation alone does not decide it"
        with self.budget.interruptible():
            try:
                if not self._look():
                    why = "the equations that were examined do not decide it by propagation alone"
            except ExhaustedError as spent:
                why = str(spent)
        return self.best or Responsible("unknown", why=why)

    def _look(self) -> bool:
        """Whether all its equations were examined, or enough of them."""
        self.open = Reordering(self.outcome, self._orders(), self._besides(), self.budget)
        self.target = self.open.verdict(self.family, self.at)
        for depth in _DEPTHS:
            cone = self.open.cone(self.target, depth, _MAX_DECISIONS)
            if cone.size > _MAX_DECISIONS:
                return False
            self._at_depth(cone)
            if not cone.edge or (self.best is not None and self.best.is_smallest):
                return True
        return False

    def keep(self, units: Iterable[int], is_smallest: bool) -> None:
        """Record that the orders of these units and the unit's own force the verdict, if they are
        the best so far."""
        keys = [self.open.given[self.at], *(self.open.given[unit] for unit in units)]
        orders = tuple(self.open.write(self.open.choices[key]) for key in keys)
        if self.best is None or is_smallest or len(orders) < len(self.best.orders):
            self.best = Responsible("forced", orders, is_smallest)

    def is_refuted_by(self, chosen: Mapping[int, OrderChoice]) -> bool:
        """Whether the unit's order has a different outcome if these orders are given."""
        self.budget.spend(self.outcome.solution.steps)
        found = self.open.adjudicated(chosen, self.at)
        if found is None:
            return False
        is_so = bool(found.fate) if self.family == "dislodge" else found.verdict in GOOD
        return is_so != self.value

    def _orders(self) -> Sequence[Sequence[Order]]:
        """For every unit, the order that it was given, then its other legal ones, except for the
        unit itself."""
        board = self.outcome.position.map
        legal = candidates(self.outcome.profile, self.outcome.position).of_units
        found: list[list[Order]] = []
        for at, given in enumerate(given_orders(self.outcome)):
            mine = write_order(given, board)
            others = () if at == self.at else legal[self.outcome.position.units[at].location]
            found.append([given, *(o for o in others if write_order(o, board) != mine)])
        return found

    def _besides(self) -> Mapping[str, Sequence[Order]]:
        """For each order of a power, the choice that was made first."""
        given = given_by_powers(self.outcome)
        open_ones = candidates(self.outcome.profile, self.outcome.position).of_powers
        return {key: (order, NO_ORDER) for key, order in given.items()} | {
            key: (NO_ORDER, order) for key, order in open_ones.items() if key not in given
        }

    def _at_depth(self, cone: Cone) -> None:
        """Find the fewest orders as far as the equations of a cone show."""
        guards = self.open.guards(self.target, cone)
        claim = negation(self.target) if self.value else self.target
        question = self.open.question([claim], cone, guards)
        units = sorted({self.open.choices[key].unit for key in guards} - {self.at})
        _Fewest(self, question, guards, units).find()


class _Fewest:
    """The fewest of `units` whose orders, when fixed, leave the question without an answer.

    Every counterexample changes the orders of some units; a set that forces the verdict has one of
    them each time. The fewest units that meet all counterexamples so far are tried next.
    """

    def __init__(
        self, search: _CoreSearch, question: OrderQuery, guards: set[Key], units: Sequence[int]
    ) -> None:
        self.search, self.question, self.guards, self.units = search, question, guards, units
        self.left_out: list[frozenset[int]] = []
        self.is_confirmed = True

    def find(self) -> None:
        """Search. If all orders together do not force the verdict, nothing is recorded."""
        if self._ask(self.units) is not None:
            return
        self._by_deletion()
        while (tried := self._meeting_all()) is not None:
            chosen = self._ask(tried)
            if chosen is None:
                self.search.keep(tried, self.is_confirmed)
                return
            self._learn(tried, chosen)

    def _ask(self, fixed: Iterable[int]) -> Mapping[int, OrderChoice] | None:
        """Orders of all units with these `fixed` that may avoid the verdict; None if there are no
        such orders."""
        opened = self.search.open
        literals = self.question.literals
        given = self.question.ask([literals[opened.given[unit]] for unit in fixed])
        if given is None:
            return None
        issued = [opened.choices[key] for key in sorted(given)]
        found = {choice.unit: choice for choice in issued}
        for unit in self.units:
            if unit not in found:
                found[unit] = self._other(unit)
        return found

    def _other(self, unit: int) -> OrderChoice:
        """A choice of a unit that no equation in the question mentions."""
        group = self.search.open.open.choices[unit]
        return next(choice for choice in group if choice.key not in self.guards)

    def _learn(self, tried: Collection[int], chosen: Mapping[int, OrderChoice]) -> None:
        """Make a counterexample change as few orders as possible, and record their units."""
        out = self._out(chosen)
        kept = [unit for unit in self.units if unit not in out]
        for unit in sorted(out):
            if unit not in self._out(chosen):
                continue
            more = self._ask([*kept, unit])
            if more is not None:
                chosen = more
                kept.append(unit)
        self.is_confirmed = self.search.is_refuted_by(chosen) and self.is_confirmed
        self.left_out.append(frozenset(self._out(chosen)) - set(tried))

    def _out(self, chosen: Mapping[int, OrderChoice]) -> set[int]:
        """The units whose orders differ from those given."""
        given = self.search.open.given
        return {unit for unit in self.units if chosen[unit].key != given[unit]}

    def _meeting_all(self) -> tuple[int, ...] | None:
        """The fewest units with one from each counterexample; None if there are too many sets to
        try."""
        pool = sorted(frozenset().union(*self.left_out))
        sets = (some for size in range(len(pool) + 1) for some in combinations(pool, size))
        for number, some in enumerate(sets):
            if number % 1000 == 0:
                self.search.budget.spend(1000 // _SETS)
            if number > _MAX_SETS:
                return None
            if all(not out.isdisjoint(some) for out in self.left_out):
                return some
        return None

    def _by_deletion(self) -> None:
        """Leave out orders one by one as long as the others force the verdict."""
        kept = list(self.units)
        for unit in self.units:
            fewer = [other for other in kept if other != unit]
            if self._ask(fewer) is None:
                kept = fewer
        self.search.keep(kept, False)


def responsible_in_words(core: Responsible) -> str:
    """Which orders force the verdict."""
    if core.verdict != "forced":
        return f"Responsible orders: unknown; {core.why}."
    number = "No fewer force it." if core.is_smallest else "Fewer may be enough."
    orders = "; ".join(core.orders)
    return f"Forced by these orders, whatever all other units are ordered: {orders}. {number}"
