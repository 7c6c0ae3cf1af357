"""Where units have to stand, and what they have to do, so that a goal is reached whatever the units
of other powers are ordered.

Places and orders are proposed together that reach the goal against every answer found so far; then
the units of the others are asked for an answer, in that position. An answer is orders, which mean
something in every position, so each one leaves fewer proposals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dipsat.errors import QuestionError
from dipsat.game.open_position import ANY
from dipsat.game.position import Position, Unit
from dipsat.limits import ExhaustedError
from dipsat.openorders.cycle_lemmas import learn
from dipsat.openunits.board import Placement, UnitRules
from dipsat.openunits.expressible import refuse_goal
from dipsat.openunits.given import HOLD, Given
from dipsat.openunits.places import named_provinces
from dipsat.openunits.proposals import Proposal, Proposals
from dipsat.orders.order import Hold, Order
from dipsat.proof.movement import MovementOutcome
from dipsat.searches.anywhere import UnitsAnywhere, judge_placement
from dipsat.searches.goal import Goal
from dipsat.searches.guarantee import find_answer
from dipsat.searches.problem import ask_about
from dipsat.searches.watch import Watch
from dipsat.tables import counted
from dipsat.titles import titled


@dataclass(frozen=True, slots=True)
class Guaranteed:
    """Where all units stand, and the orders of the power's units, by location."""

    position: Position
    orders: Mapping[str, Order]


def guarantee_anywhere(asked: UnitsAnywhere, goal: Goal, power: str) -> Guaranteed | None:
    """Places of the power's units and orders that reach the goal whatever the others are ordered;
    None if it is proven that there are none. Raises `QuestionError` if other units than those of
    the power may stand anywhere."""
    return _GuaranteeAnywhere(asked, goal, power).find()


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

    def find(self) -> Guaranteed | None:
        self._learn(self.answering)
        while (proposal := self._proposal()) is not None:
            answer = self._answer(proposal)
            if answer is None:
                return Guaranteed(proposal.position, self._orders(self._simplest(proposal)))
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
        """Whether the goal is missed against an answer already known."""
        for world in self.worlds:
            there = world.board.placement(proposal.true)
            judged = judge_placement(there, self.profile)
            self.watch.adjudicated += 1
            if not self.goal.holds(judged):
                if isinstance(judged, MovementOutcome):
                    learn(world, there, judged)
                return True
        return False

    def _learn(self, answer: Mapping[str, Order]) -> None:
        """From now on, propose only what reaches the goal against this answer."""
        board = self.proposals.against(answer)
        world = board.under(self.profile)
        phase = world.system.phase
        places = named_provinces(phase, board.slots, board.guards)
        board.gates.require(world.rails.possibly(self.goal.term(phase, places)))
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
            return None if self.goal.holds(judge_placement(there, self.profile)) else {}
        given: dict[str, list[Order]] = {}
        for unit in proposal.position.units:
            if unit.location in ordered:
                given.setdefault(unit.power, []).append(ordered[unit.location])
        watch = Watch(budget=self.watch.budget)
        position = proposal.position
        asked = ask_about(position, (self.profile,), given, None, watch, self.solver)
        self.watch.tell(f"answers to proposal {len(self.worlds)}")
        found = find_answer(asked, self.goal, self.power)
        self.watch.adjudicated += watch.adjudicated
        return found

    def _simplest(self, proposal: Proposal) -> Proposal:
        """The same with as many units that hold as can be proven to suffice in the time left."""
        try:
            for unit in proposal.position.units:
                hold = Hold(unit.name)
                if proposal.orders.get(unit.location, hold) != hold:
                    tried = replace(proposal, orders={**proposal.orders, unit.location: hold})
                    if self._answer(tried) is None:
                        proposal = tried
        except (ExhaustedError, KeyboardInterrupt):
            pass  # what was found so far is proven
        return proposal


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
