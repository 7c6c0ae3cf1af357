"""Colonial: Hong Kong (DATC 2.4 7.A), and what the cases of 7.B to 7.D leave open."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.board import load_map, parse_map
from dipsat.errors import DipsatError, UnknownNameError
from dipsat.game import victor
from dipsat.rules import load_profile
from tests.exhaustive import exhaustive, few_of

BOARD = load_map("colonial")
OWN = {"RUSSIA": ["MOS", "OMS", "VLA"]}


def judged(
    units: dict[str, list[str]], orders: dict[str, list[str]], phase: str = "S1870M"
) -> dipsat.Outcome:
    position = dipsat.Position.from_units(units, BOARD, phase=phase, centers=OWN)
    return dipsat.adjudicate(position, orders, "colonial")


@pytest.mark.parametrize(("power", "due"), [("CHINA", 0), ("FRANCE", 1), ("BRITAIN", 1)])
def test_hong_kong_gives_a_build_to_every_power_but_china(power: str, due: int) -> None:
    """7.A.1, 7.A.2: there is one more centre than units once Hong Kong is taken in fall."""
    home = BOARD.powers[power].home[0 if power != "BRITAIN" else 1]
    position = dipsat.Position.from_units(
        {power: ["A CAN"]}, BOARD, phase="F1870M", centers={power: [home]}
    )
    outcome = dipsat.adjudicate(position, {power: ["A CAN - HON"]}, "colonial")
    game = dipsat.Game(outcome.next, "colonial")
    assert (str(outcome.next.phase)[-1] == "A") is bool(due)
    assert game.builds_due(power) == due
    assert any(text.endswith(" B") for text in game.legal_orders_of_power(power)) is bool(due)


def test_hong_kong_does_not_count_for_the_victory_of_china() -> None:
    """7.A.3: thirty centres win; China owns 29 and Hong Kong."""
    centers = [code for code, place in BOARD.provinces.items() if place.supply and code != "HON"]
    rules = load_profile("colonial")
    for power, wins in (("CHINA", False), ("FRANCE", True)):
        owned = {power: [*centers[:29], "HON"]}
        position = dipsat.Position.from_units({}, BOARD, centers=owned)
        assert (victor(position, rules.settings) == power) is wins


def test_verdict_on_a_train_says_where_it_ends() -> None:
    outcome = judged(
        {"RUSSIA": ["A MOS"], "TURKEY": ["A ORE"]},
        {"RUSSIA": ["A MOS - TSR - IRK"], "TURKEY": ["A ORE - OMS"]},
    )
    train = outcome.order("A MOS")
    assert (train.verdict, train.order) == ("fails", "A MOS - TSR - IRK")
    assert train.reason.text.endswith("it ends in PRM")
    west = judged({"RUSSIA": ["A VLA"]}, {"RUSSIA": ["A VLA - TSR - MOS"]})
    assert [unit.province for unit in west.next.units] == ["MOS"]


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("A MOS - TSR - ODE", "off_the_line"),
        ("A MOS - TSR - MOS", "off_the_line"),
        ("F SEO TSR VLA", "off_the_line"),
        ("F VLA - TSR - IRK", "not_an_army"),
    ],
)
def test_impossible_order_to_rail_is_illegal(order: str, code: str) -> None:
    outcome = judged({"RUSSIA": ["A MOS", "F SEO/EC", "F VLA"]}, {"RUSSIA": [order]})
    (told,) = (one for one in outcome.orders if one.submitted)
    assert (told.verdict, told.reason.code) == ("illegal", code)


def test_options_switch_railroad_and_canal_off() -> None:
    units = {"RUSSIA": ["A MOS"], "TURKEY": ["A EGY", "F MED"]}
    orders = {"RUSSIA": ["A MOS - TSR - OMS"], "TURKEY": ["F MED - RED"]}
    position = dipsat.Position.from_units(units, BOARD, phase="S1870M", centers=OWN)
    off = {"trans_siberian_railroad": "off", "suez_canal": "off"}
    for chosen, verdicts in (({}, ("succeeds", "succeeds")), (off, ("illegal", "fails"))):
        rules = load_profile("colonial", settings=chosen)
        outcome = dipsat.adjudicate(position, orders, rules)
        assert (outcome.order("A MOS").verdict, outcome.order("F MED").verdict) == verdicts


def test_fleet_does_not_support_through_the_canal() -> None:
    outcome = judged(
        {"TURKEY": ["A EGY", "F MED"], "BRITAIN": ["F ADE", "F RED"]},
        {"TURKEY": ["F MED S F ADE - RED"], "BRITAIN": ["F ADE - RED", "F RED H"]},
    )
    assert outcome.order("F MED").verdict == "illegal"
    assert outcome.order("F MED").reason.code == "no_support_through"


@exhaustive
def test_only_the_power_that_holds_egypt_may_order_permissions() -> None:
    """7.C: "the player who controls Egypt"; fleets pass from MED to RED and back."""
    units = {"TURKEY": ["A EGY", "F MED"], "BRITAIN": ["F RED", "F ADE"], "RUSSIA": ["A MOS"]}
    position = dipsat.Position.from_units(units, BOARD, phase="S1870M", centers=OWN)
    game = dipsat.Game(position, "colonial")
    legal = game.all_legal_orders()
    permissions = ("SC F MED - RED", "SC F RED - MED")
    assert {power: own[""] for power, own in legal.items() if "" in own} == {"TURKEY": permissions}
    assert game.legal_orders_of_power("Turkish")[-2:] == permissions
    assert [*legal["TURKEY"]] == [*units["TURKEY"], ""]
    closed = dipsat.Game(position, "colonial+suez_canal=off")
    assert [*closed.all_legal_orders()["TURKEY"]] == units["TURKEY"]
    with pytest.raises(UnknownNameError, match="power"):
        game.legal_orders_of_power("A EGY")


def test_no_train_may_be_ordered_in_a_retreat_phase() -> None:
    """The unit that took a station has the name of the one that retreats from it."""
    units = {"TURKEY": ["A MOS"]}
    position = dipsat.Position.from_units(
        units, BOARD, phase="S1870R", centers=OWN, dislodged={"RUSSIA": {"A MOS": ["ODE"]}}
    )
    game = dipsat.Game(position, "colonial")
    assert game.legal_orders("A MOS") == ("A MOS R ODE", "A MOS D")
    assert game.all_legal_orders()["RUSSIA"] == {"A MOS": ("A MOS R ODE", "A MOS D")}
    assert not game.all_legal_orders()["TURKEY"]


def test_train_is_not_part_of_a_garrison_of_its_own_power_even_at_its_last_station() -> None:
    """DATC 2.4: it "will not be part of a beleaguered garrison" where an own unit stays."""
    outcome = judged(
        {"RUSSIA": ["A MOS", "A IRK", "A VLA"], "JAPAN": ["F OKH", "F SOJ"]},
        {
            "RUSSIA": ["A MOS - TSR - VLA", "A IRK S A MOS - VLA", "A VLA H"],
            "JAPAN": ["F OKH - VLA", "F SOJ S F OKH - VLA"],
        },
    )
    assert outcome.is_proven
    assert outcome.order("F OKH").verdict == "succeeds"
    assert outcome.order("A VLA").fate == "dislodged"
    assert outcome.order("A MOS").reason.text.endswith("it ends in KRA")


def test_no_army_is_convoyed_through_the_canal() -> None:
    convoys = ["F MED C A CON - ADE", "F RED C A CON - ADE"]
    through = judged(
        {"TURKEY": ["A CON", "A EGY", "F MED", "F RED"]}, {"TURKEY": ["A CON - ADE", *convoys]}
    )
    assert through.order("A CON").verdict == "fails"
    beside = judged(
        {"TURKEY": ["A CON", "F MED", "F RED"]},
        {"TURKEY": ["A CON - SYR", "F MED C A CON - SYR", "F RED C A CON - SYR"]},
    )
    assert beside.order("A CON").verdict == "succeeds"


@exhaustive
@pytest.mark.parametrize("presolve", few_of([True, False], 1))
def test_kruijswijks_paradox_is_settled_by_all_rules_at_once(presolve: bool) -> None:
    """7.D.2, which the author leaves open: "judge this whatever you like"."""
    seas = ["GOA", "RED", "WIO"]
    convoy = "C A SUD - MAC"
    orders = {
        "BRITAIN": ["A SUD - MAC", *(f"F {sea} {convoy}" for sea in seas)],
        "CHINA": ["A MAC S A MON - IRK", "A MON - IRK"],
        "FRANCE": [f"F SCS {convoy}", f"F SUN {convoy}"],
        "JAPAN": [f"F ECS {convoy}", f"F YEL {convoy}"],
        "TURKEY": [
            "A ARM - BAK", "A BAK - MOS", "A EGY - SYR", "F MEC S F MED - RED", "F MED - RED",
            "A SYR - ARM",
        ],
        "HOLLAND": [f"F JVS {convoy}", f"F SIO {convoy}"],
        "RUSSIA": ["A IRK H", "A VLA - TSR - MOS"],
    }  # fmt: skip
    units = {power: [text[:5] for text in texts] for power, texts in orders.items()}
    position = dipsat.Position.from_units(units, BOARD, phase="S1870M", centers=OWN)
    outcome = dipsat.adjudicate(position, orders, "colonial", presolve=presolve)
    (graph,) = (graph for graph in outcome.subgraphs if graph.rule)
    assert (graph.resolutions, graph.rule) == (0, "railroad, Suez Canal, Szykman")
    assert outcome.order("F MED").verdict == outcome.order("A VLA").verdict == "fails"
    assert outcome.order("A IRK").fate == "dislodged"


FAULTS = {
    "lines: {rail: {provinces: [AAA, XXX]}}": "'XXX' is not a province",
    "lines: {rail: {provinces: [AAA]}}": "at least two provinces",
    "lines: {rail: {provinces: [AAA, BBB, AAA]}}": "each once",
    "lines: {rail: {power: WEST, provinces: [AAA, BBB]}}": "'WEST' is not a power",
    "lines: {rail: {power: NORTH}}": "no 'provinces'",
    "power_features: {shut_out: [WEST]}": "'WEST' is not a power",
}
ISLAND = """
name: island
powers: {NORTH: {home: [AAA], start: [A AAA]}}
provinces:
  AAA: {name: Alpha, type: land, supply: true, army: [BBB]}
  BBB: {name: Beta, type: land, supply: true, army: [AAA]}
