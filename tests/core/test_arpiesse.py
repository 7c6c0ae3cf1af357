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
from tests.oracles.arpiesse_boards import COLORS, READINGS, RULES, Orders, colors_of, verdicts
from tests.pages import blocks, page
from tests.phases import adjudicate, position_of

SUMMER = "arpiesse+color_exchange=on"


# --- the examples ---------------------------------------------------------------------------------


def test_example_1_equivalent_attack_is_as_in_the_standard_game() -> None:
    found = verdicts({
        "ITALY": ["Red A Ven -> Tri", "Red F Adr S Red A Ven -> Tri"],
        "AUSTRIA": ["Red A Tri HOLDS"],
    })  # fmt: skip
    assert found == {"VEN": "succeeds", "ADR": "given", "TRI": "stands dislodged"}


# Bohemia does not border Warsaw, so the attack of the example cannot be ordered; here it comes
# from Galicia.
EXAMPLE_2 = {
    "GERMANY": ["Red A Pru -> War"],
    "RUSSIA": ["Silver A War HOLDS", "Silver A Mos S A War"],
    "AUSTRIA": ["Silver A Gal -> War", "Silver A Sil S A Gal -> War", "Silver A Ukr S A Gal - War"],
}


def test_example_2_superior_attack_succeeds_whatever_the_strengths() -> None:
    found = verdicts(EXAMPLE_2)
    assert (found["PRU"], found["WAR"], found["GAL"]) == ("succeeds", "stands dislodged", "fails")


def test_example_2_without_the_superior_unit_strength_decides() -> None:
    found = verdicts({power: EXAMPLE_2[power] for power in ("RUSSIA", "AUSTRIA")})
    assert (found["GAL"], found["WAR"]) == ("succeeds", "stands dislodged")


def test_example_3_superior_defense_holds_whatever_the_strengths() -> None:
    found = verdicts({
        "ENGLAND": ["Purple F Nth HOLDS"],
        "FRANCE": ["Red F Bel -> Nth", "Red F Eng S F Bel -> Nth"],
    })  # fmt: skip
    assert found == {"NTH": "stands", "BEL": "fails", "ENG": "given"}


EXAMPLE_4 = {
    "AUSTRIA": ["Purple A Rum HOLDS"],
    "RUSSIA": ["Silver A Sev -> Rum"],
    "TURKEY": ["Red F Bla -> Rum"],
}


def test_example_4_attack_that_has_failed_stops_nobody() -> None:
    expected = {"RUM": "stands dislodged", "SEV": "succeeds", "BLA": "fails"}
    assert verdicts(EXAMPLE_4) == expected


def test_example_4_red_beats_silver_once_the_purple_unit_leaves() -> None:
    found = verdicts({**EXAMPLE_4, "AUSTRIA": ["Purple A Rum - Bud"]})
    assert found == {"RUM": "succeeds", "SEV": "fails", "BLA": "succeeds"}


def test_example_5_no_unit_dislodges_one_of_its_own_power() -> None:
    found = verdicts({"TURKEY": ["Red A Bul HOLDS", "Purple A Con -> Bul"]})
    assert found == {"BUL": "stands", "CON": "fails"}


def test_example_6_beleaguered_garrison_stands_though_inferior() -> None:
    found = verdicts({
        "ENGLAND": ["Silver A Bel HOLDS"],
        "FRANCE": ["Red A Bur -> Bel", "Red A Pic S A Bur -> Bel"],
        "GERMANY": ["Red A Ruh -> Bel", "Red A Hol S A Ruh -> Bel"],
    })  # fmt: skip
    assert (found["BEL"], found["BUR"], found["RUH"]) == ("stands", "fails", "fails")


# The example lists the support from Budapest twice.
def test_example_7_attacks_in_a_circle_all_fail() -> None:
    found = verdicts({
        "ITALY": ["Purple A Ven -> Tri"],
        "TURKEY": ["Red A Ser -> Tri", "Red A Alb S Red A Ser -> Tri"],
        "AUSTRIA": ["Silver A Tyr -> Tri", "Silver A Bud S A Tyr -> Tri"],
    })  # fmt: skip
    assert {found[place] for place in ("VEN", "SER", "TYR")} == {"fails"}


