"""Asking the solver and the adjudicator in turn, until they agree.

The clauses allow everything that can happen, and perhaps more. Orders that the solver finds are
adjudicated. If they do not have the wanted result, lemmas about their decision cycles are added,
and the solver is asked again. When the solver finds nothing more, there is no answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Generic, NamedTuple, Protocol, TypeVar

from dipsat.base import ExhaustedError, grouped, unlimited
from dipsat.board import province_of
from dipsat.errors import UnresolvedError
from dipsat.game import Position
from dipsat.orders import Convoy, DeclaredOrder, Move, Order, SupportMove
from dipsat.outcomes import MovementOutcome, adjudicate
from dipsat.rules import Profile
from dipsat.searches.open_orders import SearchProblem, Watch
from dipsat.searches.ruled_system import RuledSystem, learn

_T = TypeVar("_T")
_A = TypeVar("_A")
_Read = TypeVar("_Read", contravariant=True)
Facts = tuple[str, ...]
"""The special features of orders that were found."""
Judged = MovementOutcome | UnresolvedError
"""The adjudicator's answer to orders: their outcome, or that no cycle rule settles them."""
QUIET, CYCLIC = "orders without a decision cycle", "orders with a decision cycle"
_PATIENCE = 20  # order sets of the solver that turned out not to be answers
Accept = Callable[[Sequence[Judged]], _T | None]
"""Returns the wanted result from the outcomes of some orders; None if they do not have it."""


class Found(NamedTuple, Generic[_A, _T]):
    """A solver's answer, and the wanted result of its outcomes."""

    orders: _A
    wanted: _T


Orders = Mapping[str, Order]
"""Orders by location; orders of powers by key."""
Confirmed = Found[Orders, _T]
"""Orders that the adjudicator confirms."""


class Reader(Protocol[_Read]):
    """Reads a solver's answers as profiles do."""

    def as_read(self, answer: _Read, profile: Profile, /) -> tuple[Position, Orders]:
        """The units of an answer, and each unit's order as a profile reads it."""


def judge(reader: Reader[_A], answer: _A, profile: Profile) -> Judged:
    """Adjudicate an answer under a profile."""
    position, orders = reader.as_read(answer, profile)
    own = {unit.location: unit.power for unit in position.units}
    given = [(power, orders[at]) for at, power in own.items()]
    besides = (order for at, order in orders.items() if at not in own)
    given += [(one.unit.power or "", one) for one in besides if isinstance(one, DeclaredOrder)]
    try:
        with unlimited():
            outcome = adjudicate(position, grouped(given), profile)
    except UnresolvedError as error:
        return error
    assert isinstance(outcome, MovementOutcome)
    return outcome


class Board(Reader[_A], Protocol[_A]):
    """The open orders or places, as clauses of a solver."""

    def find(self, assumptions: Iterable[int]) -> _A | None:
        """An answer for which the assumptions can hold; None if there is none."""

    def forbid(self, answer: _A) -> None:
        """Forbid this answer from now on."""


def find_confirmed(
    board: Board[_A],
    systems: Sequence[RuledSystem[_A]],
    claims: Iterable[int],
    accept: Accept[_T],
    watch: Watch,
    what: str,
    *,
    also: Sequence[Profile] = (),
    most: int | None = None,
    alike: bool = False,
    left: str = "",
    aside: Callable[[], Found[_A, _T] | None] = lambda: None,
) -> Found[_A, _T] | None:
    """An answer for which the `claims` can hold and whose outcomes, one for each of `systems` and
    for each profile in `also`, are accepted. None if it is proven that there is none, or if none of
    the first `most` found is accepted. `what` describes the attempt, `left` what follows it;
    `alike` is as for `learn`. `aside` is another way to find an answer, tried after some failures.

    Raises `ExhaustedError` if the time is up.
    """
    claims = tuple(claims)
    profiles = [*(rules.profile for rules in systems), *also]
    learning = {id(rules.rails): rules for rules in systems}  # one per system of rails
    for tried in count() if most is None else range(most):
        if tried == _PATIENCE and (other := aside()) is not None:
            return other
        watch.tell(what, left)
        switches = (switch for rules in systems for switch in rules.rails.assumptions)
        answer = board.find((*switches, *claims))
        if answer is None:
            return None
        outcomes = [judge(board, answer, profile) for profile in profiles]
        watch.adjudicated += 1
        wanted = accept(outcomes)
        if wanted is not None:
            return Found(answer, wanted)
        for rules, outcome in zip(systems, outcomes, strict=False):
            if learning[id(rules.rails)] is rules and isinstance(outcome, MovementOutcome):
                learn(rules, answer, outcome, alike)
        board.forbid(answer)
        watch.budget.spend()
    return None


