"""Asking the solver and the adjudicator in turns, until they agree.

The clauses allow at least what can happen. Orders that the solver finds are adjudicated; if they
are not what was wanted, their decision cycles are learned from, and the solver is asked again. When
it finds nothing more, there is nothing to find.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from dipsat.errors import UnresolvedError
from dipsat.game.position import Position
from dipsat.orders.order import Hold, Order
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.movement import MovementOutcome
from dipsat.questions.lessons import learn
from dipsat.questions.open_orders import OpenOrders, OpenRules

_T = TypeVar("_T")
Progress = Callable[[str], None]
Judged = MovementOutcome | UnresolvedError
"""What the adjudicator says of orders: their outcome, or that the profile has no rule for them."""
Accept = Callable[[Sequence[Judged]], _T | None]
"""What is wanted of the outcomes of some orders, None if they are not what is wanted."""


@dataclass
class Effort:
    """How long a search may go on, whom to tell, how many order sets it has adjudicated, what it is
    doing, and orders that may turn out to be the answer."""

    deadline: float | None = None
    progress: Progress = lambda _: None
    adjudicated: int = field(default=0, init=False)
    doing: str = field(default="", init=False)
    candidate: Mapping[str, Order] | None = field(default=None, init=False)

    def tell(self, what: str) -> None:
        """Say what is being tried."""
        self.doing = what
        self.progress(f"{what}; {self.adjudicated} order sets adjudicated")

    def check(self) -> None:
        """Raise `TimeoutError` if the time is over."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise TimeoutError


@dataclass(frozen=True, slots=True)
class Confirmed(Generic[_T]):
    """Orders by location, and what was wanted of them."""

    orders: Mapping[str, Order]
    wanted: _T


def judge(position: Position, orders: Mapping[str, Order], profile: Profile) -> Judged:
    """What the adjudicator says of an order for every unit, by location."""
    given: dict[str, list[Order]] = {}
    for unit in position.units:
        given.setdefault(unit.power, []).append(orders[unit.location])
    try:
        outcome = adjudicate(position, given, profile)
    except UnresolvedError as error:
        return error
    assert isinstance(outcome, MovementOutcome)
    return outcome


def find_confirmed(
    board: OpenOrders,
    systems: Sequence[OpenRules],
    claims: Iterable[int],
    accept: Accept[_T],
    effort: Effort,
    what: str,
) -> Confirmed[_T] | None:
    """Orders for which the `claims` can hold and whose outcomes, one for each of `systems`, are
    accepted; None if it is proven that there are none. `what` says what is being tried.

    Raises `TimeoutError` if the time is over.
    """
    claims = tuple(claims)
    while True:
        effort.tell(what)
        switches = (switch for rules in systems for switch in rules.rails.assumptions)
        answer = board.find((*switches, *claims), effort.deadline)
        if answer is None:
            return None
        outcomes = [judge(board.position, answer.orders, rules.profile) for rules in systems]
        effort.adjudicated += 1
        wanted = accept(outcomes)
        if wanted is not None:
            return Confirmed(answer.orders, wanted)
        for rules, outcome in zip(systems, outcomes, strict=True):
            if isinstance(outcome, MovementOutcome):
                learn(rules, answer.orders, outcome)
        board.forbid(answer.orders)
        effort.check()


def simplest(
    board: OpenOrders, profiles: Sequence[Profile], found: Confirmed[_T], accept: Accept[_T]
) -> Confirmed[_T]:
    """The same with as many of the open orders as possible, tried one by one, replaced by hold."""
    orders, wanted = dict(found.orders), found.wanted
    for unit in board.position.units:
        hold = Hold(unit.name)
        if len(board.choices[unit.location]) == 1 or orders[unit.location] == hold:
            continue
        tried = {**orders, unit.location: hold}
        accepted = accept([judge(board.position, tried, profile) for profile in profiles])
        if accepted is not None:
            orders, wanted = tried, accepted
    return Confirmed(orders, wanted)
