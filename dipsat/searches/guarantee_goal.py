"""Whether a power has orders that reach a goal whatever the other powers do.

The search proposes orders that reach the goal against every answer found so far, then looks for an
answer that defeats them. If there is none, the proposed orders are proven to guarantee the goal; if
no proposal is left, no orders do. The adjudicator confirms each answer.

If the places of the power's units are open, places and orders are proposed together, and an answer
by the other units is sought in that position. An answer consists of orders, which have a meaning in
every position, so each answer leaves fewer proposals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from dipsat.base import brief, checked_fields, counted, grouped, titled
from dipsat.errors import QuestionError
from dipsat.game import ANY
from dipsat.orders import Hold, Order, Unit
from dipsat.outcomes import MovementOutcome
from dipsat.searches.achievement_goal import GOAL, Goal, read_goal
from dipsat.searches.cegar import (
    Confirmed,
    Facts,
    Found,
    Judged,
    Orders,
    find_confirmed,
    judge,
    with_idle,
)
from dipsat.searches.checked_rules import settles_every_cycle
from dipsat.searches.encoding import OpenOrders, OpenRules
from dipsat.searches.open_board import OpenUnits, Placement, Proposal, Proposals, UnitRules
from dipsat.searches.open_orders import SearchProblem, Watch, ask_about, refuse_neutral
from dipsat.searches.open_places import UnitsAnywhere
from dipsat.searches.open_unit_facts import refuse_goal
from dipsat.searches.question import Question
from dipsat.searches.ruled_system import RuledSystem, learn
from dipsat.searches.unit_slots import HOLD, Given

_A = TypeVar("_A")


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Guarantee(Question):
    """Whether a power has orders that reach a goal, whatever the other open units do."""

    _command = "guarantee"
    _in_short = "which orders of a power reach it, whatever the others do?"
    _found = "Orders that reach {goal} whatever the other open units do"
    _impossible = "whatever {whose} orders, the other open units can prevent {goal}"
    _impossible_anywhere = f"wherever {{units}} stand on this map, {_impossible}"
    _confirmed = "Proven: the solver finds no answer to these orders."

    goal: str = field(metadata=GOAL)
    """The goal, in the words of docs/search.md."""
    power: str = field(
        metadata={
            "meaning": "the power that is to reach the goal.",
            "wanted": "a power",
            "option": "--for",
            "help": "The power to find orders for; with --smallest, the units that join belong to "
            "it.",
        }
    )
    """The power."""

    @property
    def _own_power(self) -> str:
        """The power."""
        return self.power

    def _find(self, asked: SearchProblem) -> Confirmed[Facts] | None:
        """Find orders of a power that reach a goal whatever the other open units do.

        \b
        Examples:
          dipsat search guarantee board.yaml "stands(GAL, AUSTRIA)" --for Austria
          dipsat search guarantee board.yaml "stands(VEN, ITALY)" --for Italy --smallest
        """
        board = asked.position.map
        goal = read_goal(self.goal, asked.profiles[0], board)
        power = board.names.power(self.power)
        refuse_neutral(board, power)
        if not any(unit.power == power for unit in asked.position.units):
            raise QuestionError(f"{power} has no unit on the board")
        return _Guarantee(asked, goal, power).find()

    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
        """Places of the power's units and orders that reach the goal whatever the others do. Raises
        `QuestionError` if units of other powers may stand anywhere.
        """
        goal = read_goal(self.goal, asked.profiles[0], asked.map)
        found = _GuaranteeAnywhere(asked, goal, asked.map.names.power(self.power)).find()
        return None if found is None else (found, ())


class _Guarantee:
    def __init__(self, asked: SearchProblem, goal: Goal, power: str) -> None:
        self.asked, self.goal, self.watch = asked, goal, asked.watch
        (self.profile,) = asked.profiles
        self.own = asked.idle(power)
        self.board = asked.board()  # of the answers
        self.rules = self.board.under(self.profile)
        self.fails = -self.rules.rails.surely(goal.term(self.rules))
        if not settles_every_cycle(self.profile):
            self.fails = self.board.gates.any_of((self.fails, self.rules.any_open))
        self.answers: list[tuple[Orders, OpenRules]] = []

    @cached_property
    def proposals(self) -> OpenOrders:
        """The orders of the power, in a solver of their own."""
        return self.asked.board(self._proposed_choices())

    def find(self) -> Confirmed[Facts] | None:
        while (own := self._proposal()) is not None:
            self.watch.candidate = {**self._holds(), **own}
            answer = self.answer(own)
            if answer is None:
                own, _ = with_idle(Found(own, ()), self.own, self._if_unanswered)
                return Found({**self._holds(), **own}, ())
            self.watch.candidate = None
            self._learn_answer(answer)
        return None

    def _if_unanswered(self, own: Orders) -> tuple[()] | None:
        return () if self.answer(own) is None else None

    def _proposed_choices(self) -> Mapping[str, tuple[Order, ...]]:
        """Open orders for own units; each answer fills in the orders of other units."""
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
        """Whether an answer already known defeats these orders."""
        for others, rules in self.answers:
            orders = {**others, **own}
            self.watch.adjudicated += 1
            judged = judge(self.asked.readings, orders, self.profile)
            if _misses(self.goal, judged, rules, orders):
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
        self.proposals.gates.require(rules.rails.possibly(self.goal.term(rules)))
        self.answers.append((others, rules))


class _GuaranteeAnywhere:
    def __init__(self, asked: UnitsAnywhere, goal: Goal, power: str) -> None:
        self.goal, self.power, self.watch = goal, power, asked.watch
        (self.profile,) = asked.profiles
        _refuse(asked, goal, power)
        others = [u for u in asked.position.known.units if u.power != power]
        self.given = asked.given
        self.answering = {u.location: Hold(u.name) for u in others if u.location not in self.given}
        """The units that answer, each with an order to hold."""
        holds = {at: Given(HOLD, hold) for at, hold in self.answering.items()}
        board = replace(asked, given={**asked.given, **holds}).board((power, *goal.powers))
        standing = [
            places[0][1] if len(places) == 1 else ""
            for places in (slot.standings for slot in board.slots.slots)
        ]
        self.proposals = Proposals(
            board, [at for at, place in enumerate(standing) if place in self.answering]
        )
        self.solver = asked.solver
        self.worlds: list[UnitRules] = []

    def find(self) -> Placement | None:
        self._learn(self.answering)
        while (proposal := self._proposal()) is not None:
            answer = self._answer(proposal)
            if answer is None:
                orders = self._orders(self._simplest(proposal))
                return Placement(proposal.position, orders, (), proposal.true)
            self._learn(answer)
        return None

    def _proposal(self) -> Proposal | None:
        """Places and orders that reach the goal against every answer so far."""
        while True:
            answers = counted(len(self.worlds), "answer")
            self.watch.tell(f"places and orders that withstand {answers}")
            self.watch.budget.spend()
            switches = [one for world in self.worlds for one in world.rails.assumptions]
            found = self.proposals.find(switches)
            if found is None or not self._is_refuted(found):
                return found
            self.proposals.forbid(found)

    def _is_refuted(self, proposal: Proposal) -> bool:
        """Whether an answer already known defeats these orders."""
        for world in self.worlds:
            there = world.board.placement(proposal.true)
            self.watch.adjudicated += 1
            if _misses(self.goal, judge(OpenUnits, there, self.profile), world, there):
                return True
        return False

    def _learn(self, answer: Mapping[str, Order]) -> None:
        """From now on, propose only what reaches the goal against this answer."""
        board = self.proposals.against(answer)
        world = board.under(self.profile)
        board.gates.require(world.rails.possibly(self.goal.term(world)))
        self.worlds.append(world)

    def _orders(self, proposal: Proposal) -> dict[str, Order]:
        """The orders of the power's units."""
        own = {unit.location for unit in proposal.position.units if unit.power == self.power}
        given = {at: one.order for at, one in self.given.items() if at in own}
        return {**given, **proposal.orders}

    def _answer(self, proposal: Proposal) -> Mapping[str, Order] | None:
        """Orders of the other units with which the goal is missed."""
        ordered = {**{at: one.order for at, one in self.given.items()}, **proposal.orders}
        if not self.answering:
            there = Placement(proposal.position, ordered, (), proposal.true)
            return None if self.goal.holds(judge(OpenUnits, there, self.profile)) else {}
        position, watch = proposal.position, Watch(budget=self.watch.budget)
        standing = (unit for unit in position.units if unit.location in ordered)
        given = grouped((unit.power, ordered[unit.location]) for unit in standing)
        asked = ask_about(position, (self.profile,), given, None, watch, self.solver)
        self.watch.tell(f"answers to proposal {len(self.worlds)}")
        found = _Guarantee(asked, self.goal, self.power).answer({})
        self.watch.adjudicated += watch.adjudicated
        return found

    def _simplest(self, proposal: Proposal) -> Proposal:
        """The same with as many units that hold as can be proven to suffice in the time left."""
        units = (unit for unit in proposal.position.units if unit.location in proposal.orders)
        holds = {unit.location: Hold(unit.name) for unit in units}

        def wanted(tried: Orders) -> tuple[()] | None:
            return () if self._answer(replace(proposal, orders=tried)) is None else None

        orders, _ = with_idle(Found(proposal.orders, ()), holds, wanted)
        return replace(proposal, orders=orders)


