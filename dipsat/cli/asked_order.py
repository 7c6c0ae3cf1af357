"""The order that someone asks about: by its unit, or by the order itself."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from dipsat.cli.printing import echo

if TYPE_CHECKING:
    from dipsat.orders.order import Order
    from dipsat.proof.order_outcome import OrderOutcome
    from dipsat.proof.outcome import Outcome

_NAMED = ("target", "supported", "army")  # what orders of one type can differ in


def order_asked(outcome: Outcome, typed: str) -> OrderOutcome:
    """The outcome for the unit that someone named, perhaps with its order. A remark says if the
    unit had another one. Raises `UnknownNameError`."""
    from dipsat.errors import shortened
    from dipsat.orders.reader import ordered_unit
    from dipsat.orders.text_parse import TEXT_FAULTS

    reader = outcome.position.reader
    unit, order = ordered_unit(reader, typed)
    found = outcome.order(unit)
    with suppress(*TEXT_FAULTS):
        if order is not None and _said(order) != _said(reader.read(found.order)):
            problem = f"{found.unit} has another order than {shortened(typed)!r}"
            echo(f"remark: {problem}: {found.order}", err=True)
    return found


def _said(order: Order) -> list[object]:
    """What an order says, without the kinds of its units, which may be left out."""
    from dipsat.board.province import province_of

    named = (getattr(order, name, "") for name in _NAMED)
    return [type(order), *(province_of(getattr(one, "location", one)) for one in named)]
