"""One order sheet gets one answer, whichever command or method takes it: `dipsat adjudicate`,
`dipsat play`, `Game.submit` and `Game.check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.formats import Session, begun, carry_out

CHOICES = {
    "first": ("4.D.3-a+4.D.5-b", [True, False]),
    "last": ("4.D.3-b+4.D.5-c", [False, True]),
    "none": ("4.D.3-c+4.D.5-a", [False, False]),
}
"""The choices of DATC 4.D.3 and 4.D.5, and which of two different orders for a unit counts."""
SHEETS = {
    "S1901M": ("units: {AUSTRIA: [A VIE, A BUD]}", ["A Vie - Tri", "A Vie - Boh"]),
    "S1901R": ("dislodged: {AUSTRIA: {A VIE: [TRI, BOH]}}", ["A Vie - Tri", "A Vie - Boh"]),
    "W1901A": ("centers: {AUSTRIA: [TRI, VIE]}", ["build A Tri", "build F Tri"]),
}
"""Phase -> what the board has, and two orders for one unit or site."""


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("phase", SHEETS)
def test_which_of_two_orders_counts_is_for_the_rules_to_say(
    phase: str, choice: str, tmp_path: Path
) -> None:
    (rules, counts), (stated, orders) = CHOICES[choice], SHEETS[phase]
    board, sheet = tmp_path / "board.yaml", tmp_path / "sheet.txt"
    board.write_text(f"phase: {phase}\nrules: datc+{rules}\n{stated}\norders: {{}}\n")
    sheet.write_text("\n".join(("Austria:", *orders)))
    command = ["adjudicate", str(sheet), "--position", str(board), "--json"]
    result = CliRunner().invoke(main, command)
    assert (result.exit_code, result.stderr) == (0, "")
    listed = {one["submitted"]: one for one in json.loads(result.stdout)["orders"]}
    assert [listed[one]["verdict"] != "illegal" for one in orders] == counts
    for one, counted in zip(orders, counts, strict=True):
        assert counted or "another" in listed[one]["reason"]["text"]
    position = json.loads(result.stdout)["next"]

    game = begun(str(board))[0]
    rulings = game.check("AUSTRIA", orders)
    assert [ruling.status != "illegal" for ruling in rulings] == counts
    assert game.copy().submit("AUSTRIA", orders).advance().next.to_dict() == position
    for line in (f"read {sheet}", f"AUSTRIA: {', '.join(orders)}"):
        reply = carry_out(Session.of(game), line)
        assert ["ILLEGAL" not in said for said in reply.lines[:2]] == counts
        assert "replaces" not in "".join(reply.lines)
        advanced = carry_out(reply.session, "advance").outcome
        assert advanced is not None
        assert advanced.next.to_dict() == position


@pytest.mark.parametrize("phase", SHEETS)
def test_an_order_of_a_later_line_replaces_and_says_so(phase: str, tmp_path: Path) -> None:
    stated, (first, second) = SHEETS[phase]
    board = tmp_path / "board.yaml"
    board.write_text(f"phase: {phase}\n{stated}\norders: {{}}\n")
    session = Session.of(begun(str(board))[0])
    session = carry_out(session, f"AUSTRIA: {first}").session
    reply = carry_out(session, f"AUSTRIA: {second}")
    assert reply.lines == (f"Austria: {second} is legal; it replaces {first}",)
    assert reply.session.game.orders == {"AUSTRIA": (second,)}
    again = carry_out(reply.session, f"AUSTRIA: {second}")
    assert again.lines == (f"Austria: {second} is legal",)
    both = carry_out(session, f"AUSTRIA: {first}; {second}").session
    reply = carry_out(both, f"AUSTRIA: {first}")
    assert reply.lines == (f"Austria: {first} is legal; it replaces {second}",)


def test_a_unit_that_is_disbanded_twice_is_disbanded_once() -> None:
    """DATC 6.J.2."""
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR", "A PIC"]}, phase="W1901A", unknown_centers=()
    )
    session = Session.of(dipsat.Game(position))
    reply = carry_out(session, "FRANCE: Remove A Par, Remove A Par")
    assert reply.lines == (
        "France: Remove A Par is legal",
        "France: Remove A Par is ILLEGAL: it is already disbanded",
    )