def test_example_8_only_a_superior_color_passes() -> None:
    orders = {"RUSSIA": ["Red A Sil HOLDS", "Purple A War S A Sil", "Silver A Pru S A Sil"]}
    assert colors_of("hold_color", "Red A SIL", orders) == {"red", "purple"}
    assert adjudicate(orders, RULES).decisions["hold_strength(SIL)"] == 3


def test_example_9_no_inferior_color_passes_on() -> None:
    orders = {"ENGLAND": ["Purple F Lon S F Nth", "Red F Nth S F Eng", "Silver F Eng HOLDS"]}
    assert colors_of("hold_color", "Red F NTH", orders) == {"red", "purple"}
    assert colors_of("hold_color", "Silver F ENG", orders) == {"silver", "red"}


def summer(orders: Orders) -> dipsat.Outcome:
    verb = re.compile(r"\s(?:x|exch\w*)\s", re.IGNORECASE)
    units = {power: [verb.split(text)[0] for text in texts] for power, texts in orders.items()}
    rules = dipsat.load_profile(SUMMER)
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    return dipsat.adjudicate(position, orders, SUMMER)


def test_example_10_exchange_needs_only_one_that_could_support_the_other() -> None:
    outcome = summer({"ITALY": ["Purple F Adr X A Tri"], "AUSTRIA": ["Silver A Tri X F Adr"]})
    assert outcome.units == {"AUSTRIA": ("Purple A TRI",), "ITALY": ("Silver F ADR",)}
    assert str(outcome.next.phase) == "F1901M"


def test_example_11_fleet_on_a_coast_is_supported_in_its_province() -> None:
    orders = {"RUSSIA": ["Red F StP(SC) X F Nwy"], "ENGLAND": ["Purple F Nwy X F StP(SC)"]}
    assert summer(orders).units == {"ENGLAND": ("Red F NWY",), "RUSSIA": ("Purple F STP/SC",)}


def test_example_12_neighbours_that_cannot_support_exchange_nothing() -> None:
    outcome = summer({"FRANCE": ["Red F Gas X F Mar", "Silver F Mar X F Gas"]})
    assert {order.verdict for order in outcome.orders} == {"illegal"}
    assert outcome.units == {"FRANCE": ("Red F GAS", "Silver F MAR")}


@pytest.mark.parametrize("kinds", ["FA", "AF", "AA"])
def test_example_12_with_an_army_they_do(kinds: str) -> None:
    one, other = f"Red {kinds[0]} Gas", f"Silver {kinds[1]} Mar"
    outcome = summer({"FRANCE": [f"{one} X {other}", f"{other} X {one}"]})
    assert outcome.units == {"FRANCE": (f"Silver {kinds[0]} GAS", f"Red {kinds[1]} MAR")}


# --- I, II: colors --------------------------------------------------------------------------------


def test_i_units_and_locations_are_those_of_the_standard_game_and_all_red() -> None:
    game = dipsat.Game.new("arpiesse")
    assert [str(unit) for unit in game.position.units] == [
        f"Red {unit}" for unit in dipsat.Position.start().units
    ]


def test_i_build_has_any_color_and_red_if_none_is_told() -> None:
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


def test_ii_position_of_other_rules_has_no_color() -> None:
    with pytest.raises(PositionError, match="units have no color under these rules"):
        dipsat.adjudicate(dipsat.Game.new("arpiesse").position, {}, "datc")


@pytest.mark.parametrize(
    ("attacker", "defender", "wins"),
    [
        ("Red", "Silver", True), ("Purple", "Red", True), ("Silver", "Purple", True),
        ("Silver", "Red", False), ("Red", "Purple", False), ("Purple", "Silver", False),
        ("Red", "Red", False), ("Purple", "Purple", False), ("Silver", "Silver", False),
    ],
)  # fmt: skip
def test_ii_each_color_is_superior_to_one_other(attacker: str, defender: str, wins: bool) -> None:
    found = verdicts({"ITALY": [f"{attacker} A Ven - Tri"], "AUSTRIA": [f"{defender} A Tri H"]})
    assert found["VEN"] == ("succeeds" if wins else "fails")


# --- III, IV, XI: units of one color are as in the standard game ----------------------------------


def facts(outcome: dipsat.Outcome) -> list[tuple[str, str, str, str]]:
    """What became of all orders, without the colors."""
    color = re.compile(r"\b(?:Red|Purple|Silver) ")
    return sorted((o.power, color.sub("", o.order), o.verdict, o.fate) for o in outcome.orders)


