"""The orders of all powers, from what they handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.game.order_sets import (
    OneOrder,
    OrderSets,
    PowerOrders,
    first_that_counts,
    read_order_sets,
)
from dipsat.game.position import Position
from dipsat.game.ruling import SetSubmission, Submission, refusal_of
from dipsat.game.settings import Settings
from dipsat.game.unclear import read_unclear
from dipsat.orders.writer import write_order

_NOT_DATED = ("undated", "it is not known which of the power's sets of orders is the last")
_REPLACED = ("replaced", "a later set of orders replaces this one")


def read_submissions(
    position: Position, orders: Mapping[str, PowerOrders], settings: Settings
) -> list[Submission]:
    """The orders by power, as texts or typed orders, as submissions in the order given.

    Raises what the reader raises for a text that cannot be read, and `OrderFaultError` for sets
    of orders in another form than `PowerOrders` says.
    """
    board, read = position.map, position.reader.read
    is_plain = settings.poorly_written == "refused" and settings.legal != "format"
    found: list[Submission] = []
    for typed, given in orders.items():
        power = board.names.power(typed)
        handed_in = given if isinstance(given, Mapping) else list(given)
        if is_plain and isinstance(handed_in, list):
            texts = [text for text in handed_in if isinstance(text, str)]
            if len(texts) == len(handed_in):
                found += [Submission(power, text, read(text)) for text in texts]
                continue
        sets = read_order_sets(power, handed_in)
        if len(sets.sets) == 1:
            found += _read(position, power, sets.sets[0].orders, settings)
        else:
            found += _read_sets(position, power, sets, settings)
    return found


def _read(
    position: Position, power: str, orders: Sequence[OneOrder], settings: Settings
) -> list[Submission]:
    """The orders of one set."""
    if settings.poorly_written != "refused" or settings.legal == "format":
        return read_unclear(position, power, orders, settings)
    board, read = position.map, position.reader.read
    return [
        Submission(power, order, read(order))
        if isinstance(order, str)
        else Submission(power, write_order(order, board), order)
        for order in orders
    ]


def _read_sets(
    position: Position, power: str, sets: OrderSets, settings: Settings
) -> list[Submission]:
    """4.D.1, 4.D.2: the orders of several sets, those that do not count refused."""
    read = [_read(position, power, one.orders, settings) for one in sets.sets]
    first = first_that_counts(sets, read, position, settings)
    refusal = _REPLACED if sets.dated else _NOT_DATED
    return [
        SetSubmission(
            power,
            one.text,
            one.order,
            batch=at - first if sets.dated else 0,
            refusal=refusal if at < first else refusal_of(one),
        )
        for at, orders in enumerate(read)
        for one in orders
    ]
