"""Goals that orders should reach, and whether any orders reach a given one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dipsat.base import Node, brief, checked_fields
from dipsat.board import Map
from dipsat.equations import MAX_OPEN_STEPS, Grounder, Key, Phase, Term, is_single
from dipsat.errors import ProfileError, UnresolvedError
from dipsat.game import Position, PositionFacts, ProvinceFacts
from dipsat.outcomes import MovementOutcome
from dipsat.rules import (
    POWER,
    PROVINCE,
    UNIT,
    Expression,
    Profile,
    Variable,
    asks_for_places,
    goal_expression,
    parts_of_all,
    rings,
    set_of,
    words_for_places,
    words_of_orders,
)
from dipsat.searches.cegar import Confirmed, Facts, Judged, find_quiet_first, simplest
from dipsat.searches.open_board import Placement
from dipsat.searches.open_orders import SearchProblem
from dipsat.searches.open_places import UnitsAnywhere, simplest_placement
from dipsat.searches.open_unit_facts import refuse_goal
from dipsat.searches.question import Question
from dipsat.searches.ruled_system import RuledSystem
from dipsat.searches.unit_slots import put_in_order

# --- goals ----------------------------------------------------------------------------------------

_SHOWN = "goal"
GOAL = {"meaning": "the goal.", "wanted": "a goal, such as 'enters(MUN)'"}
"""How requests state a goal."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A truth value about a phase under a profile. Made by `read_goal`."""

    text: str
    profile: Profile
    expression: Expression
    board: Map

    def term(self, rules: RuledSystem[Any]) -> Term:
        """The goal as a term over a phase with something open."""
        phase = rules.system.phase
        grounder = Grounder(self.profile, phase, most=MAX_OPEN_STEPS)
        grounder.entry = _SHOWN
        return grounder.term(self.expression, _scope(phase, rules.named))

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers that the goal names."""
        parts = parts_of_all([self.expression])
        named = (one.name for one in parts if isinstance(one, Variable) and one.type == POWER)
        return tuple(dict.fromkeys(name for name in named if name in self.board.powers))

    def holds(self, outcome: MovementOutcome | UnresolvedError) -> bool:
        """Whether an outcome reaches the goal. One that the rules leave unresolved reaches none."""
        if not isinstance(outcome, MovementOutcome):
            return False
        phase, bounds = outcome.facts, outcome.solution.bounds
        quiet = tuple(_quiet(phase, outcome.position))

        def known(key: Key) -> tuple[int, int]:
            number = key[1] - len(phase.provinces)
            decision = self.profile.decisions[key[0]]
            if (
                decision.indices[0].type != PROVINCE
                or number < 0
                or not is_single(decision.indices)
            ):
                return bounds.interval(key)
            scope = {decision.indices[0].name: quiet[number]}
            value = int(Grounder(self.profile, phase).term(decision.equation, scope))  # type: ignore[arg-type]  # nothing there is unknown
            return value, value

        return (
            Grounder(self.profile, phase, known).term(
                self.expression, _scope(phase, (*phase.provinces, *quiet))
            )
            is True
        )

    def accept(self, judged: Sequence[Judged]) -> Facts | None:
        """No special facts if the first outcome reaches the goal; else None."""
        return () if self.holds(judged[0]) else None


def read_goal(text: str, profile: Profile, board: Map) -> Goal:
    """The goal that a text states. Raises `ProfileError` with the line and column of an error."""
    node = Node(_SHOWN, 1, 1, text, text)
    expression = goal_expression(profile, node, _names(board))
    if not asks_for_places(profile):  # otherwise a phase has facts about all provinces
        for word in words_for_places([expression]):
            hint = "; use provinces" if word == str(PROVINCE) else ""
            node.fail(f"a goal cannot use {word}{hint}", ProfileError)
    for word in (*words_of_orders([expression]), *rings([expression])):
        node.fail(f"a goal cannot use {word}, which has no meaning for open orders", ProfileError)
    return Goal(text, profile, expression, board)


def _names(board: Map) -> Iterator[Variable]:
    for code in board.provinces:
        yield Variable(code, PROVINCE)
    for power in board.powers:
        yield Variable(power, POWER)
    yield Variable("provinces", set_of(PROVINCE))
    yield Variable("units", set_of(UNIT))


def _scope(phase: Phase, provinces: Sequence[ProvinceFacts]) -> Mapping[str, Any]:
    places = {place.code: place for place in provinces}
    powers = {power: power for power in phase.map.powers}
    return {**places, **powers, "provinces": provinces, "units": phase.units}


def _quiet(phase: Phase, position: Position) -> Iterator[ProvinceFacts]:
    """The provinces in which nothing happens, which a phase has no facts about."""
    known, around = {place.code for place in phase.provinces}, PositionFacts(position)
    number = len(phase.provinces)
    for code in phase.map.provinces:
        if code not in known:
            yield ProvinceFacts(number, code, around)
            number += 1


# --- the question ---------------------------------------------------------------------------------


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
        goal = read_goal(self.goal, asked.profiles[0], asked.position.map)
        board = asked.board()
        rules = board.under(goal.profile)
        reached = [rules.rails.possibly(goal.term(rules))]
        found = find_quiet_first(board, [rules], reached, goal.accept, asked.watch)
        return found and simplest(asked, found, goal.accept)

    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
        """Units and orders that reach the goal."""
        goal = read_goal(self.goal, asked.profiles[0], asked.map)
        refuse_goal(goal.text, goal.expression, goal.profile)
        board = asked.board(goal.powers)
        put_in_order(board.slots)
        rules = board.under(goal.profile)
        reached = [rules.rails.possibly(goal.term(rules))]
        found = find_quiet_first(board, [rules], reached, goal.accept, asked.watch)
        return found and simplest_placement(asked, found, goal.accept)