MOVEMENTS = [case for case in load_cases(["6"]) if case.position.phase.kind.value == "M"]


@pytest.mark.parametrize("rules", few_of(READINGS, 1))
@pytest.mark.parametrize("cases", spread_parts_of(MOVEMENTS, 25))
def test_iii_datc_cases_come_out_as_in_the_standard_game(cases: Sequence[Case], rules: str) -> None:
    for case in cases:
        found = dipsat.adjudicate(case.position, case.orders, rules)
        assert facts(found) == facts(dipsat.adjudicate(case.position, case.orders)), case.name


@pytest.mark.parametrize("color", few_of(COLORS, 1))
@pytest.mark.parametrize("seeds", parts_of(range(40), 12))
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


def test_xi_fleet_of_any_color_convoys() -> None:
    for fleet in COLORS:
        orders = {"ENGLAND": [f"{fleet} F Nth C Red A Lon - Nwy", "Red A Lon - Nwy"]}
        assert verdicts(orders) == {"NTH": "available", "LON": "succeeds"}


# --- V: attacks of several colors -----------------------------------------------------------------


def test_v_1_superior_attack_enters_an_empty_province() -> None:
    found = verdicts({
        "ITALY": ["Purple A Ven - Tyr"],
        "GERMANY": ["Red A Mun - Tyr", "Red A Boh S A Mun - Tyr"],
        "AUSTRIA": ["Red A Vie - Tyr"],
    })  # fmt: skip
    assert (found["VEN"], found["MUN"], found["VIE"]) == ("succeeds", "fails", "fails")


def test_v_4_support_does_not_make_a_unit_of_its_power_be_dislodged_by_strength() -> None:
    found = verdicts({
        "AUSTRIA": ["Red A Tri H", "Red A Tyr S Red A Ven - Tri"],
        "ITALY": ["Red A Ven - Tri"],
    })  # fmt: skip
    assert (found["VEN"], found["TRI"]) == ("fails", "stands")


def test_v_4_support_does_not_make_a_unit_of_its_power_be_dislodged_by_color() -> None:
    orders = {"AUSTRIA": ["Red A Tri H", "Purple A Tyr S Red A Ven - Tri"],
              "ITALY": ["Red A Ven - Tri"]}  # fmt: skip
    assert verdicts(orders)["VEN"] == "fails"
    assert colors_of("move_color", "Red A VEN", orders) == {"red", "purple"}
    assert colors_of("attack_color", "Red A VEN", orders) == {"red"}
    foreign = {"AUSTRIA": ["Red A Tri H"], "TURKEY": ["Purple A Tyr S Red A Ven - Tri"],
               "ITALY": ["Red A Ven - Tri"]}  # fmt: skip
    assert verdicts(foreign)["VEN"] == "succeeds"


def test_v_4_color_of_a_support_counts_once_the_unit_of_its_power_leaves() -> None:
    orders = {"AUSTRIA": ["Red A Tri - Bud", "Purple A Tyr S Red A Ven - Tri"],
              "ITALY": ["Red A Ven - Tri"],
              "TURKEY": ["Red A Ser - Tri", "Red A Alb S A Ser - Tri"]}  # fmt: skip
    assert verdicts(orders)["VEN"] == "succeeds"


def test_v_4_color_that_is_passed_is_a_burden_even_if_it_may_not_dislodge() -> None:
    # The army moves as red and purple; its purple attack loses to the silver one (IX.1).
    orders = {"AUSTRIA": ["Silver A Tri H", "Purple A Tyr S Red A Ven - Tri"],
              "ITALY": ["Red A Ven - Tri"], "TURKEY": ["Silver A Ser - Tri"]}  # fmt: skip
    assert verdicts(orders)["VEN"] == "fails"
    without = {**orders, "AUSTRIA": ["Silver A Tri H", "Purple A Tyr H"]}
    assert verdicts(without)["VEN"] == "succeeds"


