"""Positions with orders as the text of an order file."""

from __future__ import annotations

import dipsat
from dipsat import studies


def test_orders_that_a_position_takes_are_read_back_from_a_file() -> None:
    """A file has no line breaks within an order."""
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    orders = {"FRANCE": ["A PAR\n-\u2028BUR"]}
    text = studies.write_phase(position, orders)
    read = dipsat.parse_phase(text, "orders.yaml")
    outcome = dipsat.adjudicate(read.position, read.orders)
    assert outcome.next.to_dict() == dipsat.adjudicate(position, orders).next.to_dict()
    assert "FRANCE A BUR" in [f"{unit.power} {unit}" for unit in outcome.next.units]
