"""A unit without an action in an adjustment phase: what the power must do says what is meant."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.errors import DipsatError
from dipsat.formats import Session, carry_out
from dipsat.formats.phase_file import orders_for

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
        ("ITALY", "A Ven"),  # stands already
        ("ITALY", "Rom"),  # an army, or a fleet
        ("FRANCE", "A Mar"),  # France must disband
        ("FRANCE", "A Ven"),
        ("TURKEY", "F Ank"),  # neither builds nor disbands
        ("ITALY", "A Rom nothing"),
    ],
)
def test_a_unit_that_the_power_can_do_nothing_with_is_still_no_order(power: str, text: str) -> None:
    with pytest.raises(DipsatError):
        dipsat.adjudicate(WINTER, {power: [text]})
    assert carry_out(Session.of(dipsat.Game(WINTER)), f"{power}: {text}").errors


@pytest.mark.parametrize("phase", ["S1901M", "F1901R"])
def test_in_other_phases_a_unit_alone_is_no_order(phase: str) -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A BUR"]}, phase=phase)
    with pytest.raises(DipsatError, match="does not say what the unit does"):
        dipsat.adjudicate(position, {"FRANCE": ["A Bur"]})
