"""The published algorithms with rules of their own: against profiles on the DATC cases and random
boards, where they differ and by which step, and what their texts say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

import dipsat
from dipsat.board import Map, PowerSetup, Province
from dipsat.equations import Phase, convoy_path_exists
from dipsat.formats import load_cases, parse_phase_text
from dipsat.game import ConvoyFacts
from dipsat.outcomes import Engine, MovementOutcome, Verdicts
from dipsat.rules import load_profile
from dipsat.studies import random_board
from dipsat.studies.dip_eval import DipEval
from dipsat.studies.dpjudge import DPjudge
from tests.agreement import board_differences, case_differences
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, parts_of
from tests.phases import phase_of, troubled_orders

PAGE = ROOT / "docs" / "algorithms.md"
SAFE = DPjudge(safe_convoys=True)
DECIDED = {"moves", "dislodged", "contested"}
"""What becomes of the units; the other verdicts are words about orders."""

Orders = Mapping[str, list[str]]


def judged(engine: Engine, orders: Orders, rules: str = "1982") -> dict[str, bool]:
    """Order -> whether it succeeds, is given or available; unit -> whether it is dislodged."""
    phase = phase_of(orders, rules)
    found = engine.decide(phase, load_profile(rules))
    verdicts = {
        **{str(m): found.moves[m.index] for m in phase.moves},
        **{str(s): found.supports[s.index] for s in phase.supports},
        **{str(c): found.convoys[c.index] for c in phase.convoys},
    }
    return verdicts | {str(u): found.dislodged[u.index] for u in phase.units}


def by_profile(orders: Orders, rules: str) -> dict[str, bool]:
    """The same, as a profile decides it."""
    phase = phase_of(orders, rules)
    units = {power: [" ".join(t.split()[:2]) for t in orders[power]] for power in orders}
    outcome = dipsat.adjudicate(dipsat.Position.from_units(units), orders, rules)
    good = {"succeeds", "given", "available"}
    found = {
        str(unit.candidate): outcome.order(str(unit)).verdict in good
        for unit in phase.units
        if unit.candidate is not None
    }
    lost = {dislodgement.unit for dislodgement in outcome.dislodged}
    return found | {str(unit): str(unit) in lost for unit in phase.units}


# Agreement with profiles.

CASES: dict[tuple[str, str], dict[str, set[str]]] = {
    ("dip_eval", "1982"): {},
    # All in steps 4 and 5: armies that are taken one after the other.
    ("dpjudge", "judges/dpjudge"): {"6.F.23": DECIDED, "6.F.24": DECIDED, "6.F.29": DECIDED},
    # cutSupport: only fleets that convoy the army itself; in 6.G.13, not the army's own space.
    ("dpjudge", "1982"): dict.fromkeys(
        ["6.F.21", "6.F.23", "6.F.24", "6.F.25", "6.F.29", "6.G.13"], DECIDED
    ),
}
ENGINES: dict[str, Engine] = {"dip_eval": DipEval(), "dpjudge": DPjudge()}


@cache
def differences(name: str, rules: str) -> dict[str, set[str]]:
    """Name of a DATC case -> in what a judge and a profile differ there."""
    return case_differences(ENGINES[name], rules)


@exhaustive
@pytest.mark.parametrize(("name", "rules"), CASES)
def test_datc_cases_are_decided_as_by_the_profile_but_for_those_listed(
    name: str, rules: str
) -> None:
    found = differences(name, rules)
    assert {case for case, what in found.items() if what & DECIDED} == CASES[name, rules].keys()


def test_dip_eval_agrees_with_1982_in_every_verdict_of_the_cases() -> None:
    assert differences("dip_eval", "1982") == {}


@pytest.mark.parametrize("seeds", parts_of(range(300), 12))
def test_dip_eval_agrees_with_1982_in_every_verdict(seeds: range) -> None:
    assert board_differences(DipEval(), "1982", seeds) == {}


@pytest.mark.parametrize("safe", [False, True], ids=["plain", "SAFE_CONVOYS"])
@pytest.mark.parametrize("seeds", parts_of(range(300), 12))
def test_dpjudge_agrees_with_its_profile_on_random_boards(
    seeds: range, safe: bool, tmp_path: Path
) -> None:
    path = tmp_path / "safe.yaml"
    path.write_text("extends: [judges/dpjudge, judges/dpjudge-safe-convoys]\n", encoding="utf-8")
    rules = str(path) if safe else "judges/dpjudge"
    found = board_differences(SAFE if safe else DPjudge(), rules, seeds)
    # Step 5 marks what supports an army whose convoy fails; a profile has the support given.
    # Step 1 marks the convoy of an army that goes over land; a profile has it available.
    assert {seed: what for seed, what in found.items() if what - {"supports", "convoys"}} == {}
    for seed in (seed for seed, what in found.items() if "convoys" in what):
        phase = phase_of(random_board(seed).orders, rules)
        assert any(is_over_land(convoy) for convoy in phase.convoys), seed


def is_over_land(convoy: ConvoyFacts) -> bool:
    return not any(move.convoyed for move in convoy.army.moves)


def test_verdicts_on_orders_around_datc_cases_fit_together() -> None:
    for seed in range(100):
        orders = troubled_orders(seed)
        phase = phase_of(orders, "1982")
        mine, theirs = verdicts(DipEval(), phase), verdicts(DPjudge(), phase)
        assert len(mine.moves) == len(theirs.moves) == len(phase.moves)
        for found in (mine, theirs):
            assert_consistent(phase, found)


def verdicts(engine: Engine, phase: Phase) -> Verdicts:
    return engine.decide(phase, load_profile("datc"))


def assert_consistent(phase: Phase, found: Verdicts) -> None:
    """No two units share a province, and every dislodged unit has an attacker."""
    entered = {m.target.code for m in phase.moves if found.moves[m.index]}
    assert len(entered) == sum(found.moves)
    left = {m.unit.index for m in phase.moves if found.moves[m.index]}
    for unit in phase.units:
        is_driven_out = unit.province.code in entered and unit.index not in left
        assert found.dislodged[unit.index] == is_driven_out
    assert not found.contested & entered


@pytest.mark.parametrize("engine", [DipEval(), DPjudge()], ids=lambda engine: engine.name)
def test_the_profile_is_not_asked(engine: Engine) -> None:
    phase = phase_of(troubled_orders(7), "1982")
    names = ("1971", "1982", "dptg", "datc")
    assert len({engine.decide(phase, load_profile(name)) for name in names}) == 1


# The page.


def test_page_lists_the_cases_that_differ_with_the_step() -> None:
    rows = re.findall(
        r"^\| (6\.\w\.\d+) \| ([\w, ]+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.M
    )
    found = differences("dpjudge", "1982")
    assert {case: what for case, what, _ in rows} == {
        case: ", ".join(field.name for field in fields(Verdicts) if field.name in what)
        for case, what in found.items()
    }
    assert all(re.search(r"Step|cutSupport", cause) for _, _, cause in rows)


EXAMPLES = re.findall(
    r"^```text\n(England|France|Austria|Germany|Italy|Russia|Turkey)(:\n[^`]*?)```\n\n"
    r"By 1982 and by the DPjudge(: .*?)\n\n",
    PAGE.read_text(encoding="utf-8"),
    re.M | re.S,
)


@pytest.mark.parametrize("at", range(len(EXAMPLES)))
def test_examples_of_the_page_differ_as_it_says(at: int) -> None:
    first, rest, said = EXAMPLES[at]
    phase = parse_phase_text(first + rest, str(PAGE))
    orders = {power: [str(text) for text in texts] for power, texts in phase.orders.items()}
    mine, theirs = by_profile(orders, "1982"), judged(DPjudge(), orders)
    differ = {what: (mine[what], theirs[what]) for what in mine if mine[what] != theirs[what]}
    rows = re.findall(r"[:;] ([AF] [^;]+?) (yes|no), (yes|no)", " ".join(said.split()))
    assert {what: (a == "yes", b == "yes") for what, a, b in rows} == differ != {}


@pytest.mark.parametrize("at", range(len(EXAMPLES)))
def test_no_unit_and_no_two_units_of_an_example_can_be_left_out(at: int) -> None:
    first, rest, _ = EXAMPLES[at]
    phase = parse_phase_text(first + rest, str(PAGE))
    entries = [(power, str(text)) for power, texts in phase.orders.items() for text in texts]
    for gone in (*combinations(entries, 1), *combinations(entries, 2)):
        fewer: dict[str, list[str]] = {}
        for power, text in entries:
            if (power, text) not in gone:
                fewer.setdefault(power, []).append(text)
        assert by_profile(fewer, "1982") == judged(DPjudge(), fewer)


def test_page_has_examples() -> None:
    assert len(EXAMPLES) == 5


# The steps of the DPjudge.


def moving(name: str, turned: bool) -> set[str]:
    """Which moves of a DATC case succeed, with its units taken forwards or backwards."""
    (case,) = load_cases([name])
    units = case.position.units[:: -1 if turned else 1]
    outcome = dipsat.adjudicate(replace(case.position, units=units), case.orders, "1982")
    assert isinstance(outcome, MovementOutcome)
    found = DPjudge().decide(outcome.facts, outcome.profile)
    return {str(m) for m in outcome.facts.moves if found.moves[m.index]}


def test_steps_4_and_5_let_the_army_that_comes_first_cut() -> None:
    assert moving("6.F.23", turned=False) == {"F EDI - NTH"}
    assert moving("6.F.23", turned=True) == {"F MAO - ENG"}


def test_step_5_takes_back_no_cut_of_an_army_whose_convoy_fails_later() -> None:
    """6.F.24: A BRE cuts in step 4, so that A NWY arrives in turn, cuts, and disrupts A BRE."""
    (case,) = load_cases(["6.F.24"])
    outcome = dipsat.adjudicate(case.position, case.orders, "1982")
    orders = {power: list(texts) for power, texts in case.orders.items()}
    found = judged(DPjudge(), orders)
    assert outcome.order("F LON").verdict == "given"
    assert not found["F LON S F EDI - NTH"]
    assert not found["F ENG C A BRE - LON"]


@pytest.mark.parametrize(
    ("case", "cut"), [("6.D.17", "F CON S F BLA - ANK"), ("6.F.18", "F BEL S F NTH")]
)
def test_step_9_cuts_what_step_3_has_spared(case: str, cut: str) -> None:
    (one,) = load_cases([case])
    found = judged(DPjudge(), {power: list(texts) for power, texts in one.orders.items()})
    assert found[cut] is False


def test_an_army_whose_convoy_is_disrupted_remains_where_it_is() -> None:
    """Not in the combat list of its destination, but in that of its own space, with zero."""
    orders = {
        "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"],
        "FRANCE": ["A PIC - BEL", "A WAL - LON"],
        "GERMANY": ["F HEL - NTH", "F SKA S F HEL - NTH"],
    }
    found = judged(DPjudge(), orders)
    assert found["A PIC - BEL"]
    assert not found["A LON - BEL"]
    assert not found["A WAL - LON"]
    assert not found["A LON"]


SAFE_CONVOY = {
    "ENGLAND": ["A LON - HOL", "F NTH C A LON - HOL"],
    "FRANCE": ["F ENG - NTH", "F BEL S F ENG - NTH"],
    "GERMANY": ["F SKA - NTH", "F DEN S F SKA - NTH"],
}


def test_safe_convoys_fail_where_several_are_stronger_than_the_fleet() -> None:
    assert judged(DPjudge(), SAFE_CONVOY)["A LON - HOL"]
    assert not judged(SAFE, SAFE_CONVOY)["A LON - HOL"]


def test_safe_convoys_hold_where_the_fleet_is_among_the_strongest_or_all_are_its_own() -> None:
    supported = {**SAFE_CONVOY, "ENGLAND": [*SAFE_CONVOY["ENGLAND"], "F NWG S F NTH"]}
    assert judged(SAFE, supported)["A LON - HOL"]
    own = {"ENGLAND": [text for texts in SAFE_CONVOY.values() for text in texts]}
    assert judged(SAFE, own)["A LON - HOL"]


PORTAGE = {"FRANCE": ["F LYO - MAO", "A MAR C F LYO - MAO", "A GAS C F LYO - MAO"]}


def test_armies_carry_a_fleet_with_portage_convoys() -> None:
    rules = load_profile("portage")
    engine = DPjudge(portage_convoy=True)
    assert engine.decide(phase_of(PORTAGE, rules), rules).moves == (True,)


# The stages of DIP_EVAL.


def test_k1_spares_every_support_into_the_water_of_a_convoying_fleet() -> None:
    """III.1.a: also where the army has nothing to do with that fleet."""
    orders = {
        "AUSTRIA": ["A PIC - BEL VIA", "F ENG C A PIC - BEL", "A LON - DEN"],
        "TURKEY": ["F NTH C A LON - DEN"],
        "RUSSIA": ["F DEN - NTH"],
        "ENGLAND": ["F BEL S F DEN - NTH"],
    }
    found = judged(DipEval(), orders)
    assert found["F BEL S F DEN - NTH"]
    assert found["F NTH"]
    assert not judged(DPjudge(), orders)["F NTH"]


@pytest.mark.parametrize("supported", [False, True])
def test_k2_decides_whether_the_attacked_unit_dislodges_the_supporter(supported: bool) -> None:
    """The example of K2: X: A Bbb-Aaa; Y: A Ccc-Bbb; A Aaa S A Ccc-Bbb."""
    help_or_hold = "A BOH S A MUN - SIL" if supported else "A BOH H"
    orders = {
        "GERMANY": ["A MUN - SIL", help_or_hold],
        "RUSSIA": ["A BER - MUN", "A SIL S A BER - MUN"],
    }
    found = judged(DipEval(), orders)
    assert found["A SIL S A BER - MUN"] is not supported
    assert found["A SIL"] is supported
    assert found["A MUN"] is not supported
    assert found["A BER - MUN"]


def test_k2_no_nation_cuts_its_own_support() -> None:
    """Read literally, K2 lets A VIE cut the support of A BUD, so that A SER stays."""
    orders = {
        "TURKEY": ["A ALB - SER"],
        "GERMANY": ["A BUD S A ALB - SER", "A NAP - ALB", "A VIE - BUD"],
        "RUSSIA": ["F ION C A NAP - ALB"],
        "FRANCE": ["A SER S A NAP - ALB"],
    }
    assert judged(DipEval(), orders)["A SER"]


def test_k3_a_beaten_opposing_attack_is_without_effect() -> None:
    """III.2.b: A MUN, beaten by A BER, does not keep A PRU out of BER."""
    orders = {
        "GERMANY": ["A BER - MUN", "A TYR S A BER - MUN"],
        "FRANCE": ["A MUN - BER"],
        "RUSSIA": ["A PRU - BER"],
    }
    found = judged(DipEval(), orders)
    assert found["A PRU - BER"]
    assert found["A MUN"]


def test_k3_an_opposing_attack_that_is_not_beaten_keeps_others_out() -> None:
    """Not succeeding but effective: A MUN and A BER stay, and A PRU does not enter BER."""
    orders = {"GERMANY": ["A BER - MUN"], "FRANCE": ["A MUN - BER"], "RUSSIA": ["A PRU - BER"]}
    assert not any(judged(DipEval(), orders).values())


def test_k4_units_leave_in_a_ring_and_stay_behind_one_that_fails() -> None:
    ring = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    assert list(judged(DipEval(), ring).values())[:3] == [True] * 3
    blocked = {**ring, "RUSSIA": ["A BUL - CON"]}
    assert not any(judged(DipEval(), blocked).values())


# Convoy paths.


def sea_of(count: int, to_target: bool) -> Map:
    """`count` seas, each next to every other; LEFT beside the first, RIGHT beside the last."""
    seas = [f"S{at:02}" for at in range(count)]
    borders = {sea: {other for other in seas if other != sea} for sea in seas}
    borders["LEFT"], borders["RIGHT"] = {seas[0]}, {seas[-1]} if to_target else set()
    borders[seas[0]].add("LEFT")
    if to_target:
        borders[seas[-1]].add("RIGHT")
    provinces = {code: Province(code, code, "sea") for code in seas}
    provinces |= {code: Province(code, code, "coast") for code in ("LEFT", "RIGHT")}
    fleet = {code: frozenset(near) for code, near in borders.items()}
    powers = {"P": PowerSetup("P", (), (), (), ())}
    return Map("sea", "Sea", provinces, {}, fleet, powers)


@pytest.mark.parametrize("count", [2, 20, 200])
@pytest.mark.parametrize("there_is_one", [False, True])
def test_convoy_paths_are_found_among_more_than_could_be_listed(
    count: int, there_is_one: bool
) -> None:
    """Twenty fleets, all next to each other, make about 10^16 paths; each fleet is visited once."""
    board = sea_of(count, there_is_one)
    rules = load_profile("datc")
    units = [f"F {code}" for code in board.provinces if code.startswith("S")]
    orders = [*(f"{unit} C A LEFT - RIGHT" for unit in units), "A LEFT - RIGHT VIA"]
    position = dipsat.Position.from_units({"P": [*units, "A LEFT"]}, board)
    outcome = dipsat.adjudicate(position, {"P": orders}, rules)
    assert isinstance(outcome, MovementOutcome)
    moves, convoys = outcome.facts.moves, outcome.facts.convoys
    assert any(convoy_path_exists(move, convoys) for move in moves) is there_is_one


def test_neighbours_need_a_carrier_to_have_a_convoy_path() -> None:
    phase = phase_of({"FRANCE": ["A BRE - PIC VIA", "F ENG C A BRE - PIC"]})
    assert not convoy_path_exists(phase.moves[0], ())
    assert convoy_path_exists(phase.moves[0], phase.convoys)
