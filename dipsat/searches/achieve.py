"""Whether there are orders that reach a goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dipsat.errors.arguments import checked_fields
from dipsat.openunits.board import Placement
from dipsat.openunits.expressible import refuse_goal
from dipsat.openunits.places import named_provinces
from dipsat.searches.anywhere import (
    CYCLIC,
    QUIET,
    UnitsAnywhere,
    judge_placement,
    simplest_placement,
)
from dipsat.searches.cegar import (
    Confirmed,
    Facts,
    Judged,
    find_accepted,
    find_quiet_first,
    simplest,
)
from dipsat.searches.goal import GOAL, read_goal
from dipsat.searches.problem import SearchProblem
from dipsat.searches.question import Question
from dipsat.values import brief


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Achieve(Question):
    """Whether orders reach a goal."""

    _command = "achieve"
    _in_short = "which orders reach a goal?"
    _found = "Orders that reach {goal}"
    _impossible = "none of {sets} reaches {goal}"
    _impossible_anywhere = "no position of {units} on this map, {ordered}, reaches {goal}"
    _opens_for_power = True

    goal: str = field(metadata=GOAL)
    """The goal, in the words of docs/search.md."""

    def _find(self, asked: SearchProblem) -> Confirmed[Facts] | None:
        """Find orders that reach a goal, such as "enters(MUN) and not dislodged(BUR)".

        \b
        Examples:
          dipsat search achieve board.yaml "owner(SER, AUSTRIA)" --for Austria
          dipsat search achieve board.yaml "dislodged(VEN)" --smallest
        """
        (profile,) = asked.profiles
        goal = read_goal(self.goal, profile, asked.position.map)
        board = asked.board()
        rules = board.under(profile)
        reached = rules.rails.possibly(goal.term(rules.open.phase))

        def accept(judged: Sequence[Judged]) -> Facts | None:
            return () if goal.holds(judged[0]) else None

        found = find_quiet_first(board, [rules], [reached], accept, asked.watch)
        return found and simplest(asked, found, accept)

    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
        """Units and orders that reach the goal."""
        (profile,) = asked.profiles
        goal = read_goal(self.goal, profile, asked.map)
        refuse_goal(goal.text, goal.expression, profile)
        board = asked.board(goal.powers)
        board.put_in_order()
        rules = board.under(profile)
        places = named_provinces(rules.system.phase, board.slots, board.guards)
        reached = rules.rails.possibly(goal.term(rules.system.phase, places))

        def accept(judged: Sequence[Judged]) -> Facts | None:
            return () if goal.holds(judged[0]) else None

        # Cycles that a lemma settles are not open, so the second question is about all orders.
        for also, what in (((-rules.any_open,), (QUIET, CYCLIC)), ((), (CYCLIC, ""))):
            claims = [reached, *also]
            found = find_accepted(
                board, [rules], judge_placement, claims, accept, asked.watch, what
            )
            if found is not None:
                return simplest_placement(asked, *found, accept)
        return None
