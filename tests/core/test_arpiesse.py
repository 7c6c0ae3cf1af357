"""Szykman, Arpiesse Diplomacy: its twelve examples, and every sentence of its rules.

What they leave open is in `tests.core.test_arpiesse_readings`."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from math import prod

import pytest

import dipsat
from dipsat.errors import EngineError, PositionError, UnknownNameError
from dipsat.formats import Case, load_cases
from dipsat.rules import parse_profile
from dipsat.studies import random_board
from tests.exhaustive import exhaustive, few_of, parts_of, spread_parts_of
from tests.oracles.arpiesse_boards import (
    COLORS,
    READINGS,
    RULES,
    Battle,
    Orders,
    battles,
    colors_of,
    verdicts,
)
from tests.pages import blocks, page
from tests.phases import adjudicate, position_of

SUMMER = "arpiesse+color_exchange=on"


# --- battles --------------------------------------------------------------------------------------

# In example 2 of the document, Bohemia attacks Warsaw, which it does not border: here Galicia does.
# Example 7 lists the support from Budapest twice.
BATTLES = battles("""
example 1: an equivalent attack is as in the standard game
  Italy: Red A Ven -> Tri; Red F Adr S Red A Ven -> Tri / Austria: Red A Tri HOLDS
  = VEN succeeds, ADR given, TRI stands dislodged
example 2: a superior attack succeeds whatever the strengths
  Germany: Red A Pru -> War / Russia: Silver A War HOLDS; Silver A Mos S A War
  Austria: Silver A Gal -> War; Silver A Sil S A Gal -> War; Silver A Ukr S A Gal - War
  = PRU succeeds, WAR stands dislodged, GAL fails
example 2: without the superior unit, strength decides
  Russia: Silver A War HOLDS; Silver A Mos S A War
  Austria: Silver A Gal -> War; Silver A Sil S A Gal -> War; Silver A Ukr S A Gal - War
  = GAL succeeds, WAR stands dislodged
example 3: a superior defense holds whatever the strengths
  England: Purple F Nth HOLDS / France: Red F Bel -> Nth; Red F Eng S F Bel -> Nth
  = NTH stands, BEL fails, ENG given
example 4: an attack that has failed stops nobody
  Austria: Purple A Rum HOLDS / Russia: Silver A Sev -> Rum / Turkey: Red F Bla -> Rum
  = RUM stands dislodged, SEV succeeds, BLA fails
example 4: red beats silver once the purple unit leaves
  Austria: Purple A Rum - Bud / Russia: Silver A Sev -> Rum / Turkey: Red F Bla -> Rum
  = RUM succeeds, SEV fails, BLA succeeds
example 5: no unit dislodges one of its own power
  Turkey: Red A Bul HOLDS; Purple A Con -> Bul
  = BUL stands, CON fails
example 6: a beleaguered garrison stands though inferior
  England: Silver A Bel HOLDS / France: Red A Bur -> Bel; Red A Pic S A Bur -> Bel
  Germany: Red A Ruh -> Bel; Red A Hol S A Ruh -> Bel
  = BEL stands, BUR fails, RUH fails
example 7: attacks in a circle all fail
  Italy: Purple A Ven -> Tri / Turkey: Red A Ser -> Tri; Red A Alb S Red A Ser -> Tri
  Austria: Silver A Tyr -> Tri; Silver A Bud S A Tyr -> Tri
  = VEN fails, SER fails, TYR fails
example 8: only a superior color passes
  Russia: Red A Sil HOLDS; Purple A War S A Sil; Silver A Pru S A Sil
  = hold_color(Red A SIL) red purple
example 8: the strength of every support counts
  Russia: Red A Sil HOLDS; Purple A War S A Sil; Silver A Pru S A Sil
  Germany: Purple A Mun - Sil; Purple A Boh S A Mun - Sil; Purple A Ber S A Mun - Sil
  = MUN fails
example 9: no inferior color passes on
  England: Purple F Lon S F Nth; Red F Nth S F Eng; Silver F Eng HOLDS
  = hold_color(Red F NTH) red purple, hold_color(Silver F ENG) silver red
