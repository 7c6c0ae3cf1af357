"""Szykman, Arpiesse Diplomacy: where its sections can be read in several ways."""

from __future__ import annotations

import pytest

from dipsat.rules import load_profile, parse_profile
from tests.exhaustive import exhaustive, parts_of
from tests.oracles.arpiesse_boards import (
    RULES,
    Battle,
    Orders,
    battle as random_battle,
    battles,
    colors_of,
)
from tests.phases import adjudicate

BATTLES = battles("""
# V.3: "once an attack has failed, it cannot then succeed". Example 4: "The Russian move to Rum
# succeeds because it is a superior attack." Only IX taken alone says otherwise.
V.3: attacks of one color by example 4 +inferior_attack=by_section/fails/color_fails
  Austria: Purple A Rum HOLDS / Russia: Silver A Sev -> Rum / Turkey: Red F Bla -> Rum
  = RUM stands dislodged, SEV succeeds, BLA fails
V.3: attacks of one color by example 4 +inferior_attack=contends
  Austria: Purple A Rum HOLDS / Russia: Silver A Sev -> Rum / Turkey: Red F Bla -> Rum
  = RUM stands, SEV fails, BLA fails
# IX, occupied province, 1: "a unit must first be able to successfully attack that space as if it
# were an empty space". There silver from Venice, which is inferior to the red defense, beats one of
# the two attacks from Tyrolia (IX.1): that is purple, which beats the defense, and silver.
IX: an attack of two colors +inferior_attack=by_section/contends
  Italy: Silver A Ven - Tri / Austria: Purple A Tyr - Tri; Silver F Adr S A Tyr - Tri
  France: Red A Tri H
  = TRI stands, TYR fails, VEN fails
IX: an attack of two colors +inferior_attack=fails/color_fails
  Italy: Silver A Ven - Tri / Austria: Purple A Tyr - Tri; Silver F Adr S A Tyr - Tri
  France: Red A Tri H
  = TRI stands dislodged, TYR succeeds, VEN fails
# VII: a cut support passes no color.
V.3: attacks have one color again where the second does not arrive
  Italy: Silver A Ven - Tri / Austria: Purple A Tyr - Tri; Silver F Adr S A Tyr - Tri
  France: Red A Tri H / Turkey: Silver F Ion - Adr
  = ADR cut, TYR succeeds
# IX speaks of what "two or more units attempt", so of the whole battle. Silver beats or ties both
# attacks from Budapest; the red one, as in example 4, stops it only by IX.
IX: attacks of one color, beside one of several +inferior_attack=fails
  Austria: Purple A Rum H / Russia: Silver A Sev - Rum; Silver A Ukr S A Sev - Rum
  Turkey: Red F Bla - Rum / Italy: Purple A Bud - Rum; Silver A Ser S A Bud - Rum
  = SEV succeeds
IX: attacks of one color, beside one of several
  Austria: Purple A Rum H / Russia: Silver A Sev - Rum; Silver A Ukr S A Sev - Rum
  Turkey: Red F Bla - Rum / Italy: Purple A Bud - Rum; Silver A Ser S A Bud - Rum
  = SEV fails
IX: attacks of one color, beside others of one
  Austria: Purple A Rum H / Russia: Silver A Sev - Rum; Silver A Ukr S A Sev - Rum
  Turkey: Red F Bla - Rum / Italy: Purple A Bud - Rum; Purple A Ser S A Bud - Rum
  = SEV succeeds
# VIII.1: a unit "can be thought of as making multiple attacks or defenses, each with one color". If
# the purple attack, inferior to the defense, has failed by itself, it no longer weighs on the unit.
V.3: for the unit, or for each of its colors +inferior_attack=by_section/fails/contends
  Austria: Silver A Tri H / Italy: Red A Ven - Tri; Purple A Tyr S A Ven - Tri
  Turkey: Silver A Ser - Tri
  = TRI stands, VEN fails, SER fails
V.3: for the unit, or for each of its colors +inferior_attack=color_fails
  Austria: Silver A Tri H / Italy: Red A Ven - Tri; Purple A Tyr S A Ven - Tri
  Turkey: Silver A Ser - Tri
  = TRI stands dislodged, VEN succeeds, SER fails
# V.4: "The no-self-dislodgement rule applies, even if the attack on one's own unit is a superior
# attack." What that rule leaves such an attack is as in the standard game: it stops others (DATC
# 3.0, 5.B.6), here those to which it is superior.
V.4: a superior attack on an own unit keeps others out
  Turkey: Red A Bul H; Purple A Con - Bul / Austria: Red A Ser - Bul; Red A Rum S A Ser - Bul
  = BUL stands, CON fails, SER fails, RUM given
V.4: without it they get in
  Turkey: Red A Bul H; Purple A Con H / Austria: Red A Ser - Bul; Red A Rum S A Ser - Bul
  = BUL stands dislodged
# V.3 makes no difference between powers.
V.4: an inferior attack on an own unit has failed and stops nobody
  Turkey: Purple A Bul H; Red A Con - Bul / Austria: Silver A Ser - Bul
  = BUL stands dislodged
V.4: an inferior attack on an own unit by IX alone +inferior_attack=contends
  Turkey: Purple A Bul H; Red A Con - Bul / Austria: Silver A Ser - Bul
  = BUL stands
# VI.1: "if a unit receives support from a superior unit, it moves or defends with the superior
# color". The army in Warsaw holds as purple too, but it is a red unit.
VI.1: a received color is kept +received_color=kept
  Russia: Red A Sil H; Red A War S A Sil; Purple A Mos S A War
  = hold_color(Red A WAR) red purple, hold_color(Red A SIL) red
VI.1: a received color is kept from a mover +received_color=kept
  Russia: Red A Sil - Pru; Red A War S A Sil - Pru; Purple A Mos S A War
  = move_color(Red A SIL) red
VI.1: a received color is passed on +received_color=passed_on
  Russia: Red A Sil H; Red A War S A Sil; Purple A Mos S A War
  = hold_color(Red A WAR) red purple, hold_color(Red A SIL) red purple
VI.1: a received color is passed on to a mover +received_color=passed_on
  Russia: Red A Sil - Pru; Red A War S A Sil - Pru; Purple A Mos S A War
  = move_color(Red A SIL) red purple
VI.1: a received color goes on through several units +received_color=passed_on
  Russia: Red A Sil H; Red A War S A Sil; Red A Mos S A War; Purple A Sev S A Mos
  = hold_color(Red A SIL) red purple
# VI.2 and example 9: "it cannot receive the color Purple to defend with, even though it is
# receiving support from a superior unit, because Purple is an inferior color".
VI.2: no unit ever passes an inferior color on +received_color=kept/passed_on
  England: Purple F Lon S F Nth; Red F Nth S F Eng; Silver F Eng HOLDS
  = hold_color(Silver F ENG) silver red
VII: an attack with a passed color cuts, by VIII.1 +cutting_color=any
  France: Red A Mun - Tyr / Germany: Purple A Boh S A Mun - Tyr
  Italy: Purple A Tyr S A Ven - Tri; Red A Ven - Tri
  Turkey: Purple A Pie S A Tyr / Austria: Red A Tri H
  = TYR cut
VII: by its own color it does not +cutting_color=own/own_always
  France: Red A Mun - Tyr / Germany: Purple A Boh S A Mun - Tyr
  Italy: Purple A Tyr S A Ven - Tri; Red A Ven - Tri
  Turkey: Purple A Pie S A Tyr / Austria: Red A Tri H
  = TYR given
VII: a color that the supporter's own power passes cuts all the same
  France: Red A Mun - Tyr
  Italy: Purple A Tyr S A Ven - Tri; Red A Ven - Tri; Purple A Boh S A Mun - Tyr
  Turkey: Purple A Pie S A Tyr / Austria: Red A Tri H
  = TYR cut
# VII: "The cutting of support is handled as in standard Diplomacy with the exception that an
# inferior unit cannot cut support ordered by a superior unit." By its own color the red army is
# inferior; as purple, with a support, it dislodges. In the standard game that always cuts.
VII: an inferior unit that dislodges the supporter cuts +cutting_color=any/own
  France: Red A Mun - Tyr / Germany: Purple A Boh S A Mun - Tyr
  Italy: Purple A Tyr S A Ven - Tri; Red A Ven - Tri / Austria: Red A Tri H
  = MUN succeeds, TYR cut dislodged, VEN fails
VII: an inferior unit that dislodges the supporter never cuts +cutting_color=own_always
  France: Red A Mun - Tyr / Germany: Purple A Boh S A Mun - Tyr
  Italy: Purple A Tyr S A Ven - Tri; Red A Ven - Tri / Austria: Red A Tri H
  = MUN succeeds, TYR given dislodged, VEN succeeds
""")


