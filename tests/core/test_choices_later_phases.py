"""The choices of DATC 4.B and 4.C in retreat and adjustment phases: they speak of orders, and a
dislodged or disbanded unit is named in an order too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

import dipsat


def judged(
    orders: Sequence[str],
    rules: str,
    dislodged: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    units: Sequence[str] = (),
    centers: Sequence[str] = ("BRE",),
) -> dict[str, tuple[str, str]]:
    """Verdict and reason code of each French order; in winter if no unit is dislodged."""
    phase = "W1901A" if dislodged is None else "F1901R"
    position = dipsat.Position.from_units(
        {"FRANCE": list(units)},
        phase=phase,
        centers={"FRANCE": list(centers)},
        dislodged=dislodged or {},
    )
    outcome = dipsat.adjudicate(position, {"FRANCE": list(orders)}, rules)
    return {
        one.submitted: (one.verdict, one.reason.code) for one in outcome.orders if one.submitted
    }


SPAIN_NC = {"FRANCE": {"F SPA/NC": ["MAO", "POR"]}}
PARIS = {"FRANCE": {"A PAR": ["BUR", "GAS"]}}
ARMY = {"FRANCE": {"A GAS": ["SPA"]}}
FLEET = {"FRANCE": {"F GAS": ["SPA/NC"]}}
BOTH_COASTS = {"FRANCE": {"F MAO": ["SPA/NC", "SPA/SC"]}}
RETREATS = [
    # 4.B.5: "an order directed to a fleet on the north coast ... when [it] is actually on the
    # south coast"; a: it fails, b: "such coast specification is just ignored".
    ("F Spain(sc) - Portugal", SPAIN_NC, {"4.B.5-a": "unit_coast_wrong", "4.B.5-b": ""}),
    ("F Spain(nc) - Portugal", SPAIN_NC, {"4.B.5-a": ""}),
    ("F Spain - Portugal", SPAIN_NC, {"4.B.5-a": ""}),
    ("F Spain(sc) Disbands", SPAIN_NC, {"4.B.5-a": "unit_coast_wrong"}),
    # 4.B.6: "an unknown coast, such as Spain west coast or Brest east coast", or an irrelevant one.
    ("F Spain(wc) - Portugal", SPAIN_NC, {"4.B.6-a": "coast_irrelevant"}),
    ("F Spain(nc) - Portugal(ec)", SPAIN_NC, {"4.B.6-a": "coast_irrelevant", "4.B.6-b": ""}),
    ("A Gas - Spain(nc)", ARMY, {"4.B.6-a": "coast_irrelevant", "4.B.6-b": ""}),
    # 4.C.1: "When the designation of the type of a unit (A or F) is omitted": a: invalid, b: valid.
    ("Paris - Burgundy", PARIS, {"4.C.1-a": "kind_missing", "4.C.1-b": "", "4.C.1-c": ""}),
    # 4.C.2: the same where it "does not match with the actual type".
    ("F Paris - Burgundy", PARIS, {"4.C.2-a": "kind_wrong", "4.C.2-b": "", "4.C.2-c": ""}),
    # 4.B.1 to 4.B.3 speak of moves; a retreat is one to a possible place.
    ("F Mao - Spain", BOTH_COASTS, {"4.B.1-a": "coast_missing", "4.B.1-b": ""}),
    ("F Gas - Spain", FLEET,
     {"4.B.2-a": "", "4.B.2-b": "coast_impossible", "4.B.2-c": "coast_missing"}),
    ("F Gas - Spain(sc)", FLEET, {"4.B.3-a": "", "4.B.3-b": "coast_impossible"}),
]  # fmt: skip


@pytest.mark.parametrize(("order", "dislodged", "faults"), RETREATS)
def test_a_choice_reaches_retreats(
    order: str, dislodged: Mapping[str, Mapping[str, Sequence[str]]], faults: Mapping[str, str]
) -> None:
    for choice, fault in faults.items():
        expected = ("illegal", fault) if fault else ("succeeds", "ok")
        assert judged([order], choice, dislodged)[order] == expected, choice


ADJUSTMENTS = [
    ("Disband F Spain(sc)", ["F SPA/NC", "A PIC"], {"4.B.5-a": "unit_coast_wrong", "4.B.5-b": ""}),
    ("Disband F Spain(nc)", ["F SPA/NC", "A PIC"], {"4.B.5-a": ""}),
    ("Disband A Spain(sc)", ["A SPA", "A PIC"], {"4.B.6-a": "coast_irrelevant", "4.B.6-b": ""}),
    ("Disband F Spain(wc)", ["F SPA/NC", "A PIC"], {"4.B.6-a": "coast_irrelevant"}),
    ("Disband Paris", ["A PAR", "A PIC"],
     {"4.C.1-a": "kind_missing", "4.C.1-b": "", "4.C.1-c": ""}),
    ("Disband F Paris", ["A PAR", "A PIC"],
     {"4.C.2-a": "kind_wrong", "4.C.2-b": "", "4.C.2-c": ""}),
    ("Build F Brest(ec)", [], {"4.B.6-a": "coast_irrelevant", "4.B.6-b": ""}),
    ("Build A Brest(nc)", [], {"4.B.6-a": "coast_irrelevant", "4.B.6-b": ""}),
    ("Build F Brest", [], {"4.C.1-a": ""}), ("Build A Brest", [], {"4.C.2-a": ""}),
]  # fmt: skip


@pytest.mark.parametrize(("order", "units", "faults"), ADJUSTMENTS)
def test_a_choice_reaches_builds_and_disbands(
    order: str, units: Sequence[str], faults: Mapping[str, str]
) -> None:
    """The sentences of DATC 2.4 and 3.0 as above; for builds, 4.C.3 and 4.C.4 say what a missing or
    an impossible kind means."""
    for choice, fault in faults.items():
        expected = ("illegal", fault) if fault else ("succeeds", "ok")
        assert judged([order], choice, units=units)[order] == expected, choice


@pytest.mark.parametrize(
    ("choice", "vague"), [("4.C.1-c", "Disband Paris"), ("4.C.2-c", "Disband F Paris")]
)
def test_a_disband_gives_way_to_a_properly_written_one(choice: str, vague: str) -> None:
    """4.C.1 c, 4.C.2 c: "still valid unless there is another order with the correct designation of
    the unit (the order [without it] is ignored)"."""
    proper = "Disband A Paris"
    units, centers = ["A PAR", "A PIC", "A GAS"], ["BRE"]
    for orders in ([vague, proper], [proper, vague]):
        found = judged(orders, choice, units=units, centers=centers)
        assert found == {vague: ("illegal", "named_better"), proper: ("succeeds", "ok")}


