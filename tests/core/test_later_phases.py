"""Retreats, from positions, files and whole seasons."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import DipsatError

RETREAT = """
phase: F1901R
units: {France: [A PAR]}
centers: {France: [PAR]}
dislodged: {England: {A BEL: [PIC, HOL]}, Italy: [A BUR]}
orders: {England: [A BEL R PIC], Italy: [A BUR - GAS]}
"""
WINTER = """
phase: W1901A
units: {France: [A PAR]}
centers: {France: [PAR, BRE]}
orders: {France: [F BRE B]}
"""


def printed(text: str) -> dict[str, object]:
    result = CliRunner().invoke(main, ["adjudicate", "-", "--json"], input=text)
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.output)
    return found


def test_a_retreat_phase_from_a_file() -> None:
    outcome = printed(RETREAT)
    assert outcome["phase"] == "F1901R"
    assert outcome["units"] == {"ENGLAND": ["A PIC"], "FRANCE": ["A PAR"], "ITALY": ["A GAS"]}
    assert outcome["next"] == {
        "phase": "W1901A", "units": outcome["units"], "dislodged": {}, "retreats": {},
        "centers": {"FRANCE": ["PAR"]},
    }  # fmt: skip


def test_an_adjustment_phase_from_a_file() -> None:
    assert printed(WINTER)["units"] == {"FRANCE": ["F BRE", "A PAR"]}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("F1901R", "F1901X", ("2:8", "phase", "F1901X")),
        ("F1901R", "S1901A", ("2:8", "phase")),
        ("[PAR]}", "[PIC]}", ("4:20", "supply centre")),
        ("[PIC, HOL]", "[ROM]", ("5:23", "A BEL", "ROM")),
        ("A BEL: ", "A NTH: ", ("5:23", "at sea")),
        ("A BEL R PIC", "A BEL R", ("6:",)),
    ],
)
def test_bad_input_names_its_place(old: str, new: str, words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["adjudicate", "-"], input=RETREAT.replace(old, new))
    assert result.exit_code == 2
    for word in words:
        assert word in result.stderr


def test_a_unit_that_does_not_retreat_is_disbanded() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR"]}, phase="S1901R", dislodged={"ENGLAND": ["A BEL"]}
    )
    outcome = dipsat.adjudicate(position, {"ENGLAND": ["A BEL R PIC"]})
    assert outcome.order("A BEL").verdict == "succeeds"
    assert str(outcome.next.phase) == "F1901M"
    for orders in ({"ENGLAND": ["A BEL D"]}, {}):
        assert dipsat.adjudicate(position, orders).disbanded == {"ENGLAND": ("A BEL",)}


def test_a_dislodged_unit_is_in_the_next_phase_with_its_retreats() -> None:
    position = dipsat.Position.from_units(
        {"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["A TRI"]}, phase="S1902M"
    )
    outcome = dipsat.adjudicate(position, {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]})
    following = outcome.next.to_dict()
    assert following["phase"] == "S1902R"
    assert following["dislodged"] == {"AUSTRIA": ["A TRI"]}
    assert following["retreats"] == {"AUSTRIA": {"A TRI": ["ALB", "BUD", "SER", "VIE"]}}
    back = dipsat.adjudicate(outcome.next, {"AUSTRIA": ["A TRI - VEN"]})
    assert back.order("A TRI").verdict == "illegal"


def test_a_unit_without_retreat_is_not_in_the_next_phase() -> None:
    position = dipsat.Position.from_units(
        {"ENGLAND": ["F MAO", "A SPA"], "FRANCE": ["A POR"]}, phase="F1902M"
    )
    orders = {"ENGLAND": ["F MAO S A SPA - POR", "A SPA - POR"]}
    outcome = dipsat.adjudicate(position, orders)
    assert outcome.order("A POR").fate == "destroyed"
    assert outcome.next.dislodged == ()
    assert str(outcome.next.phase) != "F1902R"


@pytest.mark.parametrize("phase", [" ", "S1901", "X1901M", "S1901A", "W1901M", "S-1M", "S999999M"])
def test_a_phase_that_does_not_exist_is_an_error(phase: str) -> None:
    with pytest.raises(DipsatError, match="unknown phase"):
        dipsat.Position.from_units({}, phase=phase)


def test_an_adjustment_phase_without_ownership_asks_for_it() -> None:
    text = "phase: W1901A\nunits: {FRANCE: [A PAR]}\norders: {}\n"
    result = CliRunner().invoke(main, ["adjudicate", "-"], input=text)
    assert result.exit_code == 2
    assert ":1:8: centre 'ANK': its owner and those of 33 more are unknown; state" in result.output