def test_v_4_color_of_a_support_does_not_decide_who_may_dislodge_a_unit_of_its_power() -> None:
    # Red ties red; purple would beat it, but it comes from the victim's own power.
    orders = {"AUSTRIA": ["Silver A Tri H", "Purple A Tyr S Red A Ven - Tri"],
              "ITALY": ["Red A Ven - Tri"], "TURKEY": ["Red A Ser - Tri"]}  # fmt: skip
    assert verdicts(orders)["VEN"] == "fails"
    of_others = {**orders, "AUSTRIA": ["Silver A Tri H"],
                 "GERMANY": ["Purple A Tyr S Red A Ven - Tri"]}  # fmt: skip
    assert verdicts(of_others)["VEN"] == "succeeds"


def test_v_5_of_several_equal_attacks_none_dislodges_a_superior_third_does() -> None:
    orders = {"ENGLAND": ["Silver A Bel H"], "FRANCE": ["Red A Bur - Bel", "Red A Pic - Bel"]}
    assert verdicts(orders)["BEL"] == "stands"
    with_purple = {**orders, "GERMANY": ["Purple A Ruh - Bel"]}
    # The purple attack is inferior to the silver defense and has failed; the red ones still tie.
    assert set(verdicts(with_purple).values()) == {"stands", "fails"}


# --- VI: supports ---------------------------------------------------------------------------------


def test_vi_1_strength_of_every_support_counts_whatever_its_color() -> None:
    for color in COLORS:
        orders = {"ITALY": ["Red A Ven - Tri", f"{color} A Tyr S A Ven - Tri"],
                  "AUSTRIA": ["Red A Tri H"]}  # fmt: skip
        assert verdicts(orders)["VEN"] == "succeeds"


def test_vi_1_mover_gets_the_superior_color() -> None:
    orders = {"ITALY": ["Red A Ven - Tri", "Purple A Tyr S A Ven - Tri"],
              "AUSTRIA": ["Red A Tri H", "Red A Bud S A Tri", "Red A Alb S A Tri"]}  # fmt: skip
    assert verdicts(orders)["VEN"] == "succeeds"


def test_vi_2_color_that_is_passed_is_not_passed_on() -> None:
    # The red army is supported by a purple one and so holds as purple too; what it supports gets
    # red, its own color, and not purple.
    orders = {"RUSSIA": ["Silver A Sil H", "Red A War S A Sil", "Purple A Mos S A War"]}
    assert colors_of("hold_color", "Silver A SIL", orders) == {"silver", "red"}
    red = {"RUSSIA": ["Red A Sil H", "Red A War S A Sil", "Purple A Mos S A War"]}
    assert colors_of("hold_color", "Red A SIL", red) == {"red"}


def test_vi_3_supporter_keeps_its_color() -> None:
    """VI.3: "a unit that supports another unit does not give up its color by doing so"."""
    orders = {"RUSSIA": ["Purple A War S A Sil", "Red A Sil H"], "GERMANY": ["Red A Pru - War"]}
    found = verdicts(orders)
    assert (found["WAR"], found["PRU"]) == ("given", "fails")
    assert colors_of("hold_color", "Purple A WAR", orders) == {"purple"}


def test_vi_4_unit_whose_attack_fails_defends_with_its_own_color_only() -> None:
    orders = {
        "ITALY": ["Red A Ven - Tri", "Purple A Tyr S A Ven - Tri"],
        "AUSTRIA": ["Silver A Tri H"],
        "FRANCE": ["Purple A Pie - Ven"],
        "TURKEY": ["Silver A Ser S A Tri"],
    }
    # Its purple attack is inferior to the silver defense, the red one beats it.
    assert verdicts(orders)["VEN"] == "succeeds"
    failed = {**orders, "AUSTRIA": ["Purple A Tri H", "Purple A Vie S A Tri"]}
    found = verdicts(failed)
    assert (found["VEN"], found["PIE"]) == ("fails dislodged", "succeeds")
    holding = {**failed, "ITALY": ["Red A Ven H", "Purple A Tyr S A Ven"]}
    assert verdicts(holding)["VEN"] == "stands"


# --- VII: cutting ---------------------------------------------------------------------------------


def cut(attacker: str, supporter: str, rules: str = RULES) -> str:
    orders = {
        "FRANCE": [f"{attacker} A Pie - Tyr"],
        "ITALY": [f"{supporter} A Tyr S A Ven - Tri", "Red A Ven - Tri"],
        "AUSTRIA": ["Red A Tri H"],
    }
    return verdicts(orders, rules)["TYR"]


