"""The questions about open orders, and `search`, which answers them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.brief import brief
from dipsat.errors import QuestionError
from dipsat.errors.arguments import checked_fields
from dipsat.game.order_sets import PowerOrders
from dipsat.game.position import Position
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running
from dipsat.orders.order import DeclaredOrder, Order
from dipsat.orders.writer import write_order
from dipsat.plain import fields_of
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.movement import MovementOutcome
from dipsat.searches.cegar import Confirmed, Judged, find_quiet_first, simplest
from dipsat.searches.differ import find_difference
from dipsat.searches.goal import Goal, read_goal
from dipsat.searches.guarantee import find_guarantee
from dipsat.searches.paradox import check_kind, find_paradox
from dipsat.searches.problem import SearchProblem, ask_about
from dipsat.searches.watch import Progress, Watch
from dipsat.solving.budget import INTERRUPTED, budget_of
from dipsat.solving.sat import AUTO

FOUND, IMPOSSIBLE, UNKNOWN = "found", "impossible", "unknown"

Rules: TypeAlias = str | Path | Profile


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Paradox:
    """Whether orders cause a decision cycle: decisions with no or several resolutions."""

    kind: str | None = None
    """`none` or `several` for a cycle with no or several resolutions, or the name of the cycle rule
    that settles it; None for any cycle."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Differ:
    """Whether the same orders can lead to different boards under two rule profiles."""

    other: Rules
    """The second profile: a name, a path or a loaded profile."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Achieve:
    """Whether orders reach a goal."""

    goal: str
    """The goal, in the words of docs/search.md."""


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Guarantee:
    """Whether a power has orders that reach a goal, whatever the other open units are ordered."""

    goal: str
    """The goal, in the words of docs/search.md."""
    power: str
    """The power."""


Question: TypeAlias = Paradox | Differ | Achieve | Guarantee
"""A question about all orders that open units can be given."""


@brief()
@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a question. Made by `dipsat.search`."""

    question: Question
    """The question."""
    rules: tuple[str, ...]
    """The names of the profiles that the question is about."""
    verdict: str
    """`found`, `impossible` (proven) or `unknown`."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders: those found, confirmed by the adjudicator; for a guarantee, only the
    orders of its power."""
    open_units: tuple[str, ...] = ()
    """The units that could be given any order."""
    facts: tuple[str, ...] = ()
    """What is special about the orders: the kinds of the decision cycles, or how the boards
    differ."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""
    order_sets: int = 0
    """The number of order sets that the open units can be given."""
    adjudicated: int = 0
    """The number of order sets that were adjudicated."""
    open_besides: tuple[str, ...] = ()
    """The open orders that powers can give besides the orders of their units, such as `BRITAIN SC F
    MED - RED`."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search --json` prints them."""
        found = fields_of(self, "question", open_units="open")
        return {"verdict": self.verdict, **found}


def search(
    position: Position,
    question: Question,
    orders: Mapping[str, PowerOrders] | None = None,
    *,
    open: str | Iterable[str] | None = None,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult:
    """Ask a question about all orders that open units can be given.

    Units in `orders` (as in `adjudicate`) keep their orders. All other units are open, or only
    those that `open` names: units, powers with all their units, or `"all"`. `limits` bound the
    search; without them there is no limit. `progress` is called with a description of each step. An
    interrupt from the keyboard ends the search with the verdict `unknown`. `solver` is one of
    `dipsat.SOLVERS`; solvers may find different orders, but agree on what is possible.

    Raises `QuestionError` for a question that cannot be asked, `ProfileError` for a fault in a
    goal, `SolverError` for a solver that does not exist or is not installed, and the errors of
    `adjudicate`.
    """
    with running(limits) as now:
        profiles = [load_profile(rules, limits=now)]
        if isinstance(question, Differ):
            profiles.append(load_profile(question.other, limits=now))
        watch = Watch(budget_of(now), progress or (lambda _: None))
        return _answered(ask_about(position, profiles, orders or {}, open, watch, solver), question)


def _answered(asked: SearchProblem, question: Question) -> SearchResult:
    find = _finder(asked, question)
    try:
        found = find()
    except ExhaustedError as spent:
        return _unknown(asked, question, str(spent))
    except KeyboardInterrupt:
        return _unknown(asked, question, INTERRUPTED)
    if found is None:
        return _result(asked, question, IMPOSSIBLE, {})
    facts = found.wanted if isinstance(found.wanted, tuple) else ()
    return _result(asked, question, FOUND, found.orders, facts)


def _finder(asked: SearchProblem, question: Question) -> Callable[[], Confirmed[Any] | None]:
    """The search for an answer. Raises the errors in the question before it begins."""
    profile, board = asked.profiles[0], asked.position.map
    match question:
        case Paradox(kind=kind):
            check_kind(profile, kind)
            return lambda: find_paradox(asked, kind)
        case Differ():
            return lambda: find_difference(asked)
        case Achieve(goal=text):
            goal = read_goal(text, profile, board)
            return lambda: _find_achievement(asked, goal)
        case Guarantee(goal=text, power=typed):
            goal = read_goal(text, profile, board)
            power = board.names.power(typed)
            if not any(unit.power == power for unit in asked.position.units):
                raise QuestionError(f"{power} has no unit on the board")
            return lambda: find_guarantee(asked, goal, power)


def _find_achievement(asked: SearchProblem, goal: Goal) -> Confirmed[bool] | None:
    """Orders of the open units that reach the goal; None if it is proven that there are none."""
    (profile,) = asked.profiles
    board = asked.board()
    rules = board.under(profile)
    reached = rules.rails.possibly(goal.term(rules.open.phase))

    def accept(judged: Sequence[Judged]) -> bool | None:
        (outcome,) = judged
        return (isinstance(outcome, MovementOutcome) and goal.holds(outcome)) or None

    found = find_quiet_first(board, [rules], [reached], accept, asked.watch)
    return found and simplest(asked, found, accept)


def _result(
    asked: SearchProblem,
    question: Question,
    verdict: str,
    orders: Mapping[str, Order],
    facts: tuple[str, ...] = (),
    reason: str = "",
) -> SearchResult:
    return SearchResult(
        question,
        tuple(profile.name for profile in asked.profiles),
        verdict,
        _texts(asked, question, orders),
        tuple(str(unit) for unit in asked.open_units),
        facts,
        reason,
        prod(len(listed) for listed in asked.choices.values()),
        asked.watch.adjudicated,
        tuple(asked.besides),
    )


def _texts(
    asked: SearchProblem, question: Question, orders: Mapping[str, Order]
) -> Mapping[str, tuple[str, ...]]:
    """Orders by power; for a guarantee, only those of its power."""
    board, found = asked.position.map, dict[str, tuple[str, ...]]()
    only = board.names.power(question.power) if isinstance(question, Guarantee) else None
    for unit in asked.position.units:
        if unit.location in orders and only in (None, unit.power):
            text = write_order(orders[unit.location], board)
            found[unit.power] = (*found.get(unit.power, ()), text)
    for order in orders.values():
        if isinstance(order, DeclaredOrder) and order.unit.power and not order.unit.location:
            power = order.unit.power
            if only in (None, power):
                found[power] = (*found.get(power, ()), order.text)
    return dict(sorted(found.items()))


def _unknown(asked: SearchProblem, question: Question, reason: str) -> SearchResult:
    candidate = asked.watch.candidate
    if candidate is not None:
        reason += "; no answer to these orders was found so far"
    elif asked.watch.doing:
        reason += f" for {asked.watch.doing}"
    return _result(asked, question, UNKNOWN, candidate or {}, (), reason)
