"""One order sheet gets one answer, whichever command or method takes it: `dipsat adjudicate`,
`dipsat play`, `Game.submit` and `Game.check`."""

from __future__ import annotations

import json

import pytest

import dipsat
from dipsat.formats import Session, begun, carry_out
from tests.app.commands import printed, write

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
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
each_phase = pytest.mark.parametrize("phase", SHEETS)


def board_of(phase: str, rules: str = "datc") -> str:
    text = f"phase: {phase}\nrules: {rules}\n{SHEETS[phase][0]}\norders: {{}}\n"
    return write("board.yaml", text)


@pytest.mark.parametrize("choice", CHOICES)
@each_phase
def test_which_of_two_orders_counts_is_for_the_rules_to_say(phase: str, choice: str) -> None:
    (rules, counts), orders = CHOICES[choice], SHEETS[phase][1]
    board, sheet = (
        board_of(phase, f"datc+{rules}"),
        write("s.txt", "\n".join(("Austria:", *orders))),
    )
    outcome = json.loads(printed("adjudicate", sheet, "--position", board, "--json"))
    listed = {one["submitted"]: one for one in outcome["orders"]}
    assert [listed[one]["verdict"] != "illegal" for one in orders] == counts
    for one, counted in zip(orders, counts, strict=True):
        assert counted or "another" in listed[one]["reason"]["text"]

    game = begun(board)[0]
    assert [one.status != "illegal" for one in game.check("AUSTRIA", orders)] == counts
    after = game.copy().submit("AUSTRIA", orders).advance().next
    assert after.to_dict() == outcome["next"]
    for line in (f"read {sheet}", f"AUSTRIA: {', '.join(orders)}"):
        reply = carry_out(Session.of(game), line)
        assert ["ILLEGAL" not in said for said in reply.lines[:2]] == counts
        assert "replaces" not in "".join(reply.lines)
        advanced = carry_out(reply.session, "advance").outcome
        assert advanced is not None
        assert advanced.next.to_dict() == outcome["next"]


@each_phase
def test_an_order_of_a_later_line_replaces_and_says_so(phase: str) -> None:
    first, second = SHEETS[phase][1]
    session = carry_out(Session.of(begun(board_of(phase))[0]), f"AUSTRIA: {first}").session
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
    units = {"FRANCE": ["A PAR", "A PIC"]}
    position = dipsat.Position.from_units(units, phase="W1901A", unknown_centers=())
    reply = carry_out(Session.of(dipsat.Game(position)), "FRANCE: Remove A Par, Remove A Par")
    assert reply.lines == (
        "France: Remove A Par is legal",
        "France: Remove A Par is ILLEGAL: it is already disbanded",
    )