@pytest.mark.parametrize(
    ("choice", "vague"), [("4.C.1-c", "Paris - Gascony"), ("4.C.2-c", "F Paris - Gascony")]
)
def test_a_retreat_gives_way_to_a_properly_written_one(choice: str, vague: str) -> None:
    proper = "A Paris - Burgundy"
    found = judged([vague, proper], choice, PARIS)
    assert found == {vague: ("illegal", "named_better"), proper: ("succeeds", "ok")}
    assert judged([vague, proper], "datc", PARIS) == {
        vague: ("illegal", "several_orders"), proper: ("illegal", "several_orders"),
    }  # fmt: skip


def test_what_was_settled_is_reported_in_every_phase() -> None:
    retreat = dipsat.Position.from_units({}, phase="F1901R", dislodged=PARIS)
    (order,) = dipsat.adjudicate(retreat, {"FRANCE": ["F Paris - Burgundy"]}).orders
    assert (order.order, order.amended) == ("A PAR R BUR", "read as A PAR")
    units = {"FRANCE": ["A PAR"]}
    winter = dipsat.Position.from_units(units, phase="W1901A", unknown_centers=())
    (order,) = dipsat.adjudicate(winter, {"FRANCE": ["Disband Paris"]}).orders
    assert (order.order, order.amended) == ("A PAR D", "read as A PAR")


@pytest.mark.parametrize(("choice", "verdict"), [("4.C.2-b", "succeeds"), ("4.C.2-a", "illegal")])
def test_summer_orders_name_units_as_all_orders_do(choice: str, verdict: str) -> None:
    """4.C.2 in a phase that rules have for orders of their own."""
    rules = dipsat.load_profile(f"arpiesse+{choice}+color_exchange=on")
    units = {"FRANCE": ["Red A PAR", "Silver A GAS"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    orders = ["F PAR X A GAS", "A GAS X A PAR"]
    outcome = dipsat.adjudicate(position, {"FRANCE": orders}, rules)
    assert {one.submitted: one.verdict for one in outcome.orders}[orders[0]] == verdict


@pytest.mark.parametrize(
    ("phase", "lost", "order", "meant"),
    [
        ("F1901M", False, "F Spa/sc - Gas", "read as F SPA/NC"),
        ("F1901R", True, "F Spa/sc R Gas", "read as F SPA/NC"),
        ("W1901A", False, "Remove F Spa/sc", "read as F SPA/NC"),
        ("F1901M", False, "F Spa/wc - Gas", "read as F SPA/NC"),
        ("F1901M", False, "F Spa/nc - Gas/nc", "read as GAS"),
        ("F1901M", False, "F Spa - Gas", ""),
    ],
)
def test_a_coast_that_is_ignored_is_reported(
    phase: str, lost: bool, order: str, meant: str
) -> None:
    """DATC 3.0, 4.B.5 b and 4.B.6 b: such a coast "is just ignored"; the outcome reports it."""
    unit = {"FRANCE": ["F SPA/NC"]}
    position = dipsat.Position.from_units(
        {} if lost else unit, phase=phase, dislodged=unit if lost else {}, unknown_centers=()
    )
    (found,) = dipsat.adjudicate(position, {"FRANCE": [order]}, "datc").orders
    assert (found.verdict, found.amended) == ("succeeds", meant)


def test_a_coast_that_does_not_exist_is_reported_alike_for_an_army_and_a_fleet() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A BEL", "F ENG"]})
    orders = {"FRANCE": ["A Bel - Pic/ec", "F Eng - Bre/ec"]}
    amended = [one.amended for one in dipsat.adjudicate(position, orders, "datc").orders]
    assert amended == ["read as PIC", "read as BRE"]