V.1: a superior attack enters an empty province
  Italy: Purple A Ven - Tyr / Germany: Red A Mun - Tyr; Red A Boh S A Mun - Tyr
  Austria: Red A Vie - Tyr
  = VEN succeeds, MUN fails, VIE fails
V.4: the strength of a support does not dislodge a unit of its own power
  Austria: Red A Tri H; Red A Tyr S Red A Ven - Tri / Italy: Red A Ven - Tri
  = VEN fails, TRI stands
V.4: nor does its color
  Austria: Red A Tri H; Purple A Tyr S Red A Ven - Tri / Italy: Red A Ven - Tri
  = VEN fails, move_color(Red A VEN) red purple, attack_color(Red A VEN) red
V.4: the color of a foreign support does
  Austria: Red A Tri H / Turkey: Purple A Tyr S Red A Ven - Tri / Italy: Red A Ven - Tri
  = VEN succeeds
V.4: the color of a support counts once the unit of its power leaves
  Austria: Red A Tri - Bud; Purple A Tyr S Red A Ven - Tri / Italy: Red A Ven - Tri
  Turkey: Red A Ser - Tri; Red A Alb S A Ser - Tri
  = VEN succeeds
V.4: a color that may not dislodge is a burden, for its attack loses to silver (IX.1)
  Austria: Silver A Tri H; Purple A Tyr S Red A Ven - Tri / Italy: Red A Ven - Tri
  Turkey: Silver A Ser - Tri
  = VEN fails
V.4: without that color the attack succeeds
  Austria: Silver A Tri H; Purple A Tyr H / Italy: Red A Ven - Tri / Turkey: Silver A Ser - Tri
  = VEN succeeds
V.4: red ties red, and purple, which would beat it, comes from the victim's own power
  Austria: Silver A Tri H; Purple A Tyr S Red A Ven - Tri / Italy: Red A Ven - Tri
  Turkey: Red A Ser - Tri
  = VEN fails
V.4: purple from another power beats it
  Austria: Silver A Tri H / Germany: Purple A Tyr S Red A Ven - Tri / Italy: Red A Ven - Tri
  Turkey: Red A Ser - Tri
  = VEN succeeds
V.5: of several equal attacks none dislodges
  England: Silver A Bel H / France: Red A Bur - Bel; Red A Pic - Bel
  = BEL stands
V.5: a third one that is inferior to the defense has failed, and the others still tie
  England: Silver A Bel H / France: Red A Bur - Bel; Red A Pic - Bel / Germany: Purple A Ruh - Bel
  = BEL stands, BUR fails, PIC fails, RUH fails
VI.1: a mover gets the superior color
  Italy: Red A Ven - Tri; Purple A Tyr S A Ven - Tri
  Austria: Red A Tri H; Red A Bud S A Tri; Red A Alb S A Tri
  = VEN succeeds
VI.2: a red unit that holds as purple, too, passes on red alone
  Russia: Silver A Sil H; Red A War S A Sil; Purple A Mos S A War
  = hold_color(Silver A SIL) silver red
VI.2: also to a red unit
  Russia: Red A Sil H; Red A War S A Sil; Purple A Mos S A War
  = hold_color(Red A SIL) red
VI.3: "a unit that supports another unit does not give up its color by doing so"
  Russia: Purple A War S A Sil; Red A Sil H / Germany: Red A Pru - War
  = WAR given, PRU fails, hold_color(Purple A WAR) purple
VI.4: a unit whose attack succeeds has left, with all its colors
  Italy: Red A Ven - Tri; Purple A Tyr S A Ven - Tri / Austria: Silver A Tri H
  France: Purple A Pie - Ven / Turkey: Silver A Ser S A Tri
  = VEN succeeds
VI.4: a unit whose attack fails defends with its own color only
  Italy: Red A Ven - Tri; Purple A Tyr S A Ven - Tri
  Austria: Purple A Tri H; Purple A Vie S A Tri / France: Purple A Pie - Ven
  Turkey: Silver A Ser S A Tri
  = VEN fails dislodged, PIE succeeds
VI.4: a unit that holds defends with those it receives
  Italy: Red A Ven H; Purple A Tyr S A Ven / Austria: Purple A Tri H; Purple A Vie S A Tri
  France: Purple A Pie - Ven / Turkey: Silver A Ser S A Tri
  = VEN stands
