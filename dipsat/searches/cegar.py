"""Asking the solver and the adjudicator in turn, until they agree.

The clauses allow everything that can happen, and perhaps more. Orders that the solver finds are
adjudicated; if they are not what was wanted, lemmas about their decision cycles are added, and the
solver is asked again. When the solver finds nothing more, there is no answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, TypeVar

from dipsat.board.province import province_of
from dipsat.errors import UnresolvedError
from dipsat.game.position import Position
from dipsat.limits import unlimited
from dipsat.openorders.encoding import OpenOrders, OpenRules, ProfileReadings
from dipsat.openorders.ruled_system import RuledSystem, learn
from dipsat.orders.order import Convoy, DeclaredOrder, Move, Order, SupportMove
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.movement import MovementOutcome
from dipsat.searches.problem import SearchProblem, Watch
from dipsat.values import grouped

_T = TypeVar("_T")
_A = TypeVar("_A")
Facts = tuple[str, ...]
"""What is special about orders that were found."""
Judged = MovementOutcome | UnresolvedError
"""The adjudicator's answer to orders: their outcome, or that no cycle rule settles them."""
_PATIENCE = 20  # order sets of the solver that were no answer
Accept = Callable[[Sequence[Judged]], _T | None]
"""Returns the wanted result from the outcomes of some orders, None if they do not have it."""


@dataclass(frozen=True, slots=True)
class Confirmed(Generic[_T]):
    """Orders by location, those of powers by key, and the wanted result of their outcomes."""

    orders: Mapping[str, Order]
    wanted: _T


def judge(readings: ProfileReadings, orders: Mapping[str, Order], profile: Profile) -> Judged:
    """Adjudicate an order for every unit, by location, and orders of powers, by key."""
    return judge_read(readings.position, readings.all(profile, orders), profile)


def judge_read(position: Position, orders: Mapping[str, Order], profile: Profile) -> Judged:
    """The same for orders as the profile reads them."""
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


class Board(Protocol[_A]):
    """What is open, as clauses of a solver."""

    def find(self, assumptions: Iterable[int]) -> _A | None:
        """An answer for which the assumptions can hold, None if there is none."""

    def forbid(self, answer: _A) -> None:
        """From now on, do not allow this answer."""


def find_confirmed(
    board: OpenOrders,
    systems: Sequence[OpenRules],
    claims: Iterable[int],
    accept: Accept[_T],
    watch: Watch,
    what: str,
    *,
    also: Sequence[Profile] = (),
    most: int | None = None,
    alike: bool = False,
    left: str = "",
    aside: Callable[[], Confirmed[_T] | None] | None = None,
) -> Confirmed[_T] | None:
    """Orders for which the `claims` can hold and whose outcomes, one for each of `systems` and one
    for each profile in `also`, are accepted. None if it is proven that there are none, or if none
    of the first `most` found is accepted. `what` describes the attempt, `left` what follows it;
    `alike` is as for `learn`. `aside` is another way to find orders, tried after some failures.

    Raises `ExhaustedError` if the time is up.
    """

    def judged(orders: Mapping[str, Order], profile: Profile) -> Judged:
        return judge(board.readings, orders, profile)

    tried_aside: list[Confirmed[_T]] = []

    def stopped(tried: int) -> bool:
        if tried == _PATIENCE and aside is not None and (other := aside()) is not None:
            tried_aside.append(other)
        return bool(tried_aside) or (most is not None and tried >= most)

    found = find_accepted(
        board, systems, judged, claims, accept, watch, (what, left),
        also=also, alike=alike, stopped=stopped,
    )  # fmt: skip
    if tried_aside:
        return tried_aside[0]
    return found and Confirmed(*found)


