"""Boards judged under two profiles, one by one, for questions that a search cannot answer."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from dipsat import kernel
from dipsat.board import Map
from dipsat.orders import Convoy, Hold, Move, SupportHold, SupportMove, write_order
from tools.differences.boards import Judged, judged

_CHUNK = 200_000
Standing = tuple[int, int]
"""The kind and the location of a unit, by number."""
OrderRow = tuple[int, int, int, int]
"""An order, as in `BoardCodes.orders`."""
Ordered = tuple[Sequence[Standing], Sequence[OrderRow]]
"""Units and their orders."""


@dataclass(frozen=True)
class Trial:
    """How many boards were judged, and the first that differs, if one does."""

    boards: int
    differing: Judged | None = None


def trial(
    rules: tuple[str, str],
    number: int,
    ordered: Callable[[kernel.Batch], Iterable[Ordered]],
    board: Map | None = None,
) -> Trial:
    """Judge boards with this number of units until one differs, with every way in which the units
    can belong to powers. All powers are alike, since decisions about movement do not depend on a
    power's name or centres."""
    batches = [kernel.Batch(one, board) for one in rules]
    owners = list(ownerships(number, len(batches[0].numbers.powers)))
    count = 0
    for codes in _coded(ordered(batches[0]), owners):
        results = [batch.adjudicate(codes) for batch in batches]
        for at in _apart(*results):
            found = _written(batches[0], codes, at, rules)
            if found.differs:
                return Trial(count + at + 1, found)
        count += len(codes)
    return Trial(count)


def _apart(one: kernel.BatchResult, other: kernel.BatchResult) -> Iterator[int]:
    """The boards after which a unit is elsewhere or may retreat to other places. Two armies of one
    power that have swapped places count too, although the board is the same."""
    mine, theirs = one.arrays, other.arrays
    if mine.ends == theirs.ends and mine.retreats == theirs.retreats:
        return
    width = len(mine.ends) // len(one)
    pairs = zip(mine.ends, theirs.ends, mine.retreats, theirs.retreats, strict=True)
    units = (at for at, (a, b, c, d) in enumerate(pairs) if a != b or c != d)
    yield from dict.fromkeys(at // width for at in units)


def _written(
    batch: kernel.Batch, codes: kernel.BoardCodes, at: int, rules: tuple[str, str]
) -> Judged:
    """A board of these codes, judged with its orders as texts."""
    position, orders = batch.board(codes, at)
    written = {power: [_text(batch.map, one) for one in own] for power, own in orders.items()}
    return judged(position, written, *rules)


def _text(board: Map, order: object) -> str:
    assert isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy)
    return write_order(order, board)


def _coded(
    ordered: Iterable[Ordered], owners: Sequence[tuple[int, ...]]
) -> Iterator[kernel.BoardCodes]:
    """The boards as codes, in groups."""
    number = len(owners[0])
    units, orders = array("H"), array("H")
    for standings, rows in ordered:
        flat = array("H", [n for row in rows for n in row])
        for powers in owners:
            for power, (kind, location) in zip(powers, standings, strict=True):
                units.extend((power, kind, location, 0))
            orders.extend(flat)
        if len(units) >= 4 * number * _CHUNK:
            yield _codes(units, orders, number)
            units, orders = array("H"), array("H")
    if units:
        yield _codes(units, orders, number)


def _codes(units: array[int], orders: array[int], number: int) -> kernel.BoardCodes:
    count = len(units) // (4 * number)
    starts = array("I", range(0, number * count + 1, number))
    return kernel.BoardCodes(starts, units, orders, bytes(count))


def ownerships(number: int, powers: int) -> Iterator[tuple[int, ...]]:
    """The powers of units, up to renaming: the first unit belongs to the first power, each other
    unit to an earlier unit's power or the next power, if there is one."""
    for own in product(range(min(number, powers)), repeat=number):
        if all(power <= max(own[:at], default=-1) + 1 for at, power in enumerate(own)):
            yield own