@pytest.mark.parametrize("rules", few_of(READINGS, 2))
@pytest.mark.parametrize("supporter", COLORS)
def test_vii_inferior_unit_does_not_cut_the_support_of_a_superior_one(
    supporter: str, rules: str
) -> None:
    superior = {"Red": "Purple", "Purple": "Silver", "Silver": "Red"}
    inferior = {other: color for color, other in superior.items()}
    assert cut(inferior[supporter], supporter, rules) == "given"
    assert cut(supporter, supporter, rules) == "cut"
    assert cut(superior[supporter], supporter, rules).startswith("cut")


def test_vii_cut_support_passes_neither_strength_nor_color() -> None:
    orders = {
        "ITALY": ["Red A Ven - Tri", "Purple A Tyr S A Ven - Tri"],
        "AUSTRIA": ["Red A Tri H"],
        "GERMANY": ["Purple A Mun - Tyr"],
    }
    assert verdicts(orders)["VEN"] == "fails"
    assert colors_of("move_color", "Red A VEN", orders) == {"red"}


def test_vii_dislodged_unit_gives_no_support() -> None:
    # The attack comes from where the support is directed, and so cuts it only by dislodging.
    orders = {
        "ITALY": ["Red A Ven - Tri", "Silver A Tyr S A Ven - Tri"],
        "AUSTRIA": ["Red A Tri - Tyr"],
        "FRANCE": ["Red A Pie H"],
    }
    assert verdicts(orders)["TYR"] == "cut dislodged"


# --- VIII: one attack beats every defense ---------------------------------------------------------


def assault(attack: Sequence[str], defense: Sequence[str]) -> str:
    """What becomes of A MUN - SIL, supported from BOH, BER and PRU, against A SIL, supported from
    WAR and GAL; each by colors, the first that of the unit itself."""
    places, helpers = ("MUN", "BOH", "BER", "PRU"), ("SIL", "WAR", "GAL")
    orders = {
        "GERMANY": [f"{attack[0]} A MUN - SIL"]
        + [f"{c} A {p} S A MUN - SIL" for c, p in zip(attack[1:], places[1:], strict=False)],
        "RUSSIA": [f"{defense[0]} A SIL H"]
        + [f"{c} A {p} S A SIL" for c, p in zip(defense[1:], helpers[1:], strict=False)],
    }
    return verdicts(orders)["MUN"]


def test_viii_1_every_color_has_the_full_strength() -> None:
    # Purple against purple and red: 3 against 2 of the same color, and superior to red.
    assert assault(["Red", "Purple", "Silver"], ["Red", "Purple"]) == "succeeds"
    assert assault(["Red", "Purple"], ["Red", "Purple"]) == "fails"


def test_viii_2_one_attack_must_beat_each_defense() -> None:
    assert assault(["Silver"], ["Purple"]) == "succeeds"
    assert assault(["Silver"], ["Purple", "Silver"]) == "fails"
    assert assault(["Silver", "Silver", "Silver"], ["Purple", "Silver"]) == "succeeds"


def test_viii_3_one_attack_for_each_defense_is_not_enough() -> None:
    # Silver and red against purple and silver: silver beats purple, red beats silver; but neither
    # beats both, for silver only ties silver, and red is inferior to purple.
    assert assault(["Silver", "Red"], ["Purple", "Silver"]) == "fails"


def test_viii_4_not_every_attack_must_beat_every_defense() -> None:
    # Red and purple against silver: red beats it, purple is inferior.
    assert assault(["Red", "Purple"], ["Silver"]) == "succeeds"


# --- IX: several units, several colors ------------------------------------------------------------


def race(one: Sequence[str], other: Sequence[str], *more: str) -> tuple[str, str]:
    """What becomes of A VEN and A BUD, which both go to TRI, each with supports of these colors."""
    orders = {
        "ITALY": [f"{one[0]} A VEN - TRI"]
        + [f"{c} {u} S A VEN - TRI" for c, u in zip(one[1:], ("A TYR", "F ADR"), strict=False)],
        "AUSTRIA": [f"{other[0]} A BUD - TRI"]
        + [f"{c} A {p} S A BUD - TRI" for c, p in zip(other[1:], ("VIE", "SER"), strict=False)],
        "TURKEY": list(more),
    }
    found = verdicts(orders)
    return found["VEN"], found["BUD"]