VII: a cut support passes neither strength nor color
  Italy: Red A Ven - Tri; Purple A Tyr S A Ven - Tri / Austria: Red A Tri H
  Germany: Purple A Mun - Tyr
  = VEN fails, move_color(Red A VEN) red
VII: an attack from where the support is directed cuts it by dislodging
  Italy: Red A Ven - Tri; Silver A Tyr S A Ven - Tri / Austria: Red A Tri - Tyr
  France: Red A Pie H
  = TYR cut dislodged
IX, occupied, 1: a unit must prevail before it may dislodge
  Italy: Red A Ven - Tri / Turkey: Red A Ser - Tri / Austria: Silver A Tri H
  = TRI stands
IX, occupied, 2: a unit that prevails must also dislodge
  Italy: Purple A Ven - Tri / Turkey: Red A Ser - Tri / Austria: Purple A Tri H
  = TRI stands, VEN fails, SER fails
IX: a province counts as empty if its unit moves out
  Italy: Red A Ven - Tri / Austria: Purple A Tri - Bud / Turkey: Silver A Ser - Tri
  = TRI succeeds, VEN succeeds, SER fails
head to head: the superior unit beats the other
  Italy: Purple A Ven - Tri / Austria: Red A Tri - Ven; Red A Tyr S A Tri - Ven
  = VEN succeeds, TRI fails dislodged
head to head: VIII decides, with the colors of both moves
  Italy: Red A Ven - Tri; Purple A Tyr S A Ven - Tri / Austria: Red A Tri - Ven
  France: Red A Rom S A Tri - Ven
  = VEN succeeds, TRI fails dislodged
XI: fleets of other colors convoy
  England: Purple F Nth C Red A Lon - Nwy; Red A Lon - Nwy
  Italy: Silver F Ion C Red A Tun - Gre; Red A Tun - Gre
  = NTH available, LON succeeds, ION available, TUN succeeds
a ring of units goes round whatever the colors
  Turkey: Red F Ank - Con; Purple A Con - Smy; Silver A Smy - Ank
  = ANK succeeds, CON succeeds, SMY succeeds
