"""Whether a power has orders that reach a goal whatever the other powers order.

The search proposes orders that reach the goal against every answer found so far, then looks for an
answer against which they do not. If there is none, the proposed orders are proven to guarantee the
goal; if no proposal is left, no orders do. The adjudicator confirms each answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from dipsat.limits import ExhaustedError
from dipsat.openorders.checked_rules import settles_every_cycle
from dipsat.openorders.cycle_lemmas import learn
from dipsat.openorders.encoding import OpenOrders, OpenRules
from dipsat.orders.order import Order
from dipsat.proof.movement import MovementOutcome
from dipsat.searches.cegar import Confirmed, Judged, find_confirmed, judge
from dipsat.searches.goal import Goal
from dipsat.searches.problem import SearchProblem

Orders = Mapping[str, Order]
"""Orders by location, those of powers by key."""


def find_guarantee(asked: SearchProblem, goal: Goal, power: str) -> Confirmed[bool] | None:
    """Orders of the power's open units that reach the goal whatever the other open units are
    ordered; None if it is proven that there are none."""
    return _Guarantee(asked, goal, power).find()


def find_answer(asked: SearchProblem, goal: Goal, power: str) -> Orders | None:
    """Orders of all units with which the goal is missed, those of the power, which has no open
    unit, among them; None if it is proven that there are none."""
    return _Guarantee(asked, goal, power).answer({})


class _Guarantee:
    def __init__(self, asked: SearchProblem, goal: Goal, power: str) -> None:
        self.asked, self.goal, self.watch = asked, goal, asked.watch
        (self.profile,) = asked.profiles
        self.own = asked.idle(power)
        self.board = asked.board()  # of the answers
        self.rules = self.board.under(self.profile)
        self.fails = -self.rules.rails.surely(goal.term(self.rules.open.phase))
        if not settles_every_cycle(self.profile):
            self.fails = self.board.gates.any_of((self.fails, self.rules.any_open))
        self.answers: list[tuple[Orders, OpenRules]] = []

    @cached_property
    def proposals(self) -> OpenOrders:
        """The orders of the power, in a solver of their own."""
        return self.asked.board(self._proposed_choices())

    def find(self) -> Confirmed[bool] | None:
        while (own := self._proposal()) is not None:
            self.watch.candidate = {**self._holds(), **own}
            answer = self.answer(own)
            if answer is None:
                return Confirmed({**self._holds(), **self._simplest(own)}, True)
            self.watch.candidate = None
            self._learn_answer(answer)
        return None

    def _simplest(self, own: Orders) -> Orders:
        """The same orders with as many holds as can be proven to suffice in the time left."""
        found = dict(own)
        try:
            for key, idle in self.own.items():
                tried = {**found, key: idle}
                if tried != found and self.answer(tried) is None:
                    found = tried
        except (ExhaustedError, KeyboardInterrupt):
            pass  # the orders found so far are proven
        return found

    def _proposed_choices(self) -> Mapping[str, tuple[Order, ...]]:
        """Open orders for own units; those of other units are filled in with each answer."""
        choices, own = self.asked.choices, self.own
        return {at: orders if at in own else orders[:1] for at, orders in choices.items()}

    def _holds(self) -> dict[str, Order]:
        """The orders of all other units, to show a complete set of orders."""
        return {**self.asked.given, **self.asked.idle()}

    def _proposal(self) -> Orders | None:
        """Own orders that reach the goal against every answer so far."""
        while True:
            self.watch.budget.spend()
            self.watch.tell(f"orders that withstand {len(self.answers)} answers")
            switches = [s for _, rules in self.answers for s in rules.rails.assumptions]
            found = self.proposals.find(switches)
            if found is None:
                return None
            own = {key: found[key] for key in self.own}
            if not self._is_refuted(own):
                return own
            self.proposals.forbid(own)

    def _is_refuted(self, own: Orders) -> bool:
        """Whether the goal is missed against an answer already known."""
        for others, rules in self.answers:
            orders = {**others, **own}
            judged = judge(self.asked.readings, orders, self.profile)
            self.watch.adjudicated += 1
            if not self.goal.holds(judged):
                if isinstance(judged, MovementOutcome):
                    learn(rules, orders, judged)
                return True
        return False

    def answer(self, own: Orders) -> Orders | None:
        """Orders of all units, these among them, that miss the goal."""

        def accept(judged: Sequence[Judged]) -> bool | None:
            return None if self.goal.holds(judged[0]) else True

        claims = (*self.board.guards(own), self.fails)
        found = find_confirmed(
            self.board, [self.rules], claims, accept, self.watch,
            f"answers to proposal {len(self.answers) + 1}",
        )  # fmt: skip
        return None if found is None else found.orders

    def _learn_answer(self, answer: Orders) -> None:
        """From now on, propose only orders that reach the goal against this answer."""
        others = {at: order for at, order in answer.items() if at not in self.own}
        rules = self.proposals.under(self.profile, others)
        reached = rules.rails.possibly(self.goal.term(rules.open.phase))
        self.proposals.gates.require(reached)
        self.answers.append((others, rules))