def find_quiet_first(
    board: Board[_A],
    systems: Sequence[RuledSystem[_A]],
    claims: Sequence[int],
    accept: Accept[_T],
    watch: Watch,
    aside: Callable[[], Found[_A, _T] | None] = lambda: None,
    if_quiet: Sequence[int] = (),
    most: int | None = None,
) -> Found[_A, _T] | None:
    """Like `find_confirmed`, but orders without a decision cycle come first, as they are quicker to
    confirm. For these, the literals `if_quiet` are claimed too. `most` applies to each attempt."""
    quiet = [-rules.any_open for rules in systems]
    # The second attempt does not require an open cycle: lemmas may have settled it by then.
    for also, what, left in (((*quiet, *if_quiet), QUIET, CYCLIC), ((), CYCLIC, "")):
        found = find_confirmed(
            board, systems, [*claims, *also], accept, watch, what, left=left, aside=aside, most=most
        )
        if found is not None:
            return found
    return None


def simplest(asked: SearchProblem, found: Confirmed[_T], accept: Accept[_T]) -> Confirmed[_T]:
    """The same answer, with as many open orders as possible turned into holds or left out."""

    def wanted(orders: Orders) -> _T | None:
        return accept([judge(asked.readings, orders, profile) for profile in asked.profiles])

    return with_idle(found, asked.idle(), wanted)


def with_idle(
    found: Confirmed[_T], idle: Orders, wanted: Callable[[Orders], _T | None]
) -> Confirmed[_T]:
    """The same answer with as many idle orders as possible, tried one by one in the time left."""
    try:
        for key, order in idle.items():
            tried = {**found.orders, key: order}
            if tried != found.orders and (result := wanted(tried)) is not None:
                found = Found(tried, result)
    except (ExhaustedError, KeyboardInterrupt):
        pass  # the answer found so far is confirmed
    return found


# --- orders drawn at random -----------------------------------------------------------------------

# Trying order sets at random. Where many of a solver's proposals come to nothing, this soon finds
# common results. A seeded generator draws the orders, so the same question has the same answer.


_DRAWN = 300  # order sets; most house rules differ on one in fifty of a tense board
_TOGETHER = 0.7  # of the units that could help an order chosen earlier


def find_by_chance(asked: SearchProblem, accept: Accept[_T]) -> Confirmed[_T] | None:
    """Accepted orders among some drawn at random; None proves nothing. Raises `ExhaustedError` if
    the time is up."""
    tried = set[tuple[Order, ...]]()
    for orders in islice(_drawn(asked), _DRAWN):
        if tuple(orders.values()) in tried:  # on small boards, most have been tried
            continue
        tried.add(tuple(orders.values()))
        asked.watch.tell("orders drawn at random", "all orders, one kind after the other")
        asked.watch.budget.spend()
        found = accept([judge(asked.readings, orders, profile) for profile in asked.profiles])
        asked.watch.adjudicated += 1
        if found is not None:
            return Found(orders, found)
    return None


def _drawn(asked: SearchProblem) -> Iterator[Mapping[str, Order]]:
    """Order sets whose supports and convoys mostly match the moves."""
    chance = random.Random(1)
    while True:
        orders: dict[str, Order] = {}
        places = list(asked.choices)
        chance.shuffle(places)
        for at in places:
            choices = asked.choices[at]
            helping = [order for order in choices if _helps(order, orders)]
            if helping and chance.random() < _TOGETHER:
                choices = tuple(helping)
            orders[at] = chance.choice(choices)
        yield {at: orders[at] for at in asked.choices}


def _helps(order: Order, chosen: Mapping[str, Order]) -> bool:
    """Whether an order gives a support or convoy that an order chosen earlier needs."""
    if isinstance(order, SupportMove):
        other, target = order.supported, order.target
    elif isinstance(order, Convoy):
        other, target = order.army, order.target
    else:
        return False
    helped = chosen.get(other.location)
    return isinstance(helped, Move) and province_of(helped.target) == province_of(target)