""")


(EXAMPLE_4,) = (one for one in BATTLES if one.title.startswith("example 4: an attack"))


@pytest.mark.parametrize("battle", BATTLES, ids=lambda battle: battle.title)
def test_orders_come_out_as_the_sections_say(battle: Battle) -> None:
    battle.check()


# --- the summer of the examples -------------------------------------------------------------------


def summer(orders: Orders, units: Orders | None = None) -> dipsat.Outcome:
    """The outcome of exchanges between units, which are those that the orders name."""
    verb = re.compile(r"\s(?:x|exch\w*)\s", re.IGNORECASE)
    named = {p: list({verb.split(text)[0]: 0 for text in texts}) for p, texts in orders.items()}
    rules = dipsat.load_profile(SUMMER)
    position = dipsat.Position.from_units(units or named, phase="U1901X", rules=rules)
    return dipsat.adjudicate(position, orders, SUMMER)


def test_example_10_exchange_needs_only_one_that_could_support_the_other() -> None:
    outcome = summer({"ITALY": ["Purple F Adr X A Tri"], "AUSTRIA": ["Silver A Tri X F Adr"]})
    assert outcome.units == {"AUSTRIA": ("Purple A TRI",), "ITALY": ("Silver F ADR",)}
    assert str(outcome.next.phase) == "F1901M"


def test_example_11_fleet_on_a_coast_is_supported_in_its_province() -> None:
    orders = {"RUSSIA": ["Red F StP(SC) X F Nwy"], "ENGLAND": ["Purple F Nwy X F StP(SC)"]}
    assert summer(orders).units == {"ENGLAND": ("Red F NWY",), "RUSSIA": ("Purple F STP/SC",)}


@pytest.mark.parametrize("kinds", ["FF", "FA", "AF", "AA"])
def test_example_12_neighbours_that_cannot_support_exchange_nothing(kinds: str) -> None:
    one, other = f"Red {kinds[0]} Gas", f"Silver {kinds[1]} Mar"
    outcome = summer({"FRANCE": [f"{one} X {other}", f"{other} X {one}"]})
    illegal = {order.verdict for order in outcome.orders} == {"illegal"}
    assert illegal == (kinds == "FF")
    gas, mar = ("Red", "Silver") if illegal else ("Silver", "Red")
    assert outcome.units == {"FRANCE": (f"{gas} {kinds[0]} GAS", f"{mar} {kinds[1]} MAR")}


# --- I, II: colors --------------------------------------------------------------------------------


def test_i_units_and_locations_are_those_of_the_standard_game_and_all_red() -> None:
    game = dipsat.Game.new("arpiesse")
    assert [str(unit) for unit in game.position.units] == [
        f"Red {unit}" for unit in dipsat.Position.start().units
    ]


def test_i_build_has_any_color_and_red_if_none_is_given() -> None:
    rules = dipsat.load_profile(RULES)
    winter = dipsat.Position.from_units(
        {}, phase="W1901A", centers={"ITALY": ["VEN", "ROM", "NAP"]}, rules=rules
    )
    orders = {"ITALY": ["Build Purple A Ven", "silver A ROM B", "F NAP B"]}
    outcome = dipsat.adjudicate(winter, orders, RULES)
    assert set(outcome.units["ITALY"]) == {"Purple A VEN", "Silver A ROM", "Red F NAP"}


def test_i_unknown_color_is_one_clear_error() -> None:
    game = dipsat.Game.new("arpiesse")
    with pytest.raises(UnknownNameError, match=r"unknown color 'blue'.*known: red, purple, silver"):
        game.submit("ITALY", ["Blue A VEN H"])


SUPERIOR = {"Red": "Silver", "Purple": "Red", "Silver": "Purple"}
"""Color -> the color to which it is superior."""


@exhaustive
@pytest.mark.parametrize("rules", few_of(READINGS, 2))
@pytest.mark.parametrize("color", COLORS)
def test_ii_vi_vii_each_color_is_superior_to_one_other(color: str, rules: str) -> None:
    """VI.1: the strength of a support counts whatever its color. VII: "an inferior unit cannot cut
    support ordered by a superior unit"."""
    for other in COLORS:
        wins = SUPERIOR[color] == other
        against = {"ITALY": [f"{color} A Ven - Tri"], "AUSTRIA": [f"{other} A Tri H"]}
        assert verdicts(against, rules)["VEN"] == ("succeeds" if wins else "fails")
        attack = {"ITALY": ["Red A Ven - Tri", f"{other} A Tyr S A Ven - Tri"],
                  "AUSTRIA": ["Red A Tri H"]}  # fmt: skip
        assert verdicts(attack, rules)["VEN"] == "succeeds"
        cut = verdicts({**attack, "FRANCE": [f"{color} A Pie - Tyr"]}, rules)["TYR"]
        assert cut.partition(" ")[0] == ("given" if SUPERIOR[other] == color else "cut")


def test_ii_position_of_other_rules_has_no_color() -> None:
    with pytest.raises(PositionError, match="units have no color under these rules"):
        dipsat.adjudicate(dipsat.Game.new("arpiesse").position, {}, "datc")


# --- III, IV, XI: units of one color are as in the standard game ----------------------------------


def facts(outcome: dipsat.Outcome) -> list[tuple[str, str, str, str]]:
    """What became of all orders, without the colors."""
    color = re.compile(r"\b(?:Red|Purple|Silver) ")
    return sorted((o.power, color.sub("", o.order), o.verdict, o.fate) for o in outcome.orders)


MOVEMENTS = [case for case in load_cases(["6"]) if case.position.phase.kind.value == "M"]


@pytest.mark.parametrize("rules", few_of(READINGS, 1))
@pytest.mark.parametrize("cases", spread_parts_of(MOVEMENTS, 10))
def test_iii_datc_cases_come_out_as_in_the_standard_game(cases: Sequence[Case], rules: str) -> None:
    for case in cases:
        found = dipsat.adjudicate(case.position, case.orders, rules)
        assert facts(found) == facts(dipsat.adjudicate(case.position, case.orders)), case.name


