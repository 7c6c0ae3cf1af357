"""The questions about open orders, and `search`, which answers them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, overload

from dipsat.errors import QuestionError
from dipsat.game.open_position import OpenPosition
from dipsat.game.order_sets import PowerOrders
from dipsat.game.position import Position
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running
from dipsat.lines.find import find_lines
from dipsat.lines.found import LinesResult
from dipsat.lines.question import Lines
from dipsat.orders.order import DeclaredOrder, Order
from dipsat.orders.writer import write_order
from dipsat.profiles.load import DEFAULT_RULES
from dipsat.searches.answer import (
    FOUND,
    IMPOSSIBLE,
    UNKNOWN,
    Achieve,
    Differ,
    Guarantee,
    Paradox,
    Question,
    Rules,
    SearchResult,
)
from dipsat.searches.cegar import Confirmed, Judged, find_quiet_first, simplest
from dipsat.searches.differ import find_difference
from dipsat.searches.goal import Goal, read_goal
from dipsat.searches.guarantee import find_guarantee
from dipsat.searches.paradox import check_kind, find_paradox
from dipsat.searches.problem import SearchProblem, ask_about, profiles_of, refuse_neutral
from dipsat.searches.smallest import answered_anywhere
from dipsat.searches.watch import Watch
from dipsat.solving.budget import INTERRUPTED, Progress
from dipsat.solving.sat import AUTO


@overload
def search(
    position: Position | OpenPosition,
    question: Question,
    orders: Mapping[str, PowerOrders] | None = None,
    *,
    open: str | Iterable[str] | None = None,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult: ...


@overload
def search(
    position: Lines,
    *,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> LinesResult: ...


def search(
    position: Position | OpenPosition | Lines,
    question: Question | None = None,
    orders: Mapping[str, PowerOrders] | None = None,
    *,
    open: str | Iterable[str] | None = None,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult | LinesResult:
    """Ask a question about all orders that open units can be given; or, with `Lines` alone, find
    the lines with the fewest units.

    In an `OpenPosition` it is open where units stand, and these may be ordered anything; then
    the question is whether a position and orders have a paradox or a difference, or reach a goal.
    For a `Guarantee` only units of its power may stand anywhere.

    Units in `orders` (as in `adjudicate`) keep their orders. All other units are open, or only
    those that `open` names: units, powers with all their units, or `"all"`. `limits` bound the
    search; without them there is no limit. `progress` is called with a description of each step. An
    interrupt from the keyboard ends the search with the verdict `unknown`. `solver` is one of
    `dipsat.SOLVERS`; solvers may find different orders, but agree on what is possible.

    Raises `QuestionError` for a question that cannot be asked, `OrderFaultError` for an order that
    cannot be given beside units that may stand anywhere (`ProblemsError` for several),
    `ProfileError` for a fault in a goal, `SolverError` for a solver that does not exist or is not
    installed, and the errors of `adjudicate`; for lines, those of `load_map` and of the readers of
    units and orders.
    """
    if isinstance(position, Lines):
        if question is not None or orders is not None or open is not None:
            raise QuestionError("lines have no position: pass only `Lines`, without orders")
        return find_lines(position, rules=rules, limits=limits, progress=progress, solver=solver)
    if question is None:
        raise QuestionError("pass a question besides the position, such as `dipsat.Paradox()`")
    with running(limits):
        profiles = profiles_of(question, rules)
        watch = Watch(progress or (lambda _: None))
        if isinstance(position, OpenPosition):
            return answered_anywhere(position, question, profiles, watch, solver, orders, open)
        return _answered(ask_about(position, profiles, orders or {}, open, watch, solver), question)


def _answered(asked: SearchProblem, question: Question) -> SearchResult:
    try:
        found = _found(asked, question)
    except (ExhaustedError, KeyboardInterrupt) as end:
        return _unknown(asked, question, str(end) or INTERRUPTED)
    if found is None:
        return _result(asked, question, IMPOSSIBLE, {})
    facts = found.wanted if isinstance(found.wanted, tuple) else ()
    return _result(asked, question, FOUND, found.orders, facts)


def _found(asked: SearchProblem, question: Question) -> Confirmed[Any] | None:
    """The answer, None if there is none. Raises the errors in the question."""
    profile, board = asked.profiles[0], asked.position.map
    match question:
        case Paradox(kind=kind):
            check_kind(profile, kind)
            return find_paradox(asked, kind)
        case Differ():
            return find_difference(asked)
        case Achieve(goal=text):
            return _find_achievement(asked, read_goal(text, profile, board))
        case Guarantee(goal=text, power=typed):
            goal = read_goal(text, profile, board)
            power = board.names.power(typed)
            refuse_neutral(board, power)
            if not any(unit.power == power for unit in asked.position.units):
                raise QuestionError(f"{power} has no unit on the board")
            return find_guarantee(asked, goal, power)


def _find_achievement(asked: SearchProblem, goal: Goal) -> Confirmed[bool] | None:
    """Orders of the open units that reach the goal; None if it is proven that there are none."""
    (profile,) = asked.profiles
    board = asked.board()
    rules = board.under(profile)
    reached = rules.rails.possibly(goal.term(rules.open.phase))

    def accept(judged: Sequence[Judged]) -> bool | None:
        (outcome,) = judged
        return goal.holds(outcome) or None

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
        _asked=(asked.position, asked.profiles),
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
        reason = asked.watch.ended(reason)
    return _result(asked, question, UNKNOWN, candidate or {}, (), reason)
