"""Orders of the retreat and adjustment phases in the notations people use (DATC 6.H to 6.J)."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.board import UnitKind
from dipsat.errors import DipsatError, OrderSyntaxError
from dipsat.formats import Session, carry_out
from dipsat.formats.phase_file import orders_for
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


# --- a unit alone: what the power must do shows what is meant ----------------------------------

WINTER = dipsat.Position.from_units(
    {"ITALY": ["A VEN"], "FRANCE": ["A PAR", "A BUR", "A GAS"], "TURKEY": ["F ANK"]},
    phase="W1901A",
    centers={"ITALY": ["ROM", "VEN", "NAP"], "FRANCE": ["PAR", "MAR"], "TURKEY": ["ANK"]},
)
MEANT = {
    ("ITALY", "A Rom"): "A ROM B",
    ("ITALY", "Fleet Naples"): "F NAP B",
    ("ITALY", "the army at Rome"): "A ROM B",
    ("FRANCE", "A Bur"): "A BUR D",
}


@pytest.mark.parametrize(("power", "text"), MEANT)
def test_a_unit_alone_is_built_or_disbanded(power: str, text: str) -> None:
    meant = MEANT[power, text]
    outcome = dipsat.adjudicate(WINTER, {power: [text]})
    (found,) = (one for one in outcome.orders if one.power == power)
    clear = dipsat.adjudicate(WINTER, {power: [meant]})
    assert found.order == meant
    assert "read as a" in str(found.amended)
    assert outcome.next == clear.next
    assert power.title() in found.amended
    sheet = orders_for(WINTER, f"{power}:\n{text}\n", "a.txt", dipsat.load_profile("datc"))
    assert sheet.orders == {power: (text,)}
    game = dipsat.Game(WINTER).submit(power, [text])
    assert game.orders == {power: (meant,)}
    reply = carry_out(Session.of(dipsat.Game(WINTER)), text)
    assert reply.lines == (f"{power.title()}: {text} is legal (read as {meant})",)


@pytest.mark.parametrize(
    ("power", "text"),
    [
        ("ITALY", "A Ven"),  # is there already
        ("ITALY", "Rom"),  # an army or a fleet
        ("FRANCE", "A Mar"),  # France must disband
        ("FRANCE", "A Ven"),
        ("TURKEY", "F Ank"),  # neither builds nor disbands
        ("ITALY", "A Rom nothing"),
    ],
)
def test_a_unit_alone_that_the_power_cannot_adjust_is_not_an_order(power: str, text: str) -> None:
    with pytest.raises(DipsatError):
        dipsat.adjudicate(WINTER, {power: [text]})
    assert carry_out(Session.of(dipsat.Game(WINTER)), f"{power}: {text}").errors


@pytest.mark.parametrize("phase", ["S1901M", "F1901R"])
def test_in_other_phases_a_unit_alone_is_not_an_order(phase: str) -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A BUR"]}, phase=phase)
    with pytest.raises(DipsatError, match="does not say what the unit does"):
        dipsat.adjudicate(position, {"FRANCE": ["A Bur"]})