"""


@pytest.mark.parametrize(("entry", "problem"), FAULTS.items())
def test_faulty_line_or_mark_of_a_map_is_reported_with_its_place(entry: str, problem: str) -> None:
    with pytest.raises(DipsatError) as caught:
        parse_map(f"{ISLAND}{entry}\n", "island.yaml")
    assert "island.yaml:7:" in str(caught.value)
    assert problem in str(caught.value)


def test_nobody_retreats_through_the_canal() -> None:
    """Leave is an order of the movement phase."""
    units = {"RUSSIA": ["F MED"], "TURKEY": ["F SYR", "F EGY"]}
    orders = {"TURKEY": ["F SYR - MED", "F EGY S F SYR - MED"]}
    position = dipsat.Position.from_units(units, map="colonial")
    (lost,) = dipsat.adjudicate(position, orders, "colonial").dislodged
    assert lost.retreats == ("ANG", "BLA", "CON")


@pytest.mark.parametrize("chosen", ["on", "off"])
def test_searches_over_all_orders_work_with_and_without_railroad_and_canal(chosen: str) -> None:
    settings = {"trans_siberian_railroad": chosen, "suez_canal": chosen}
    rules = load_profile("colonial", settings=settings)
    position = dipsat.Position.from_units({"JAPAN": ["F TOK", "A KYO"]}, BOARD, phase="S1870M")
    found = dipsat.search(position, dipsat.Achieve("enters(AKI)"), rules=rules)
    assert found.verdict == "found"


@pytest.mark.parametrize("turkish", ["A SUD", "A EGY"])
def test_closed_canal_is_not_blamed_on_a_unit(turkish: str) -> None:
    outcome = judged({"TURKEY": [turkish], "RUSSIA": ["F MED"]}, {"RUSSIA": ["F MED - RED"]})
    reason = outcome.order("F MED").reason
    assert (reason.code, reason.because) == ("no_passage", ())
    assert reason.text == "the canal is closed to it"
