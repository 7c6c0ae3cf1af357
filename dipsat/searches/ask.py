"""The questions about open orders, and `search`, which answers them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import overload

from dipsat.errors import QuestionError
from dipsat.game.open_position import OpenPosition
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running
from dipsat.lines.find import find_lines
from dipsat.lines.found import LinesResult
from dipsat.lines.question import Lines
from dipsat.profiles.load import DEFAULT_RULES
from dipsat.searches.answer import FOUND, IMPOSSIBLE, UNKNOWN, SearchResult, texts_of
from dipsat.searches.cegar import Confirmed
from dipsat.searches.problem import SearchProblem, ask_about
from dipsat.searches.question import Question, Rules, profiles_of
from dipsat.searches.smallest import answered_anywhere, search_smallest
from dipsat.searches.watch import Watch
from dipsat.solving.budget import Progress
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
    reason = ""
    try:
        found = question._find(asked)
    except (ExhaustedError, KeyboardInterrupt) as end:
        reason = asked.watch.ended(end)
        found = Confirmed(asked.watch.candidate or {}, ())
    verdict = UNKNOWN if reason else IMPOSSIBLE if found is None else FOUND
    return SearchResult(
        question,
        tuple(profile.name for profile in asked.profiles),
        verdict,
        {} if found is None else texts_of(asked.position, found.orders, question._own_power),
        tuple(str(unit) for unit in asked.open_units),
        () if found is None else found.wanted,
        reason,
        prod(len(listed) for listed in asked.choices.values()),
        asked.watch.adjudicated,
        tuple(asked.besides),
        _asked=(asked.position, asked.profiles),
    )


@dataclass(frozen=True, slots=True)
class Posed:
    """A board that a question is about, as a command or a request poses it. `open` names the open
    units and powers, and is None for all units without an order. Of the units that stand somewhere
    for certain, only those of `power` are open, whatever `open` names. With `most`, so many units
    may join, of `power` or of any."""

    position: Position | OpenPosition
    orders: Mapping[str, PowerOrders]
    rules: Rules
    open: tuple[str, ...] | None = None
    power: str | None = None
    most: int | None = None

    def answer(
        self,
        question: Question,
        limits: Limits,
        solver: str,
        progress: Progress | None = None,
    ) -> SearchResult:
        """The answer to a question. Raises the errors of `search` and `search_smallest`."""
        if self.most is None:
            return search(
                self.position, question, self.orders, open=self._open(), rules=self.rules,
                limits=limits, progress=progress, solver=solver,
            )  # fmt: skip
        return search_smallest(
            question, beside=self.position, orders=self.orders, open=self._open(),
            power=self.power, most=self.most, rules=self.rules, limits=limits, progress=progress,
            solver=solver,
        )  # fmt: skip

    def _open(self) -> tuple[str, ...] | None:
        """What is open. Units that join or may stand anywhere are open in any case, so then the
        power needs no other unit."""
        if self.power is None:
            return self.open
        power = self.position.map.names.power(self.power)
        position = self.position
        if isinstance(position, Position) and self.most is None:
            return (power,)
        known = position if isinstance(position, Position) else position.known
        return (power,) if any(unit.power == power for unit in known.units) else ()
