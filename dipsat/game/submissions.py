"""The orders of all powers, read from what they submitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from dipsat.board.map import Map
from dipsat.game.order_sets import OrderSets, PowerOrders, first_that_counts, read_order_sets
from dipsat.game.poorly_written import Tallies, read_unclear
from dipsat.game.position import Position
from dipsat.game.ruling import Submission
from dipsat.game.settings import Settings
from dipsat.kept import kept_on_first
from dipsat.limits_of_input import ORDERS
from dipsat.orders.reader import OrderReader
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.orders.words import Words

_REMEMBERED = 20_000
"""Texts of a power that are remembered; a game has a few thousand."""
_COUNTABLE = (list, tuple, Mapping)
_NOT_DATED = ("undated", "it is not known which of the power's sets of orders came last")
_REPLACED = ("replaced", "a later set of orders replaces this one")


def read_submissions(
    position: Position, orders: Mapping[str, PowerOrders], settings: Settings, lenient: bool = False
) -> list[Submission]:
    """Read orders by power, given as texts or `Order` values, into submissions in the order given.

    If the reading is `lenient`, the settings refuse no text.
    Raises what the reader raises for a text that cannot be
    read, `OrderFaultError` for sets of orders in any other form than `PowerOrders`, and
    `InputLimitError` for too many orders.
    """
    board, reader = position.map, position.reader
    known = _known(board, position.words)
    settings = settings.lenient if lenient else settings
    tallies = Tallies()
    found: list[Submission] = []
    for typed, given in orders.items():
        power = board.names.power(typed)
        handed_in = given if isinstance(given, _COUNTABLE) else _first(given, ORDERS.most + 1)
        ORDERS.check(len(found) + len(handed_in))
        plain = (
            None
            if isinstance(handed_in, Mapping)
            else _plain(reader, power, handed_in, known.setdefault(power, {}))
        )
        if plain is not None:
            found += plain
            continue
        sets = read_order_sets(power, handed_in)
        ORDERS.check(len(found) + sum(len(one.orders) for one in sets.sets))
        if len(sets.sets) == 1:
            found += read_unclear(position, power, sets.sets[0].orders, settings, tallies)
        else:
            found += _read_sets(position, power, sets, settings, tallies)
    return found


def _first(given: Iterable[object], count: int) -> list[Any]:
    """The first entries of what may never end."""
    return list(islice(given, count))


@kept_on_first(16)
def _known(board: Map, words: Words) -> dict[str, dict[str, Submission]]:
    """Power -> text -> what it submits by it, as read before under these words."""
    return {}


def _plain(
    reader: OrderReader, power: str, given: Sequence[object], known: dict[str, Submission]
) -> list[Submission] | None:
    """The orders of a power that submits one set of readable texts, as most do; None otherwise.
    The same text makes the same submission, so that rulings on it can be remembered."""
    found: list[Submission] = []
    try:
        for text in given:
            if not isinstance(text, str):
                return None
            one = known.get(text)
            if one is None:
                if len(known) >= _REMEMBERED:
                    known.clear()
                order = reader.read(text)
                one = Submission(power, text, order, 0, None, reader.guessed.get(text, ""))
                known[text] = one
            found.append(one)
    except TEXT_FAULTS:
        return None
    return found


def _read_sets(
    position: Position, power: str, sets: OrderSets, settings: Settings, tallies: Tallies
) -> list[Submission]:
    """4.D.1, 4.D.2: the orders of several sets; those that do not count are refused."""
    read = [read_unclear(position, power, one.orders, settings, tallies) for one in sets.sets]
    first = first_that_counts(sets, read, position, settings)
    refusal = _REPLACED if sets.dated else _NOT_DATED
    return [
        one._replace(
            batch=at - first if sets.dated else 0,
            refusal=refusal if at < first else one.refusal,
        )
        for at, orders in enumerate(read)
        for one in orders
    ]
