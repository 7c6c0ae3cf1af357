"""Szykman, Arpiesse Diplomacy: where its sections can be read in several ways."""

from __future__ import annotations

import pytest

from dipsat.rules import parse_profile
from tests.exhaustive import parts_of
from tests.oracles.arpiesse_boards import RULES, Orders, battle, colors_of, verdicts
from tests.phases import adjudicate

# --- V.3 against IX -------------------------------------------------------------------------------

EXAMPLE_4 = {
    "AUSTRIA": ["Purple A Rum HOLDS"],
    "RUSSIA": ["Silver A Sev -> Rum"],
    "TURKEY": ["Red F Bla -> Rum"],
}
# The army in Tyrolia attacks as purple, which beats the red defense, and as silver. The silver army
# in Venice is inferior to that defense, but superior to the purple attack.
TWO_COLORED = {
    "ITALY": ["Silver A Ven - Tri"],
    "AUSTRIA": ["Purple A Tyr - Tri", "Silver F Adr S A Tyr - Tri"],
    "FRANCE": ["Red A Tri H"],
}
IN, OUT = ("stands dislodged", "succeeds"), ("stands", "fails")


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("by_section", IN), ("fails", IN), ("color_fails", IN), ("contends", OUT)],
)
def test_v_3_attacks_of_one_color_by_example_4(reading: str, expected: tuple[str, str]) -> None:
    """V.3: "once an attack has failed, it cannot then succeed". Example 4: "The Russian move to Rum
    succeeds because it is a superior attack." Only IX taken alone says otherwise."""
    found = verdicts(EXAMPLE_4, f"arpiesse+inferior_attack={reading}")
    assert (found["RUM"], found["SEV"], found["BLA"]) == (*expected, "fails")


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("by_section", OUT), ("fails", IN), ("color_fails", IN), ("contends", OUT)],
)
def test_ix_attack_of_two_colors_against_one_that_is_inferior_to_the_defense(
    reading: str, expected: tuple[str, str]
) -> None:
    """IX, occupied province, 1: "a unit must first be able to successfully attack that space as if
    it were an empty space". There silver beats one of the two attacks from Tyrolia (IX.1)."""
    found = verdicts(TWO_COLORED, f"arpiesse+inferior_attack={reading}")
    assert (found["TRI"], found["TYR"], found["VEN"]) == (*expected, "fails")


def test_sections_rule_their_own_attacks_by_default() -> None:
    assert verdicts(EXAMPLE_4) == verdicts(EXAMPLE_4, "arpiesse+inferior_attack=by_section")
    assert verdicts(EXAMPLE_4)["SEV"] == "succeeds"
    assert verdicts(TWO_COLORED)["TYR"] == "fails"


def test_v_3_rules_again_where_the_second_color_does_not_arrive() -> None:
    """VII: a cut support passes no color, so all attacks have one again."""
    orders = {**TWO_COLORED, "TURKEY": ["Silver F Ion - Adr"]}
    assert verdicts(orders)["ADR"] == "cut"
    assert verdicts(orders)["TYR"] == "succeeds"


def test_ix_rules_the_attacks_of_one_color_too_if_another_one_has_several() -> None:
    """IX speaks of what "two or more units attempt", so of the whole battle. Silver beats or ties
    both attacks from Budapest; the red one, as in example 4, stops it only by IX."""
    orders = {
        **EXAMPLE_4,
        "RUSSIA": ["Silver A Sev - Rum", "Silver A Ukr S A Sev - Rum"],
        "ITALY": ["Purple A Bud - Rum", "Silver A Ser S A Bud - Rum"],
    }
    assert verdicts(orders, "arpiesse+inferior_attack=fails")["SEV"] == "succeeds"
    assert verdicts(orders)["SEV"] == "fails"
    of_one_color = {**orders, "ITALY": ["Purple A Bud - Rum", "Purple A Ser S A Bud - Rum"]}
    assert verdicts(of_one_color)["SEV"] == "succeeds"


# Red and purple against a silver unit: red beats it, purple is inferior. Another silver army comes.
BURDEN = {
    "AUSTRIA": ["Silver A Tri H"],
    "ITALY": ["Red A Ven - Tri", "Purple A Tyr S A Ven - Tri"],
    "TURKEY": ["Silver A Ser - Tri"],
}


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("by_section", OUT), ("fails", OUT), ("color_fails", IN), ("contends", OUT)],
)
def test_v_3_for_the_unit_or_for_each_of_its_colors(
    reading: str, expected: tuple[str, str]
) -> None:
    """VIII.1: a unit "can be thought of as making multiple attacks or defenses, each with one
    color". Is the purple attack one that has failed by itself, it is no burden any more."""
    found = verdicts(BURDEN, f"arpiesse+inferior_attack={reading}")
    assert (found["TRI"], found["VEN"], found["SER"]) == (*expected, "fails")


