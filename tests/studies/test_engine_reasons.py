"""Engines that read no equations give their own reasons: the step that set a mark, the stage that
decided a conflict."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import pytest

from dipsat.game import ConvoyFacts, MoveFacts
from dipsat.outcomes import ReasonedVerdicts, find_engine
from dipsat.rules import load_profile
from dipsat.studies import random_board
from dipsat.studies.datc_runs import load_cases
from tests.exhaustive import exhaustive, parts_of
from tests.phases import adjudicate, phase_of, troubled_orders
from tests.studies.test_engines import run
from tests.studies.test_published_judges import SAFE_CONVOY

Orders = Mapping[str, Sequence[str]]

SWAP = {"GERMANY": ["A BER - MUN"], "FRANCE": ["A MUN - BER"]}
BEATEN = {
    "GERMANY": ["A BER - MUN", "A TYR S A BER - MUN"],
    "FRANCE": ["A MUN - BER"],
    "RUSSIA": ["A PRU - BER"],
}
DISRUPTED = {
    "ENGLAND": ["A LON - HOL", "F NTH C A LON - HOL"],
    "FRANCE": ["A RUH S A LON - HOL"],
    "GERMANY": ["F HEL - NTH", "F SKA S F HEL - NTH"],
}
OWN = {"GERMANY": ["A BER - MUN", "A TYR S A BER - MUN", "A MUN H"]}
NO_HELP = {"GERMANY": ["A TYR S A BOH - MUN", "A MUN H"], "AUSTRIA": ["A BOH - MUN"]}
CUT = {
    "GERMANY": ["A MUN S A BER - SIL", "A BER - SIL"],
    "FRANCE": ["A BUR - MUN"],
    "RUSSIA": ["A SIL H"],
}


def case(name: str) -> dict[str, list[str]]:
    (found,) = load_cases([name])
    return {power: list(texts) for power, texts in found.orders.items()}


# The step is the one in which the DPjudge sets the mark, or DIP_EVAL's chapter IV decides.
TOLD: list[tuple[str, Orders, str, str, tuple[str, ...]]] = [
    ("dpjudge", CUT, "A MUN", r'step 3 marks it "cut": A BUR - MUN attacks it', ("A BUR",)),
    ("dpjudge", CUT, "A BER", r'step 7 marks it "bounce": .* 0 is not greater than 0 of A SIL',
     ("A SIL",)),
    ("dpjudge", SWAP, "A BER", r'step 6 marks it "bounce": .*swap places with A MUN - BER',
     ("A MUN",)),
    ("dpjudge", BEATEN, "A PRU", r'step 7 marks it "bounce": .*; '
     r'step 10 removes the mark "bounce": BER becomes free; step 10 moves it', ("A MUN",)),
    ("dpjudge", DISRUPTED, "A LON", r'step 5 marks it "no convoy": F NTH in danger', ("F NTH",)),
    ("dpjudge", DISRUPTED, "A RUH", r'step 5 marks it "no convoy"', ("A LON",)),
    ("dpjudge", DISRUPTED, "F NTH", r"step 5 finds the fleet in danger: F HEL - NTH", ("F HEL",)),
    ("dpjudge", OWN, "A BER", r'step 8 marks it "bounce": A MUN is of its own power', ("A MUN",)),
    ("dpjudge", NO_HELP, "A BOH", r'step 8 marks it "bounce": the power of A MUN helps it: A TYR',
     ("A MUN", "A TYR")),
    ("dpjudge", case("6.D.17"), "F CON", r'step 9 marks it "cut": F ANK - CON', ("F ANK",)),
    ("dpjudge", case("6.F.24"), "F LON", r'step 4 marks it "cut": A BRE - LON', ("A BRE",)),
    ("dpjudge(safe_convoys)", SAFE_CONVOY, "A LON", r'step 5 marks it "no convoy"', ("F NTH",)),
    ("dip_eval", CUT, "A MUN", r"K2: without effect, A BUR - MUN attacks it", ("A BUR",)),
    ("dip_eval", CUT, "A BER", r"K4: fails, its strength 1 is not greater than 1 of A SIL",
     ("A SIL",)),
    ("dip_eval", SWAP, "A BER", r"K3: fails, neither it nor A MUN - BER wins", ("A MUN",)),
    ("dip_eval", BEATEN, "A BER", r"K3: wins the conflict over MUN", ()),
    ("dip_eval", BEATEN, "A MUN", r"K3: without effect, beaten by A BER - MUN", ("A BER",)),
    ("dip_eval", BEATEN, "A PRU", r"K4: wins the conflict over BER", ()),
    ("dip_eval", DISRUPTED, "A LON", r"K1: without effect, its convoy is disrupted, F NTH",
     ("F NTH",)),
    ("dip_eval", DISRUPTED, "F NTH", r"K1: dislodged by F HEL - NTH", ("F HEL",)),
    ("dip_eval", DISRUPTED, "F HEL", r"K1: wins the conflict over NTH", ()),
    ("dip_eval", case("6.D.17"), "F CON", r"K2: without effect, F ANK - CON dislodges it",
     ("F ANK",)),
    ("dip_eval", case("6.G.13"), "A TRI", r"K2: fails.*; dislodged by F ALB$",
     ("A VEN", "F ALB")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "orders", "unit", "text", "because"),
    TOLD,
    ids=[f"{name}-{unit}-{text[:7]}" for name, _, unit, text, _ in TOLD],
)
def test_reason_names_the_step_and_the_units(
    name: str, orders: Orders, unit: str, text: str, because: tuple[str, ...]
) -> None:
    reason = adjudicate(orders, "1982", engine=name).order(unit).reason
    assert reason.code == "engine"
    assert re.match(text, reason.text), reason.text
    assert reason.because == because


GOOD = {"dpjudge": "step 10 moves it", "dip_eval": "wins the conflict"}
BAD = {"dpjudge": 'marks it "', "dip_eval": "fails|without effect"}


@exhaustive
@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("seeds", parts_of(range(60), 20))
def test_reasons_fit_the_verdicts(seeds: range, name: str) -> None:
    boards: list[Orders] = [random_board(seed).orders for seed in seeds]
    for orders in [*boards, *(troubled_orders(seed) for seed in seeds)]:
        phase = phase_of(orders)
        found = find_engine(name).decide(phase, load_profile("datc"))
        assert isinstance(found, ReasonedVerdicts)
        for unit in phase.units:
            candidate, told = unit.candidate, found.reasons[unit.index]
            if isinstance(candidate, MoveFacts):
                assert (GOOD[name] in told.text) is found.moves[candidate.index]
                assert found.moves[candidate.index] or re.search(BAD[name], told.text)
            elif candidate is not None and not isinstance(candidate, ConvoyFacts):
                is_bad = bool(re.search(BAD[name], told.text))
                assert is_bad is not found.supports[candidate.index]
            assert unit.index not in told.because


@pytest.mark.parametrize("name", GOOD)
def test_reasons_are_shown_and_printed_as_json(name: str) -> None:
    path = "docs/examples/bounce.txt"
    shown = run("adjudicate", path, "--engine", name).output
    assert "gives no reason" not in shown
    printed = json.loads(run("adjudicate", path, "--engine", name, "--json").output)
    (reason,) = [o["reason"] for o in printed["orders"] if o["unit"] == "A MAR"]
    assert reason["code"] == "engine"
    assert "A PIE - MAR" in reason["text"]
    assert reason["because"] == ["A PIE"]