def test_ix_1_unit_each_of_whose_attacks_beats_each_other_enters() -> None:
    assert race(["Purple"], ["Red", "Red", "Red"]) == ("succeeds", "fails")
    assert race(["Purple", "Purple"], ["Red", "Red", "Red"]) == ("succeeds", "fails")


def test_ix_2_one_that_beats_and_else_ties_enters() -> None:
    # Red and purple against red, both of strength 2: red ties, purple beats.
    assert race(["Red", "Purple"], ["Red", "Red"]) == ("succeeds", "fails")


def test_ix_2_if_all_tie_nobody_enters() -> None:
    assert race(["Red", "Red"], ["Red", "Red"]) == ("fails", "fails")
    assert race(["Red", "Purple"], ["Red", "Purple"]) == ("fails", "fails")


def test_ix_1_one_attack_that_loses_is_enough_to_fail() -> None:
    # Red and purple against silver: red beats it, but purple is inferior.
    assert race(["Red", "Purple"], ["Silver"]) == ("fails", "fails")


@pytest.mark.parametrize("seeds", parts_of(range(60), 8))
def test_ix_3_no_two_units_ever_prevail_against_each_other(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        one, other = ([rng.choice(COLORS) for _ in range(rng.randint(1, 3))] for _ in range(2))
        assert race(one, other) != ("succeeds", "succeeds")


def test_ix_units_bounce_in_a_standoff_and_nobody_retreats_there() -> None:
    orders = {"ITALY": ["Purple A Ven - Tri"], "TURKEY": ["Red A Ser - Tri"],
              "AUSTRIA": ["Silver A Bud - Tri"]}  # fmt: skip
    assert adjudicate(orders, RULES).contested == ("TRI",)


def test_ix_occupied_1_unit_must_prevail_before_it_may_dislodge() -> None:
    # Both could dislodge the silver unit alone; they tie.
    orders = {"ITALY": ["Red A Ven - Tri"], "TURKEY": ["Red A Ser - Tri"],
              "AUSTRIA": ["Silver A Tri H"]}  # fmt: skip
    assert verdicts(orders)["TRI"] == "stands"


def test_ix_occupied_2_unit_that_prevails_must_also_dislodge() -> None:
    # Purple prevails over red, but does not dislodge purple; red has failed at once.
    found = verdicts({
        "ITALY": ["Purple A Ven - Tri"], "TURKEY": ["Red A Ser - Tri"],
        "AUSTRIA": ["Purple A Tri H"],
    })  # fmt: skip
    assert set(found.values()) == {"stands", "fails"}


def test_ix_province_counts_as_empty_if_its_unit_moves_out() -> None:
    orders = {"ITALY": ["Red A Ven - Tri"], "AUSTRIA": ["Purple A Tri - Bud"],
              "TURKEY": ["Silver A Ser - Tri"]}  # fmt: skip
    found = verdicts(orders)
    assert (found["TRI"], found["VEN"], found["SER"]) == ("succeeds", "succeeds", "fails")


def test_head_to_head_superior_unit_beats_the_other() -> None:
    found = verdicts({
        "ITALY": ["Purple A Ven - Tri"],
        "AUSTRIA": ["Red A Tri - Ven", "Red A Tyr S A Tri - Ven"],
    })  # fmt: skip
    assert (found["VEN"], found["TRI"]) == ("succeeds", "fails dislodged")


def test_head_to_head_is_decided_as_in_viii_with_the_colors_of_both_moves() -> None:
    # Red and purple against red of the same strength: purple beats it.
    found = verdicts({
        "ITALY": ["Red A Ven - Tri", "Purple A Tyr S A Ven - Tri"],
        "AUSTRIA": ["Red A Tri - Ven"], "FRANCE": ["Red A Rom S A Tri - Ven"],
    })  # fmt: skip
    assert (found["VEN"], found["TRI"]) == ("succeeds", "fails dislodged")


def test_ring_of_units_goes_round_whatever_the_colors() -> None:
    found = verdicts({"TURKEY": ["Red F Ank - Con", "Purple A Con - Smy", "Silver A Smy - Ank"]})
    assert set(found.values()) == {"succeeds"}


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
    # By the own color only, each would still dislodge the other's supporter: all attacks fail.
    assert verdicts(MUTUAL, "arpiesse+cutting_color=own") == expected


def test_v_6_where_one_of_these_attacks_fails_anyhow_the_supports_are_given_too() -> None:
    # The attacks dislodge nobody, so the cycle is one of supports and colors alone.
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


def test_x_superior_unit_retreats_and_only_the_inferior_ones_are_disbanded() -> None:
    assert retreats("Red", "Silver") == ["Red A BUR"]
    assert retreats("Red", "Silver", "Silver") == ["Red A BUR"]


def test_x_without_a_unit_superior_to_all_others_all_are_disbanded() -> None:
    assert retreats("Red", "Red") == []
    assert retreats("Red", "Red", "Silver") == []
    assert retreats("Red", "Purple", "Silver") == []


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


def test_xii_orders_that_may_be_given_are_those_in_reach() -> None:
    rules = dipsat.load_profile(SUMMER)
    units = {"FRANCE": ["Red F GAS", "Silver F MAR", "Purple A BUR"], "ITALY": ["Red A VEN"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    game = dipsat.Game(position, rules)
    assert game.all_legal_orders() == {
        "Purple A BUR": ("Purple A BUR X Red F GAS", "Purple A BUR X Silver F MAR"),
        "Red F GAS": ("Red F GAS X Purple A BUR",),
        "Silver F MAR": ("Silver F MAR X Purple A BUR",),
        "Red A VEN": (),
    }
    assert game.legal_orders("F Gas") == ("Red F GAS X Purple A BUR",)


def test_xii_unit_with_two_exchange_orders_exchanges_nothing() -> None:
    orders = {"ITALY": ["Purple F Adr X A Tri", "Purple F Adr X A Ven", "Red A Ven X F Adr"],
              "AUSTRIA": ["Silver A Tri X F Adr"]}  # fmt: skip
    rules = dipsat.load_profile(SUMMER)
    units = {"ITALY": ["Purple F Adr", "Red A Ven"], "AUSTRIA": ["Silver A Tri"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    outcome = dipsat.adjudicate(position, orders, SUMMER)
    assert outcome.units == {"AUSTRIA": ("Silver A TRI",), "ITALY": ("Purple F ADR", "Red A VEN")}


def test_xii_order_that_tells_another_color_is_illegal() -> None:
    rules = dipsat.load_profile(SUMMER)
    units = {"ITALY": ["Purple F Adr"], "AUSTRIA": ["Silver A Tri"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    orders = {"ITALY": ["F Adr X Red A Tri"], "AUSTRIA": ["A Tri X F Adr"]}
    outcome = dipsat.adjudicate(position, orders, SUMMER)
    assert outcome.order("ADR").reason.code == "attribute_wrong"
    assert outcome.units["ITALY"] == ("Purple F ADR",)


# --- engines, whole boards ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "engine", few_of(["partial_information", "recursive_guess", "decision_graph"], 1)
)
@pytest.mark.parametrize("seeds", parts_of(range(30), 5))
def test_published_algorithms_decide_the_same(seeds: range, engine: str) -> None:
    rules = dipsat.load_profile(RULES)
    for seed in seeds:
        board, rng = random_board(seed), random.Random(seed)
        units = {p: [f"{rng.choice(COLORS)} {t}" for t in ts] for p, ts in board.units.items()}
        position = dipsat.Position.from_units(units, rules=rules)
        found = dipsat.adjudicate(position, board.orders, rules, engine=engine)
        assert facts(found) == facts(dipsat.adjudicate(position, board.orders, rules)), seed


def test_summer_is_for_the_solver_alone() -> None:
    rules = dipsat.load_profile(SUMMER)
    units = {"ITALY": ["Purple F Adr"], "AUSTRIA": ["Silver A Tri"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    with pytest.raises(EngineError, match="knows no orders of the kinds"):
        dipsat.adjudicate(position, {"ITALY": ["F Adr X A Tri"]}, rules, engine="recursive_guess")


@pytest.mark.parametrize("seeds", parts_of(range(150), 20))
def test_boards_of_all_colors_are_judged_and_no_two_units_share_a_province(seeds: range) -> None:
    rules = dipsat.load_profile(RULES)
    for seed in seeds:
        board, rng = random_board(seed), random.Random(seed)
        units = {p: [f"{rng.choice(COLORS)} {t}" for t in ts] for p, ts in board.units.items()}
        position = dipsat.Position.from_units(units, rules=rules)
        outcome = dipsat.adjudicate(position, board.orders, RULES)
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
    position = position_of(EXAMPLE_4, RULES)
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