@pytest.mark.parametrize("color", few_of(COLORS, 1))
@pytest.mark.parametrize("seeds", parts_of(range(40), 4))
def test_iii_boards_of_one_color_come_out_as_in_the_standard_game(seeds: range, color: str) -> None:
    rules = dipsat.load_profile(RULES)
    for seed in seeds:
        board = random_board(seed)
        units = {
            power: [f"{color} {text}" for text in texts] for power, texts in board.units.items()
        }
        position = dipsat.Position.from_units(units, rules=rules)
        found = dipsat.adjudicate(position, board.orders, RULES)
        plain = dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders)
        assert facts(found) == facts(plain), seed
        assert found.contested == plain.contested


# --- VIII: one attack beats every defense ---------------------------------------------------------


def assault(attack: Sequence[str], defense: Sequence[str]) -> str:
    """The result of A MUN - SIL, supported from BOH and BER, against A SIL, supported from WAR;
    each side by colors, of which the first is that of the unit itself."""
    orders = {
        "GERMANY": [f"{attack[0]} A MUN - SIL"]
        + [f"{c} A {p} S A MUN - SIL" for c, p in zip(attack[1:], ("BOH", "BER"), strict=False)],
        "RUSSIA": [f"{defense[0]} A SIL H", *(f"{c} A WAR S A SIL" for c in defense[1:])],
    }
    return verdicts(orders)["MUN"]


@pytest.mark.parametrize(
    ("attack", "defense", "verdict"),
    [
        # 1: every color has the full strength: 3 purple against 2 purple, and superior to red.
        ("Red Purple Silver", "Red Purple", "succeeds"), ("Red Purple", "Red Purple", "fails"),
        # 2: one attack must beat each defense.
        ("Silver", "Purple", "succeeds"), ("Silver", "Purple Silver", "fails"),
        ("Silver Silver Silver", "Purple Silver", "succeeds"),
        # 3: one attack for each defense is not enough: silver beats purple and ties silver, red
        # beats silver and is inferior to purple.
        ("Silver Red", "Purple Silver", "fails"),
        # 4: not every attack must beat every defense: red beats silver, purple is inferior.
        ("Red Purple", "Silver", "succeeds"),
    ],
)  # fmt: skip
def test_viii_one_attack_must_beat_every_defense(attack: str, defense: str, verdict: str) -> None:
    assert assault(attack.split(), defense.split()) == verdict


# --- IX: several units, several colors ------------------------------------------------------------


def race(one: Sequence[str], other: Sequence[str]) -> tuple[str, str]:
    """The results of A VEN and A BUD, which both go to TRI, each with supports of these colors."""
    orders = {
        "ITALY": [f"{one[0]} A VEN - TRI"]
        + [f"{c} {u} S A VEN - TRI" for c, u in zip(one[1:], ("A TYR", "F ADR"), strict=False)],
        "AUSTRIA": [f"{other[0]} A BUD - TRI"]
        + [f"{c} A {p} S A BUD - TRI" for c, p in zip(other[1:], ("VIE", "SER"), strict=False)],
    }
    found = verdicts(orders)
    return found["VEN"], found["BUD"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # 1: a unit enters if each of its attacks beats each other; one loss is enough to fail.
        ("Purple", "Red Red Red", ("succeeds", "fails")),
        ("Purple Purple", "Red Red Red", ("succeeds", "fails")),
        ("Red Purple", "Silver", ("fails", "fails")),
        # 2: a unit enters if one attack wins and the others tie; if all tie, nobody enters.
        ("Red Purple", "Red Red", ("succeeds", "fails")),
        ("Red Red", "Red Red", ("fails", "fails")),
        ("Red Purple", "Red Purple", ("fails", "fails")),
    ],
)  # fmt: skip
def test_ix_no_attack_may_lose_and_one_must_win(one: str, other: str, expected: object) -> None:
    assert race(one.split(), other.split()) == expected


def test_ix_units_bounce_in_a_standoff_and_nobody_retreats_there() -> None:
    orders = {"ITALY": ["Purple A Ven - Tri"], "TURKEY": ["Red A Ser - Tri"],
              "AUSTRIA": ["Silver A Bud - Tri"]}  # fmt: skip
    assert adjudicate(orders, RULES).contested == ("TRI",)


