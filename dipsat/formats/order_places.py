"""Where a file has each order, for faults that are found only when the orders are judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from dipsat.errors import DipsatError, FileError, OrderFaultError, ProblemsError
from dipsat.formats.named_units import Entry

OrderPlaces = Mapping[tuple[str, str], str]
"""Power and text of an order -> its place; of equal orders, that of the last."""


def places_of(entries: Iterable[Entry]) -> OrderPlaces:
    """The places of orders in a file."""
    return {(power, text): place for place, power, text in entries}


@contextmanager
def naming_orders(places: OrderPlaces) -> Iterator[None]:
    """Name the place of the order in errors about orders that do not fit the position."""
    try:
        yield
    except OrderFaultError as error:
        raise _placed(error, places) from error
    except ProblemsError as error:
        raise ProblemsError(_placed(one, places) for one in error.problems) from error


def _placed(error: DipsatError, places: OrderPlaces) -> DipsatError:
    """The error with the place of the last order that it is about, which came too late if there
    are several."""
    if not isinstance(error, OrderFaultError) or not error.orders:
        return error
    place = places.get((error.power, error.orders[-1]))
    if place is None:
        return error
    found = FileError(place, str(error))
    found.remedies = error.remedies
    return found
