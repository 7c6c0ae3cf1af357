"""A board of the page as players write it: units, centres and orders of each power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dipsat.base import titled
from dipsat.game import UNDATED
from dipsat.game.submissions import ADDS
from tools.differences.boards import Example

_NUMBERS = ("first", "second", "third", "fourth")


def sheet(board: Example) -> Iterator[str]:
    """The lines of a board, by power. Units are listed where the orders do not show them: where one
    has no order, or several, or a different name in its order."""
    stated, orders = board["position"], board["orders"]
    for power in sorted({*stated["units"], *stated.get("dislodged", {}), *orders}):
        given = orders.get(power, ())
        dislodged = stated.get("dislodged", {}).get(power, ())
        own = [*stated["units"].get(power, ()), *(f"{unit} (dislodged)" for unit in dislodged)]
        centres = stated.get("centers", {}).get(power, ())
        yield f"{titled(power)}:"
        if centres:
            yield f"  centres: {' '.join(centres)}"
        if own and sorted(map(_subject, _texts(given))) != sorted(own):
            yield f"  units: {', '.join(own)}"
        yield from (f"  {line}" for line in _lines(given))


def _texts(given: Any) -> list[str]:
    """All orders of a power, from all its sets."""
    if isinstance(given, str):
        return [given]
    parts = given.values() if isinstance(given, Mapping) else given
    return [text for part in parts for text in _texts(part)]


def _subject(order: str) -> str:
    """The unit that an order begins with, such as `A PAR`."""
    return " ".join(order.split()[:2])


def _lines(given: Any) -> Iterator[str]:
    """The orders of a power, one per line, or one set per line."""
    if isinstance(given, Mapping):
        yield "sets of orders without a date:"
        yield from (f"  {', '.join(_texts(one))}" for one in given[UNDATED])
    elif all(isinstance(one, str) for one in given):
        yield from given
    else:
        yield from _dated(given)


def _dated(sets: Sequence[Any]) -> Iterator[str]:
    """Several sets of orders, the earliest first."""
    for number, one in zip(_NUMBERS, sets, strict=False):
        name = f"{number} set of orders"
        if isinstance(one, Mapping):
            name = "added later" if ADDS in one else "later instead of all before"
        yield f"{name}: {', '.join(_texts(one))}"