@pytest.mark.parametrize("seeds", parts_of(range(60), 4))
def test_ix_3_no_two_units_ever_prevail_against_each_other(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        one, other = ([rng.choice(COLORS) for _ in range(rng.randint(1, 3))] for _ in range(2))
        assert race(one, other) != ("succeeds", "succeeds")


def test_v_6_ring_that_can_neither_go_round_nor_stand_still_fails() -> None:
    # If the purple unit leaves Constantinople, red beats silver there and silver stays in Ankara;
    # then nobody can leave. If it stays, the red attack has failed at once, silver dislodges the
    # purple unit, and all can leave.
    orders = {
        "TURKEY": ["Silver F Ank - Con"], "RUSSIA": ["Purple A Con - Smy"],
        "ITALY": ["Silver A Smy - Ank"], "AUSTRIA": ["Red F Bla - Con"],
    }  # fmt: skip
    outcome = adjudicate(orders, RULES)
    assert not outcome.is_proven
    assert {part.rule for part in outcome.subgraphs if part.rule} == {"all attacks fail"}
    assert set(verdicts(orders).values()) == {"fails"}
    # By IX alone red beats silver whether the purple unit leaves or not.
    assert adjudicate(orders, "arpiesse+inferior_attack=contends").is_proven


MUTUAL = {
    "AUSTRIA": ["Purple A Tyr S A Mun - Boh", "Red A Mun - Boh"],
    "RUSSIA": ["Purple A Boh S A Ven - Tyr", "Red A Ven - Tyr"],
}


@exhaustive
def test_v_6_supports_that_cut_each_other_by_the_colors_they_pass_are_given() -> None:
    """V.6: "all attacks fail"; VII: "an inferior unit cannot cut support ordered by a superior
    unit". Only a purple attack cuts a purple unit's support, and each red army is purple only by
    the support that the other would cut. With these attacks failed, none is left that may cut."""
    outcome = adjudicate(MUTUAL, RULES)
    proof = dipsat.prove(position_of(MUTUAL, RULES), MUTUAL, RULES)
    assert prod(part.resolutions for part in proof.subgraphs) == 2
    assert outcome.order("MUN").reason.code == outcome.order("VEN").reason.code == "cycle_rule"
    expected = {"TYR": "given", "BOH": "given", "MUN": "fails", "VEN": "fails"}
    assert verdicts(MUTUAL) == expected
    assert outcome.order("TYR").reason.text == "nothing cuts it"
    assert colors_of("move_color", "Red A MUN", MUTUAL) == {"red"}
    # By its own color only, each would still dislodge the other's supporter: all attacks fail.
    assert verdicts(MUTUAL, "arpiesse+cutting_color=own") == expected


def test_v_6_where_these_attacks_dislodge_nobody_the_supports_are_given_too() -> None:
    orders = {
        "AUSTRIA": [*MUTUAL["AUSTRIA"], "Purple A Pie S A Tyr"],
        "RUSSIA": [*MUTUAL["RUSSIA"], "Purple A Sil S A Boh"],
    }
    outcome = adjudicate(orders, RULES)
    assert {part.rule for part in outcome.subgraphs if part.rule} == {"no color is passed"}
    assert verdicts(orders) == {
        "TYR": "given", "BOH": "given", "MUN": "fails", "VEN": "fails", "PIE": "given",
        "SIL": "given",
    }  # fmt: skip


# --- X: retreats ----------------------------------------------------------------------------------


def retreats(*colors: str) -> list[str]:
    """Who is left of units in PAR, RUH and PIC that all retreat to BUR."""
    places = ("PAR", "RUH", "PIC")[: len(colors)]
    rules = dipsat.load_profile(RULES)
    lost = {
        power: {f"{color} A {place}": ["BUR"]}
        for power, color, place in zip(("FRANCE", "GERMANY", "ITALY"), colors, places, strict=False)
    }
    position = dipsat.Position.from_units({}, phase="S1901R", dislodged=lost, rules=rules)
    orders = {power: [f"{unit} R BUR" for unit in units] for power, units in lost.items()}
    return [str(unit) for unit in dipsat.adjudicate(position, orders, RULES).units_after]


@pytest.mark.parametrize(
    ("colors", "left"),
    [("Red Silver", ["Red A BUR"]), ("Red Silver Silver", ["Red A BUR"]),
     ("Red Red", []), ("Red Red Silver", []), ("Red Purple Silver", [])],
)  # fmt: skip
def test_x_only_a_unit_superior_to_all_others_retreats(colors: str, left: list[str]) -> None:
    assert retreats(*colors.split()) == left


# --- XII: exchange --------------------------------------------------------------------------------


def test_xii_is_optional_and_left_out_by_default() -> None:
    game = dipsat.Game.new("arpiesse")
    game.advance()
    assert str(game.phase) == "F1901M"
    game = dipsat.Game.new(SUMMER)
    game.advance()
    assert str(game.phase) == "U1901X"


@pytest.mark.parametrize("verb", ["X", "exchange with", "exch", "Exchanges", "x with"])
def test_xii_any_unambiguous_way_to_write_it_will_do(verb: str) -> None:
    outcome = summer({"ITALY": [f"Purple F Adr {verb} A Tri"], "AUSTRIA": ["Red A Tri X F Adr"]})
    assert outcome.units["ITALY"] == ("Red F ADR",)


def test_xii_exchange_needs_the_same_order_of_both() -> None:
    alone = summer({"ITALY": ["Purple F Adr X A Tri"], "AUSTRIA": ["Silver A Tri X A Ser"],
                    "TURKEY": ["Red A Ser X F Adr"]})  # fmt: skip
    assert alone.order("ADR").verdict == alone.order("TRI").verdict == "fails"
    assert alone.order("ADR").reason.text.startswith("the other unit does not order the same")
    assert alone.order("SER").verdict == "illegal"
    assert alone.units["ITALY"] == ("Purple F ADR",)
    units = {"ITALY": ["Purple F Adr"], "AUSTRIA": ["Silver A Tri"]}
    colored = summer({"ITALY": ["F Adr X Red A Tri"], "AUSTRIA": ["A Tri X F Adr"]}, units)
    assert colored.order("ADR").reason.code == "attribute_wrong"
    assert colored.units["ITALY"] == ("Purple F ADR",)


def test_xii_legal_exchanges_are_those_in_reach() -> None:
    rules = dipsat.load_profile(SUMMER)
    units = {"FRANCE": ["Red F GAS", "Silver F MAR", "Purple A BUR"], "ITALY": ["Red A VEN"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    game = dipsat.Game(position, rules)
    assert {power: own for power, own in game.all_legal_orders().items() if own} == {
        "FRANCE": {
            "Purple A BUR": ("Purple A BUR X Red F GAS", "Purple A BUR X Silver F MAR"),
            "Red F GAS": ("Red F GAS X Purple A BUR",),
            "Silver F MAR": ("Silver F MAR X Purple A BUR",),
        }
    }
    assert game.legal_orders("F Gas") == ("Red F GAS X Purple A BUR",)


def test_xii_unit_with_two_exchange_orders_exchanges_nothing() -> None:
    outcome = summer({
        "ITALY": ["Purple F Adr X A Tri", "Purple F Adr X A Ven", "Red A Ven X F Adr"],
        "AUSTRIA": ["Silver A Tri X F Adr"],
    })  # fmt: skip
    assert outcome.units == {"AUSTRIA": ("Silver A TRI",), "ITALY": ("Purple F ADR", "Red A VEN")}


# --- engines, whole boards ------------------------------------------------------------------------


def colored_board(seed: int) -> tuple[dipsat.Position, Orders]:
    """A random board whose units have random colors."""
    board, rng = random_board(seed), random.Random(seed)
    units = {p: [f"{rng.choice(COLORS)} {t}" for t in ts] for p, ts in board.units.items()}
    return dipsat.Position.from_units(units, rules=dipsat.load_profile(RULES)), board.orders


@pytest.mark.parametrize(
    "engine", few_of(["partial_information", "recursive_guess", "decision_graph"], 1)
)
@pytest.mark.parametrize("seeds", parts_of(range(30), 3))
def test_published_algorithms_decide_the_same(seeds: range, engine: str) -> None:
    for seed in seeds:
        position, orders = colored_board(seed)
        found = dipsat.adjudicate(position, orders, RULES, engine=engine)
        assert facts(found) == facts(dipsat.adjudicate(position, orders, RULES)), seed


def test_only_the_solver_judges_summer_phases() -> None:
    rules = dipsat.load_profile(SUMMER)
    position = dipsat.Position.from_units({"ITALY": ["F Adr"]}, phase="U1901X", rules=rules)
    with pytest.raises(EngineError, match="knows no orders of the kinds"):
        dipsat.adjudicate(position, {"ITALY": ["F Adr X A Tri"]}, rules, engine="recursive_guess")


@pytest.mark.parametrize("seeds", parts_of(range(90), 8))
def test_boards_of_all_colors_are_judged_and_no_two_units_share_a_province(seeds: range) -> None:
    for seed in seeds:
        position, orders = colored_board(seed)
        outcome = dipsat.adjudicate(position, orders, RULES)
        places = [unit.province for unit in outcome.units_after]
        assert len(set(places)) == len(places)
        assert len(places) + len(outcome.dislodged) == len(position.units)


# --- questions about all orders -------------------------------------------------------------------


@exhaustive
def test_search_proves_that_red_never_takes_a_province_from_a_purple_unit_that_holds() -> None:
    units = {"AUSTRIA": ["Purple A RUM"], "TURKEY": ["Red F BLA", "Red A BUL", "Red A SER"]}
    position = dipsat.Position.from_units(units, rules=dipsat.load_profile(RULES))
    goal, held = dipsat.Achieve("enters(RUM)"), {"AUSTRIA": ["A RUM H"]}
    assert dipsat.search(position, goal, held, rules=RULES).verdict == "impossible"
    with_silver = {**units, "TURKEY": [*units["TURKEY"], "Silver A SEV"]}
    position = dipsat.Position.from_units(with_silver, rules=dipsat.load_profile(RULES))
    assert dipsat.search(position, goal, held, rules=RULES).verdict == "found"


@exhaustive
def test_search_finds_where_the_readings_of_example_4_differ() -> None:
    position = position_of(EXAMPLE_4.orders, RULES)
    other = dipsat.Differ("arpiesse+inferior_attack=contends")
    result = dipsat.search(position, other, rules=RULES)
    assert result.verdict == "found"
    ours, theirs = (
        dipsat.adjudicate(position, result.orders, rules)
        for rules in (RULES, "arpiesse+inferior_attack=contends")
    )
    assert ours.units != theirs.units


def test_files_that_the_page_shows_are_the_examples() -> None:
    text = page("docs/arpiesse.md")
    sheet, renamed, two_colors, exchange = blocks(text, "text") + blocks(text, "yaml")
    for shown, name in (
        (sheet, "arpiesse.txt"),
        (two_colors, "arpiesse-two-colors.yaml"),
        (exchange, "arpiesse-summer.yaml"),
    ):
        lines = page(f"docs/examples/{name}").splitlines()
        assert [line for line in lines if not line.startswith("#")] == shown.splitlines()
    rock = parse_profile(renamed, "rock.yaml")
    orders = {"ITALY": ["Paper A VEN - TRI"], "AUSTRIA": ["Rock A TRI H"]}
    assert adjudicate(orders, rock).order("VEN").verdict == "succeeds"


@exhaustive
@pytest.mark.parametrize("choice", ["4.A.2-1971", "4.A.2-all-hold", "4.A.2-szykman"])
def test_loop_of_colors_fails_whatever_choice_for_convoys_is_laid_over(choice: str) -> None:
    """V.6: all attacks of a loop that cannot be decided fail; a choice of 4.A.2 is about convoys.

    If the ring goes round, red TYS is superior to silver TUN and alone gets into WES; if not,
    purple WES stays and stops red TYS, and silver TUN gets in.
    """
    found = verdicts({
        "AUSTRIA": ["Silver A NAF - TUN"],
        "GERMANY": ["Purple F WES - NAF"],
        "RUSSIA": ["Silver F TUN - WES"],
        "TURKEY": ["Red F TYS - WES"],
    }, f"arpiesse+{choice}")  # fmt: skip
    assert {found[place] for place in ("NAF", "WES", "TUN")} == {"fails"}