def _misses(goal: Goal, judged: Judged, rules: RuledSystem[_A], answer: _A) -> bool:
    """Whether orders miss the goal; then the solver learns from their cycles."""
    if not goal.holds(judged) and isinstance(judged, MovementOutcome):
        learn(rules, answer, judged)
    return not goal.holds(judged)


def _refuse(asked: UnitsAnywhere, goal: Goal, power: str) -> None:
    (profile,) = asked.profiles
    refuse_goal(goal.text, goal.expression, profile)
    if profile.settings.support_coast not in ("optional", "ignored"):
        raise QuestionError(
            f"the rules {profile.name!r} read the coasts in supports (4.B.4), which no guarantee "
            "for units anywhere can; ask about a position"
        )
    for other, units in asked.position.units.items():
        if other != power and not all(isinstance(one, Unit) for one in units):
            whose = "of any power" if other == ANY else f"of {titled(other)}"
            raise QuestionError(
                f"units {whose} may stand anywhere; state where they stand, because only units of "
                f"{titled(power)}, for which the guarantee is, are placed. `dipsat search hold` "
                "and `dipsat search lines` prove that orders keep an enemy out wherever his units "
                "stand"
            )
    is_open = any(not isinstance(u, Unit) for own in asked.position.units.values() for u in own)
    if is_open and power not in asked.position.units:
        raise QuestionError(f"{power} has no unit on the board")