# --- V.4 ------------------------------------------------------------------------------------------

OWN = {"TURKEY": ["Red A Bul H", "Purple A Con - Bul"],
       "AUSTRIA": ["Red A Ser - Bul", "Red A Rum S A Ser - Bul"]}  # fmt: skip


def test_v_4_superior_attack_on_an_own_unit_keeps_others_out() -> None:
    """V.4: "The no-self-dislodgement rule applies, even if the attack on one's own unit is a
    superior attack." What that rule leaves such an attack is as in the standard game: it stops
    others (DATC 3.0, 5.B.6), here those to which it is superior."""
    assert verdicts(OWN) == {"BUL": "stands", "CON": "fails", "SER": "fails", "RUM": "given"}
    without = {**OWN, "TURKEY": ["Red A Bul H", "Purple A Con H"]}
    assert verdicts(without)["BUL"] == "stands dislodged"


def test_v_4_inferior_attack_on_an_own_unit_has_failed_and_stops_nobody() -> None:
    """V.3 makes no difference between powers."""
    orders = {"TURKEY": ["Purple A Bul H", "Red A Con - Bul"], "AUSTRIA": ["Silver A Ser - Bul"]}
    assert verdicts(orders)["BUL"] == "stands dislodged"
    assert verdicts(orders, "arpiesse+inferior_attack=contends")["BUL"] == "stands"


# --- VI: colors that come from supports -----------------------------------------------------------

CHAIN = {"RUSSIA": ["Red A Sil H", "Red A War S A Sil", "Purple A Mos S A War"]}


@pytest.mark.parametrize(
    ("reading", "colors"), [("kept", {"red"}), ("passed_on", {"red", "purple"})]
)
def test_vi_1_unit_of_the_same_color_passes_a_received_color_on_or_not(
    reading: str, colors: set[str]
) -> None:
    """VI.1: "if a unit receives support from a superior unit, it moves or defends with the superior
    color". The army in Warsaw holds as purple too, but it is a red unit."""
    rules = f"arpiesse+received_color={reading}"
    assert colors_of("hold_color", "Red A WAR", CHAIN, rules) == {"red", "purple"}
    assert colors_of("hold_color", "Red A SIL", CHAIN, rules) == colors
    moving = {"RUSSIA": ["Red A Sil - Pru", "Red A War S A Sil - Pru", "Purple A Mos S A War"]}
    assert colors_of("move_color", "Red A SIL", moving, rules) == colors


@pytest.mark.parametrize("reading", ["kept", "passed_on"])
def test_vi_2_superior_unit_never_passes_an_inferior_color_on(reading: str) -> None:
    """VI.2 and example 9: "it cannot receive the color Purple to defend with, even though it is
    receiving support from a superior unit, because Purple is an inferior color"."""
    orders = {"ENGLAND": ["Purple F Lon S F Nth", "Red F Nth S F Eng", "Silver F Eng HOLDS"]}
    rules = f"arpiesse+received_color={reading}"
    assert colors_of("hold_color", "Silver F ENG", orders, rules) == {"silver", "red"}


def test_vi_1_received_color_goes_on_through_several_units_of_one_color() -> None:
    orders = {"RUSSIA": [*CHAIN["RUSSIA"][:2], "Red A Mos S A War", "Purple A Sev S A Mos"]}
    rules = "arpiesse+received_color=passed_on"
    assert colors_of("hold_color", "Red A SIL", orders, rules) == {"red", "purple"}


def test_vi_1_units_that_support_each_other_have_no_color_from_nowhere() -> None:
    orders = {"RUSSIA": ["Red A War S A Sil", "Red A Sil S A War"], "GERMANY": ["Purple A Pru H"]}
    rules = "arpiesse+received_color=passed_on"
    assert colors_of("hold_color", "Red A SIL", orders, rules) == {"red"}
    outcome = adjudicate(orders, rules)
    assert {part.rule for part in outcome.subgraphs if part.rule} == {"no color comes from itself"}
    assert adjudicate(orders, RULES).is_proven


# --- VII: which color cuts ------------------------------------------------------------------------

RAISED = {
    "FRANCE": ["Red A Mun - Tyr"],
    "GERMANY": ["Purple A Boh S A Mun - Tyr"],
    "ITALY": ["Purple A Tyr S A Ven - Tri", "Red A Ven - Tri"],
    "TURKEY": ["Purple A Pie S A Tyr"],
    "AUSTRIA": ["Red A Tri H"],
}