@pytest.mark.parametrize("battle", BATTLES, ids=lambda battle: battle.title)
def test_orders_come_out_as_each_reading_says(battle: Battle) -> None:
    battle.check()


def test_default_readings_are_those_of_the_profile_with_each_named() -> None:
    named = "arpiesse+inferior_attack=by_section+received_color=kept+cutting_color=any"
    assert load_profile(named).settings == load_profile(RULES).settings


def test_vi_1_units_that_support_each_other_gain_no_color_from_nowhere() -> None:
    orders = {"RUSSIA": ["Red A War S A Sil", "Red A Sil S A War"], "GERMANY": ["Purple A Pru H"]}
    rules = "arpiesse+received_color=passed_on"
    assert colors_of("hold_color", "Red A SIL", orders, rules) == {"red"}
    outcome = adjudicate(orders, rules)
    assert {part.rule for part in outcome.subgraphs if part.rule} == {"no color comes from itself"}
    assert adjudicate(orders, RULES).is_proven


# --- VII: which color cuts ------------------------------------------------------------------------

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


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(60), 25))
def test_reasons_about_the_same_color_are_true_on_boards_of_four_colors(seeds: range) -> None:
    """Where a reason says "of the same color", the attack has a color of the defense."""
    seen = set()
    for seed in seeds:
        orders = random_battle(seed, ("Red", "Purple", "Gold", "Silver"))
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
