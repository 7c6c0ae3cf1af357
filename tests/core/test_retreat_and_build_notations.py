"""Orders of the retreat and adjustment phases in the notations people use (DATC 6.H to 6.J)."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.board import UnitKind
from dipsat.errors import OrderSyntaxError
from dipsat.orders import Build, Disband, Order, Retreat, UnitName, Waive, reader_for

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A BEL R PIC", Retreat(UnitName("BEL", ARMY), "PIC")),
        ("A Belgium retreats to Picardy", Retreat(UnitName("BEL", ARMY), "PIC")),
        ("f nth r spa(nc)", Retreat(UnitName("NTH", FLEET), "SPA/NC")),
        ("A Bel R - Pic", Retreat(UnitName("BEL", ARMY), "PIC")),
        ("R A Bel - Pic", Retreat(UnitName("BEL", ARMY), "PIC")),
        ("A BEL D", Disband(UnitName("BEL", ARMY))),
        ("D F Ion", Disband(UnitName("ION", FLEET))),
        ("Disband A Paris", Disband(UnitName("PAR", ARMY))),
        ("Remove F Ionian Sea", Disband(UnitName("ION", FLEET))),
        ("A PAR B", Build(UnitName("PAR", ARMY))),
        ("b army Par", Build(UnitName("PAR", ARMY))),
        ("Build F St Petersburg(nc)", Build(UnitName("STP/NC", FLEET))),
        ("build paris", Build(UnitName("PAR"))),
        ("WAIVE", Waive()),
        ("Waive a build", Waive()),
    ],
)
def test_order_is_read(text: str, order: Order) -> None:
    assert reader_for(dipsat.load_map("standard")).read(text) == order


@pytest.mark.parametrize("text", ["A LON D", "Build A LON", "A LON R WAL", "WAIVE"])
def test_orders_of_other_phases_are_illegal_in_a_movement_phase(text: str) -> None:
    position = dipsat.Position.from_units({"ENGLAND": ["A LON"]})
    outcome = dipsat.adjudicate(position, {"ENGLAND": [text]})
    (order,) = [order for order in outcome.orders if order.submitted == text]
    assert (order.verdict, order.reason.code) == ("illegal", "wrong_phase")
    assert order.reason.text.startswith("a movement phase takes only orders to hold, move, support")
    assert outcome.units == {"ENGLAND": ("A LON",)}


def test_letter_that_could_be_two_verbs_is_refused() -> None:
    with pytest.raises(OrderSyntaxError, match="retreat or remove"):
        reader_for(dipsat.load_map("standard")).read("R A Bel")
