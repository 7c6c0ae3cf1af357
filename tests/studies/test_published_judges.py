"""The published algorithms with rules of their own: against profiles on the DATC cases and random
boards, where they differ and by which step, and what their texts say."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from itertools import chain, combinations
from pathlib import Path

import pytest

import dipsat
from dipsat.equations import convoy_path_exists
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
from tools import tables

PAGE = ROOT / "docs" / "algorithms.md"
SAFE = DPjudge(safe_convoys=True)

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
    """The same, as a profile decides."""
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


@exhaustive
def test_dpjudge_decides_all_but_three_datc_cases_as_its_profile() -> None:
    """All in steps 4 and 5: armies that are taken one after the other."""
    found = case_differences(DPjudge(), "judges/dpjudge")
    decided = {"moves", "dislodged", "contested"}  # the other verdicts are words about orders
    differing = {case for case, what in found.items() if what & decided}
    assert differing == {"6.F.23", "6.F.24", "6.F.29"}


@exhaustive
def test_dip_eval_agrees_with_1982_in_every_verdict_of_the_cases() -> None:
    assert case_differences(DipEval(), "1982") == {}


@pytest.mark.parametrize("seeds", parts_of(range(300), 12))
def test_dip_eval_agrees_with_1982_in_every_verdict(seeds: range) -> None:
    assert board_differences(DipEval(), "1982", seeds) == {}


@exhaustive
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


@pytest.mark.parametrize("engine", [DipEval(), DPjudge()], ids=lambda engine: engine.name)
@pytest.mark.parametrize("seeds", parts_of(range(100), 25))
def test_every_dislodged_unit_has_an_attacker_and_provinces_are_not_shared(
    seeds: range, engine: Engine
) -> None:
    """With changed orders of cases of the DATC."""
    for seed in seeds:
        phase = phase_of(troubled_orders(seed), "1982")
        found = engine.decide(phase, load_profile("1982"))
        arriving = [m for m in phase.moves if found.moves[m.index]]
        entered = {m.target.code for m in arriving}
        assert len(entered) == len(arriving)
        left = {m.unit for m in arriving}
        lost = [u.province.code in entered and u not in left for u in phase.units]
        assert list(found.dislodged) == lost
        assert not found.contested & entered


@pytest.mark.parametrize("engine", [DipEval(), DPjudge()], ids=lambda engine: engine.name)
def test_the_profile_is_not_asked(engine: Engine) -> None:
    phase = phase_of(troubled_orders(7), "1982")
    names = ("1971", "1982", "dptg", "datc")
    assert len({engine.decide(phase, load_profile(name)) for name in names}) == 1


# The page.


@exhaustive
def test_page_lists_the_cases_that_differ_with_the_step() -> None:
    rows = tables.read("dpjudge-cases.csv")[1:]
    assert {case: what for case, what, _ in rows} == {
        case: ", ".join(field.name for field in fields(Verdicts) if field.name in what)
        for case, what in case_differences(DPjudge(), "1982").items()
    }
    assert all(re.search(r"Step|cutSupport", cause) for _, _, cause in rows)


EXAMPLES = re.findall(
    r"^```text\n((?:England|France|Austria|Germany|Italy|Russia|Turkey):\n[^`]*?)```\n\n"
    r"By 1982 and by the DPjudge(: .*?)\n\n",
    PAGE.read_text(encoding="utf-8"),
    re.M | re.S,
)
assert len(EXAMPLES) == 5


@pytest.mark.parametrize(("sheet", "said"), EXAMPLES, ids=range(5))
def test_examples_of_the_page_differ_as_it_says_and_need_all_their_units(
    sheet: str, said: str
) -> None:
    phase = parse_phase_text(sheet, str(PAGE))
    entries = [(power, str(text)) for power, texts in phase.orders.items() for text in texts]

    def differing(gone: Collection[tuple[str, str]] = ()) -> dict[str, tuple[bool, bool]]:
        orders: dict[str, list[str]] = {}
        for power, text in entries:
            if (power, text) not in gone:
                orders.setdefault(power, []).append(text)
        mine, theirs = by_profile(orders, "1982"), judged(DPjudge(), orders)
        return {what: (mine[what], theirs[what]) for what in mine if mine[what] != theirs[what]}

    rows = re.findall(r"[:;] ([AF] [^;]+?) (yes|no), (yes|no)", " ".join(said.split()))
    assert {what: (a == "yes", b == "yes") for what, a, b in rows} == differing() != {}
    for gone in (*combinations(entries, 1), *combinations(entries, 2)):
        assert differing(gone) == {}


# The steps of the DPjudge, and the stages of DIP_EVAL.


@pytest.mark.parametrize(("turned", "moving"), [(False, "F EDI - NTH"), (True, "F MAO - ENG")])
def test_steps_4_and_5_let_the_army_that_comes_first_cut(turned: bool, moving: str) -> None:
    """6.F.23, with its units taken forwards or backwards."""
    (case,) = load_cases(["6.F.23"])
    units = case.position.units[:: -1 if turned else 1]
    outcome = dipsat.adjudicate(replace(case.position, units=units), case.orders, "1982")
    assert isinstance(outcome, MovementOutcome)
    found = DPjudge().decide(outcome.facts, outcome.profile)
    assert {str(m) for m in outcome.facts.moves if found.moves[m.index]} == {moving}


def case(name: str) -> str:
    """The orders of a DATC case, a line for each power."""
    (found,) = load_cases([name])
    return "\n".join(f"{power}: {', '.join(texts)}" for power, texts in found.orders.items())


SAFE_CONVOY = {
    "ENGLAND": ["A LON - HOL", "F NTH C A LON - HOL"],
    "FRANCE": ["F ENG - NTH", "F BEL S F ENG - NTH"],
    "GERMANY": ["F SKA - NTH", "F DEN S F SKA - NTH"],
}
SAFE_BOARD = "\n".join(f"{power}: {', '.join(texts)}" for power, texts in SAFE_CONVOY.items())
WATER_OF_A_CONVOY = """\
AUSTRIA: A PIC - BEL VIA, F ENG C A PIC - BEL, A LON - DEN
TURKEY: F NTH C A LON - DEN
RUSSIA: F DEN - NTH
ENGLAND: F BEL S F DEN - NTH"""
RING = "TURKEY: F ANK - CON, A CON - SMY, A SMY - ANK"
STEPS: dict[str, tuple[Engine, str, dict[str, bool]]] = {
    # 6.F.24: A BRE cuts in step 4, so that A NWY arrives in turn, cuts, and disrupts A BRE.
    "step 5 takes back no cut of an army whose convoy fails later": (
        DPjudge(), case("6.F.24"), {"F LON S F EDI - NTH": False, "F ENG C A BRE - LON": False},
    ),
    "step 9 cuts what step 3 has spared for a move": (
        DPjudge(), case("6.D.17"), {"F CON S F BLA - ANK": False},
    ),
    "step 9 cuts what step 3 has spared for a unit that holds": (
        DPjudge(), case("6.F.18"), {"F BEL S F NTH": False},
    ),
    # Not in the combat list of its destination, but in that of its own space, with zero.
    "an army whose convoy is disrupted remains where it is": (
        DPjudge(),
        "ENGLAND: A LON - BEL, F NTH C A LON - BEL\nFRANCE: A PIC - BEL, A WAL - LON\n"
        "GERMANY: F HEL - NTH, F SKA S F HEL - NTH",
        {"A PIC - BEL": True, "A LON - BEL": False, "A WAL - LON": False, "A LON": False},
    ),
    "convoys are not safe as usual": (DPjudge(), SAFE_BOARD, {"A LON - HOL": True}),
    "safe convoys fail where several are stronger than the fleet": (
        SAFE, SAFE_BOARD, {"A LON - HOL": False},
    ),
    "safe convoys hold where the fleet is among the strongest": (
        SAFE, SAFE_BOARD + "\nRUSSIA: F NWG S F NTH", {"A LON - HOL": True},
    ),
    "safe convoys hold where all attackers are its own": (
        SAFE, "ENGLAND: " + ", ".join(chain.from_iterable(SAFE_CONVOY.values())),
        {"A LON - HOL": True},
    ),
    # III.1.a: also where the army has nothing to do with that fleet.
    "K1 spares every support into the water of a convoying fleet": (
        DipEval(), WATER_OF_A_CONVOY, {"F BEL S F DEN - NTH": True, "F NTH": True},
    ),
    "the DPjudge does not": (DPjudge(), WATER_OF_A_CONVOY, {"F NTH": False}),
    # The example of K2: X: A Bbb-Aaa; Y: A Ccc-Bbb; A Aaa S A Ccc-Bbb.
    "K2: the attacked unit does not dislodge the supporter": (
        DipEval(), "GERMANY: A MUN - SIL, A BOH H\nRUSSIA: A BER - MUN, A SIL S A BER - MUN",
        {"A SIL S A BER - MUN": True, "A SIL": False, "A MUN": True, "A BER - MUN": True},
    ),
    "K2: the attacked unit dislodges the supporter": (
        DipEval(),
        "GERMANY: A MUN - SIL, A BOH S A MUN - SIL\nRUSSIA: A BER - MUN, A SIL S A BER - MUN",
        {"A SIL S A BER - MUN": False, "A SIL": True, "A MUN": False, "A BER - MUN": True},
    ),
    # Read literally, K2 lets A VIE cut the support of A BUD, so that A SER stays.
    "K2: no nation cuts its own support": (
        DipEval(),
        "TURKEY: A ALB - SER\nGERMANY: A BUD S A ALB - SER, A NAP - ALB, A VIE - BUD\n"
        "RUSSIA: F ION C A NAP - ALB\nFRANCE: A SER S A NAP - ALB",
        {"A SER": True},
    ),
    # III.2.b: A MUN, beaten by A BER, does not keep A PRU out of BER.
    "K3: a beaten opposing attack is without effect": (
        DipEval(), "GERMANY: A BER - MUN, A TYR S A BER - MUN\nFRANCE: A MUN - BER\n"
        "RUSSIA: A PRU - BER", {"A PRU - BER": True, "A MUN": True},
    ),
    "K3: an opposing attack that is not beaten keeps others out": (
        DipEval(), "GERMANY: A BER - MUN\nFRANCE: A MUN - BER\nRUSSIA: A PRU - BER",
        {"A BER - MUN": False, "A MUN - BER": False, "A PRU - BER": False},
    ),
    "K4: units leave in a ring": (
        DipEval(), RING, {"F ANK - CON": True, "A CON - SMY": True, "A SMY - ANK": True},
    ),
    "K4: units stay behind one that fails": (
        DipEval(), f"{RING}\nRUSSIA: A BUL - CON",
        {"F ANK - CON": False, "A CON - SMY": False, "A SMY - ANK": False, "A BUL - CON": False},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("engine", "sheet", "expected"), STEPS.values(), ids=STEPS)
def test_a_step_decides_as_its_text_says(
    engine: Engine, sheet: str, expected: dict[str, bool]
) -> None:
    lines = (line.partition(": ") for line in sheet.splitlines())
    found = judged(engine, {power: texts.split(", ") for power, _, texts in lines})
    assert {what: found[what] for what in expected} == expected


def test_neighbours_need_a_carrier_to_have_a_convoy_path() -> None:
    phase = phase_of({"FRANCE": ["A BRE - PIC VIA", "F ENG C A BRE - PIC"]})
    assert not convoy_path_exists(phase.moves[0], ())
    assert convoy_path_exists(phase.moves[0], phase.convoys)