def find_accepted(
    board: Board[_A],
    systems: Sequence[RuledSystem[_A]],
    judged: Callable[[_A, Profile], Judged],
    claims: Iterable[int],
    accept: Accept[_T],
    watch: Watch,
    what: tuple[str, str],
    *,
    also: Sequence[Profile] = (),
    alike: bool = False,
    stopped: Callable[[int], bool] = lambda _: False,
) -> tuple[_A, _T] | None:
    """The same for any kind of answer, which `judged` adjudicates: the answer and what was wanted
    of it. `stopped` says whether to end after so many answers that were none; `what` has the
    attempt and what follows it.

    Raises `ExhaustedError` if the time is up.
    """
    claims = tuple(claims)
    profiles = [*(rules.profile for rules in systems), *also]
    learning = {id(rules.rails): rules for rules in systems}  # one for each system of rails
    tried = 0
    while not stopped(tried):
        watch.tell(*what)
        switches = (switch for rules in systems for switch in rules.rails.assumptions)
        answer = board.find((*switches, *claims))
        if answer is None:
            return None
        outcomes = [judged(answer, profile) for profile in profiles]
        watch.adjudicated += 1
        tried += 1
        wanted = accept(outcomes)
        if wanted is not None:
            return answer, wanted
        for rules, outcome in zip(systems, outcomes, strict=False):
            if learning[id(rules.rails)] is rules and isinstance(outcome, MovementOutcome):
                learn(rules, answer, outcome, alike)
        board.forbid(answer)
        watch.budget.spend()
    return None


def find_quiet_first(
    board: OpenOrders,
    systems: Sequence[OpenRules],
    claims: Sequence[int],
    accept: Accept[_T],
    watch: Watch,
    aside: Callable[[], Confirmed[_T] | None] | None = None,
    if_quiet: Sequence[int] = (),
    most: int | None = None,
) -> Confirmed[_T] | None:
    """Like `find_confirmed`, but first among orders without a decision cycle, which are quicker to
    confirm. There, the literals `if_quiet` are claimed, too. `most` is for each of the two."""
    quiet = [-rules.any_open for rules in systems]
    cyclic = "orders with a decision cycle"
    found = find_confirmed(
        board, systems, [*claims, *quiet, *if_quiet], accept, watch,
        "orders without a decision cycle", left=cyclic, aside=aside, most=most,
    )  # fmt: skip
    if found is not None:
        return found
    # Not only where a cycle is open: what lemmas have settled is not open any more.
    return find_confirmed(board, systems, claims, accept, watch, cyclic, aside=aside, most=most)


def simplest(asked: SearchProblem, found: Confirmed[_T], accept: Accept[_T]) -> Confirmed[_T]:
    """The same answer with as many open orders as possible, tried one by one, replaced by holds or
    not given."""
    orders, wanted = dict(found.orders), found.wanted
    for key, idle in asked.idle().items():
        if orders[key] == idle:
            continue
        tried = {**orders, key: idle}
        accepted = accept([judge(asked.readings, tried, profile) for profile in asked.profiles])
        if accepted is not None:
            orders, wanted = tried, accepted
    return Confirmed(orders, wanted)


# --- orders drawn at random -----------------------------------------------------------------------

# Trying order sets at random: where a solver proposes many that come to nothing, this soon finds
# what is common. A seeded generator draws the orders, so the same question has the same answer.


_DRAWN = 300  # order sets; most house rules differ on one in fifty of a tense board
_TOGETHER = 0.7  # of the units that could help an order chosen before


def find_by_chance(asked: SearchProblem, accept: Accept[_T]) -> Confirmed[_T] | None:
    """Orders that are accepted, among some drawn at random; None says nothing. Raises
    `ExhaustedError` if the time is up."""
    for orders in islice(_drawn(asked), _DRAWN):
        asked.watch.tell("orders drawn at random", "all orders, one kind after the other")
        asked.watch.budget.spend()
        found = accept([judge(asked.readings, orders, profile) for profile in asked.profiles])
        asked.watch.adjudicated += 1
        if found is not None:
            return Confirmed(orders, found)
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
    """Whether an order supports or convoys as an order chosen before needs it."""
    if isinstance(order, SupportMove):
        other, target = order.supported, order.target
    elif isinstance(order, Convoy):
        other, target = order.army, order.target
    else:
        return False
    helped = chosen.get(other.location)
    return isinstance(helped, Move) and province_of(helped.target) == province_of(target)