def test_vii_attack_with_a_passed_color_cuts_by_viii_1() -> None:
    assert verdicts(RAISED)["TYR"] == "cut"
    assert verdicts(RAISED, "arpiesse+cutting_color=own")["TYR"] == "given"
    assert verdicts(RAISED, "arpiesse+cutting_color=own_always")["TYR"] == "given"


def test_vii_color_that_the_supporters_own_power_passes_cuts_all_the_same() -> None:
    orders = {**RAISED, "GERMANY": [], "ITALY": [*RAISED["ITALY"], *RAISED["GERMANY"]]}
    assert verdicts(orders)["TYR"] == "cut"


@pytest.mark.parametrize(
    ("reading", "support"), [("any", "cut"), ("own", "cut"), ("own_always", "given")]
)
def test_vii_inferior_unit_that_dislodges_the_supporter(reading: str, support: str) -> None:
    """VII: "The cutting of support is handled as in standard Diplomacy with the exception that an
    inferior unit cannot cut support ordered by a superior unit." By the own color the red army is
    inferior; as purple, with a support, it dislodges. In the standard game that always cuts."""
    orders = {**RAISED, "TURKEY": []}
    found = verdicts(orders, f"arpiesse+cutting_color={reading}")
    assert (found["MUN"], found["TYR"]) == ("succeeds", f"{support} dislodged")
    assert (found["VEN"] == "succeeds") is (support == "given")


# --- II: colors neither of which is superior ------------------------------------------------------

CIRCLE = parse_profile(
    """
name: circle
extends: arpiesse
domains: {Color: {R: red, P: purple, G: gold, S: silver}}
relations:
  superior(k, n): [[R, S], [P, R], [G, P], [S, G]]
""",
    "circle.yaml",
)


def why(place: str, orders: Orders) -> tuple[str, str]:
    """The code and the beginning of the reason of the order in a circle of four colors."""
    outcome = adjudicate(orders, CIRCLE)
    assert outcome.order(place).verdict == "fails"
    reason = outcome.order(place).reason
    return reason.code, reason.text.partition(":")[0]


NEITHER = "has a color that the attack neither beats nor loses to"


def test_reason_is_true_where_neither_color_is_superior() -> None:
    attack = ["Purple A Ven - Tri", "Purple A Tyr S A Ven - Tri"]
    orders = {"ITALY": attack, "AUSTRIA": ["Silver A Tri H"]}
    assert why("VEN", orders) == ("unrelated", f"the unit there {NEITHER}")
    head_on = {"ITALY": attack, "AUSTRIA": ["Silver A Tri - Ven"]}
    assert why("VEN", head_on) == ("unrelated", f"the unit there {NEITHER}")
    rivals = {"ITALY": attack, "AUSTRIA": ["Silver A Bud - Tri"]}
    assert why("VEN", rivals) == (
        "unrelated_move", "another move to the same province has a color that neither beats nor "
        "loses to it",
    )  # fmt: skip


def test_reason_names_the_same_color_where_it_is_the_same() -> None:
    orders = {"ITALY": ["Gold A Ven - Tri"], "AUSTRIA": ["Gold A Tri H"]}
    expected = "the attack is not strong enough against a unit of the same color"
    assert why("VEN", orders) == ("too_weak", expected)
    with_silver = {**orders, "TURKEY": ["Silver A Tyr S A Ven - Tri"]}
    assert adjudicate(with_silver, CIRCLE).order("VEN").verdict == "succeeds"
    superior = {**orders, "AUSTRIA": ["Silver A Tri H"]}
    assert why("VEN", superior)[0] == "inferior"


@pytest.mark.parametrize("seeds", parts_of(range(60), 25))
def test_reasons_about_the_same_color_are_true_on_boards_of_four_colors(seeds: range) -> None:
    """Whoever reads "of the same color" finds the attack with a color of the defense."""
    seen = set()
    for seed in seeds:
        orders = battle(seed, ("Red", "Purple", "Gold", "Silver"))
        outcome = adjudicate(orders, CIRCLE)
        for order in outcome.orders:
            if order.verdict == "fails":
                seen.add(order.reason.code)
            if order.reason.code == "too_weak":
                mine, theirs = (
                    {name.rpartition(", ")[2] for name, value in outcome.decisions.items()
                     if value and name.startswith(start)}
                    for start in (
                        f"attack_color({order.order}", f"hold_color({order.reason.because[0]}")
                )  # fmt: skip
                assert mine & theirs, (orders, order)
    assert seen >= {"unrelated", "unrelated_move", "too_weak", "inferior"}
