"""Trying order sets at random: where a solver proposes many that come to nothing, this soon finds
what is common. A seeded generator draws the orders, so the same question has the same answer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeVar

from dipsat.board.province import province_of
from dipsat.orders.order import Convoy, Move, Order, SupportMove
from dipsat.searches.cegar import Accept, Confirmed, judge
from dipsat.searches.problem import SearchProblem

_T = TypeVar("_T")
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
