"""How orders are read: every value of every setting (DATC 3.0 and 2.4, 4.A.3, 4.A.6,
4.B to 4.E.1), the legality of convoys, and the fleets that a convoy needs."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from dipsat import Map, Position, adjudicate, load_map, reader_for
from dipsat.equations import Phase, build_phase
from dipsat.game import Ruling, RulingStatus, Submission, judge_orders, route_exists
from dipsat.game.convoys import on_minimal_route
from dipsat.orders import Convoy, Move, SupportHold, SupportMove
from dipsat.rules import Settings, setting_values
from tests.core.test_adjustments import ADJUSTMENT_SETTINGS
from tests.exhaustive import few_of

BOARD = load_map("standard")
READING_SETTINGS = {"order_sets", "undated_order_sets", "poorly_written", "implicit_orders"}
"""Tested in tests/core/test_choices_orders.py."""

# A situation is a text: lines "Power has UNIT, UNIT" and lines "Power: order | fate". A fate is
# "illegal"; "invalid" (legal, but not matched by the orders it needs); "to X by land" or "to X by
# convoy"; "holds"; "counts" (a support or convoy that matches). Every ruling must have its fate.


def _read(situation: str) -> tuple[Position, list[Submission], list[str]]:
    reader = reader_for(BOARD)
    units: dict[str, list[str]] = {}
    submissions: list[Submission] = []
    fates: list[str] = []
    for line in filter(None, map(str.strip, situation.splitlines())):
        power, has, standing = line.partition(" has ")
        if has:
            units[power.upper()] = standing.split(", ")
            continue
        written, _, fate = line.partition(" | ")
        power, _, text = written.partition(": ")
        submissions.append(Submission(power.upper(), text, reader.read(text)))
        fates.append(fate.strip())
    return Position.from_units(units), submissions, fates


def _settings(chosen: dict[str, Any]) -> Settings:
    return replace(Settings(), **chosen)


def _fate(ruling: Ruling, phase: Phase) -> str:
    if ruling.status is RulingStatus.ILLEGAL:
        return "illegal"
    unit = next(facts for facts in phase.units if facts.unit == ruling.unit)
    if unit.index in phase.invalid:
        return "invalid"
    if isinstance(ruling.order, Move):
        (move,) = unit.moves
        return f"to {move.target_location} by {'convoy' if move.convoyed else 'land'}"
    if isinstance(ruling.order, SupportHold | SupportMove):
        assert any(support.unit is unit for support in phase.supports)
        return "counts"
    if isinstance(ruling.order, Convoy):
        assert any(convoy.unit is unit for convoy in phase.convoys)
        return "counts"
    assert not unit.moves
    return "holds"


def judged(situation: str, **chosen: str) -> tuple[tuple[Ruling, ...], Phase]:
    """The rulings of a situation and its facts."""
    position, submissions, _ = _read(situation)
    settings = _settings(dict(chosen))
    rulings = judge_orders(position, submissions, settings)
    return rulings, build_phase(position, rulings, settings)


def check(situation: str, **chosen: str) -> None:
    """Every order of the situation meets the fate written beside it."""
    rulings, phase = judged(situation, **chosen)
    _, submissions, fates = _read(situation)
    assert [ruling.submission for ruling in rulings] == submissions
    found = [f"{r.submission.text} | {_fate(r, phase)}" for r in rulings]
    assert found == [
        f"{submission.text} | {fate}" for submission, fate in zip(submissions, fates, strict=True)
    ]


# --- every value of every setting ----------------------------------------------------------------

SWAP_OWN = """England has A NWY, F SKA
    Russia has A SWE
    England: A Norway - Sweden | to SWE by {}
    England: F Skagerrak Convoys A Norway - Sweden | counts
    Russia: A Sweden - Norway | to NWY by land"""  # 6.G.1
KIDNAP = """England has A NWY
    Russia has F SWE
    Germany has F SKA
    England: A Norway - Sweden | to SWE by {}
    Russia: F Sweden - Norway | to NWY by land
    Germany: F Skagerrak Convoys A Norway - Sweden | counts"""  # 6.G.2
UNOPPOSED = """France has A PIC
    England has F ENG
    France: A Picardy - Belgium | to BEL by {}
    England: F English Channel Convoys A Picardy - Belgium | counts"""  # 6.G.3
ELSEWHERE = """France has A PIC
    England has F ENG, A BEL
    France: A Picardy - Belgium | to BEL by {}
    England: F English Channel Convoys A Picardy - Belgium | counts
    England: A Belgium - Holland | to HOL by land"""  # nor does this one come the other way
ONE_OWN = """Italy has A ROM, F TYS
    Turkey has A APU, F ION
    Italy: A Rome - Apulia | to APU by land
    Italy: F Tyrrhenian Sea Convoys A Apulia - Rome | counts
    Turkey: A Apulia - Rome | to ROM by {}
    Turkey: F Ionian Sea Convoys A Apulia - Rome | counts"""  # 6.G.5
UNINTENDED = """England has A LVP, F ENG
    Germany has A EDI
    France has F IRI, F NTH
    Russia has F NWG, F NAO
    England: A Liverpool - Edinburgh | to EDI by {}
    England: F English Channel Convoys A Liverpool - Edinburgh | counts
    Germany: A Edinburgh - Liverpool | to LVP by land
    France: F Irish Sea Hold | holds
    France: F North Sea Hold | holds
    Russia: F Norwegian Sea Convoys A Liverpool - Edinburgh | counts
    Russia: F North Atlantic Ocean Convoys A Liverpool - Edinburgh | counts"""  # 6.G.6
ILLEGAL_INTENT = """England has F SKA, F NWY
    Russia has A SWE, F BOT
    England: F Skagerrak Convoys A Sweden - Norway | counts
    England: F Norway - Sweden | to SWE by land
    Russia: A Sweden - Norway | to NWY by {}
    Russia: F Gulf of Bothnia Convoys A Sweden - Norway | illegal"""  # 6.G.7
UNNECESSARY = """France has A MAR, F WES
    Italy has F LYO, A SPA
    France: A Marseilles - Spain | to SPA by {}
    France: F Western Mediterranean Convoys A Marseilles - Spain | illegal
    Italy: F Gulf of Lyon Convoys A Marseilles - Spain | counts
    Italy: A Spain - Marseilles | to MAR by land"""  # 6.G.19
HALF_ORDERED = """England has A LVP, F NAO
    Russia has F NWG, A EDI
    England: A Liverpool - Edinburgh | {}
    England: F North Atlantic Ocean Convoys A Liverpool - Edinburgh | counts
    Russia: F Norwegian Sea Hold | holds
    Russia: A Edinburgh - Liverpool | to LVP by land"""
EXPLICIT = """England has A NWY
    Russia has F SWE
    Germany has F SKA
    England: A Norway - Sweden via convoy | to SWE by convoy
    Russia: F Sweden - Norway | to NWY by land
    Germany: F Skagerrak Convoys A Norway - Sweden | counts"""
NOT_THERE = """France has A BEL
    England has F NTH, A HOL
    France: A Belgium - Holland via convoy | {}
    England: F North Sea - Helgoland Bight | to HEL by land
    England: A Holland - Kiel | to KIE by land"""  # 6.G.8

NO_FLEET = """France has A PAR
    France: A Paris - Burgundy via convoy | {}"""
HALF_VIA = """England has A LVP, F NAO
    Russia has F NWG
    England: A Liverpool - Edinburgh via convoy | {}
    England: F North Atlantic Ocean Convoys A Liverpool - Edinburgh | counts
    Russia: F Norwegian Sea Hold | holds"""

CHANNEL = """England has A LON, F NTH
    France has F ENG
    England: A London {} | {}
    France: F English Channel Convoys A London - Wales | counts
    England: F North Sea Hold | holds"""
CHANNEL_AND_NORTH_SEA = """England has A LON, F NTH, F ENG
    England: A London {} | {}
    England: F North Sea Convoys A London - Belgium | {}
    England: F English Channel Convoys A London - Belgium | {}"""

OWN_NO_COAST = """France has F POR, F MAO
    France: F Portugal Supports F Mid-Atlantic Ocean - Spain | {}
    France: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land"""  # 6.B.7
FOREIGN_NO_COAST = """France has F POR
    England has F MAO
    France: F Portugal Supports F Mid-Atlantic Ocean - Spain | {}
    England: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land"""  # 6.B.15
ONE_COAST = """France has F POR
    England has F GAS
    France: F Portugal Supports F Gascony - Spain | {}
    England: F Gascony - Spain(nc) | to SPA/NC by land"""  # 6.B.8, with a foreign fleet
WRONG_COAST = """France has F POR, F MAO
    France: F Portugal Supports F Mid-Atlantic Ocean - Spain(nc) | {}
    France: F Mid-Atlantic Ocean - Spain(sc) | to SPA/SC by land"""  # 6.B.9
RIGHT_COAST = """France has F POR
    England has F MAO
    France: F Portugal Supports F Mid-Atlantic Ocean - Spain(nc) | counts
    England: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land"""
ARMY_TO_COASTS = """France has F POR, A GAS
    France: F Portugal Supports A Gascony - Spain | counts
    France: A Gascony - Spain | to SPA by land"""

UNIT_COAST = """France has F SPA/SC
    France: F Spain(nc) - Gulf of Lyon | {}"""  # 6.B.10
UNIT_COAST_OF_SUPPORTED = """France has F SPA/SC
    Italy has F WES
    France: F Spain(sc) - Mid-Atlantic Ocean | to MAO by land
    Italy: F Western Mediterranean Supports F Spain(nc) - Mid-Atlantic Ocean | {}"""  # 3.2 6.B.17
UNIT_COAST_OF_HOLDING = """Italy has F SPA/SC
    England has F POR
    Italy: F Spain(sc) Holds | holds
    England: F Portugal Supports F Spain(nc) | {}"""  # 3.2 6.B.16

KIND = """France has A PAR, A PIC
    France: {}Paris - Burgundy | {}
    France: A Picardy Supports A Paris | {}"""
KIND_OF_OTHER = """France has A PAR
    Germany has A MUN
    France: A Paris Supports {}Munich - Burgundy | {}
    Germany: A Munich - Burgundy | to BUR by land"""
KIND_BETTER = """France has A PAR
    France: {}Paris - Burgundy | {}
    France: A Paris - Gascony | {}"""
KIND_NO_BETTER = """France has A PAR
    France: {}Paris - Burgundy | to BUR by land
    France: A Paris - London | illegal"""

NATION_SUPPORT = """France has A PAR
    Germany has A MUN
    France: A Paris Supports {}A Munich - Burgundy | {}
    Germany: A Munich - Burgundy | to BUR by land"""
NATION_HOLD = """France has A PAR, A BUR
    Germany has A MUN
    France: A Burgundy Supports {}A Munich | {}
    Germany: A Munich Holds | holds"""
NATION_CONVOY = """France has F ENG
    England has A LON
    France: F English Channel Convoys {}A London - Belgium | {}
    England: A London - Belgium | {}"""
NATION_BETTER = """France has A BUR
    Germany has A MUN, A RUH
    France: A Burgundy Supports {}A Munich | {}
    France: A Burgundy Supports German A Ruhr | {}
    Germany: A Munich Holds | holds
    Germany: A Ruhr Holds | holds"""

TWO_ORDERS = """France has A PAR, A PIC
    France: A Paris - Burgundy | {}
    France: A Paris - Gascony | {}
    France: A Picardy Supports A Paris | {}"""
SAME_TWICE = """France has A PAR
    France: A Paris - Burgundy | to BUR by land
    France: Army Paris moves to Burgundy | to BUR by land"""
ONE_ILLEGAL = """Russia has A MOS, A WAR
    Russia: A Moscow - Munich | illegal
    Russia: A Moscow - Ukraine | to UKR by land
    Russia: A Moscow - Spain | illegal"""

IMPOSSIBLE = """Russia has F RUM
    Austria has A BUD
    Russia: F Rumania - Holland | illegal
    Austria: A Budapest Supports F Rumania | {}"""  # 6.D.28
IMPOSSIBLE_SUPPORT = """Russia has F RUM, F SEV
    Austria has A BUD
    Russia: F Rumania Supports F Sevastopol - Moscow | illegal
    Austria: A Budapest Supports F Rumania | counts"""

NO_CONVOY = """Germany has A YOR
    France has F LON
    Germany: A Yorkshire - Holland | illegal
    France: F London Supports A Yorkshire | {}"""  # 6.D.32
TWICE_IMPOSSIBLE = """Russia has A MOS
    Russia: A Moscow - {} | illegal
    Russia: A Moscow - Ukraine | {}"""
COAST_TWICE = """England has A YOR
    England: A Yorkshire - Holland | illegal
    England: A Yorkshire - London | {}"""
DISORDER = """Austria has A BUD, A VIE
    Russia has A RUM
    Russia: A Rumania Supports A Budapest | {}"""
NOT_DISORDER = """Austria has A BUD, A VIE
    Russia has A RUM
    Austria: A Vienna Holds | holds
    Russia: A Rumania Supports A Budapest | counts"""

VALUES: dict[tuple[str, str], list[str]] = {
    ("adjacent_convoy", "intent"): [  # 2000 and 2023 rules
        SWAP_OWN.format("convoy"), KIDNAP.format("land"), UNOPPOSED.format("land"),
        ONE_OWN.format("convoy"), UNINTENDED.format("convoy"), ILLEGAL_INTENT.format("land"),
        UNNECESSARY.format("land"), ELSEWHERE.format("land"),
        HALF_ORDERED.format("invalid"), EXPLICIT, NOT_THERE.format("invalid"),
    ],
    ("adjacent_convoy", "explicit"): [  # the DPTG
        SWAP_OWN.format("land"), KIDNAP.format("land"), UNOPPOSED.format("land"),
        ONE_OWN.format("land"), UNINTENDED.format("land"), ILLEGAL_INTENT.format("land"),
        UNNECESSARY.format("land"), ELSEWHERE.format("land"),
        HALF_ORDERED.format("to EDI by land"), EXPLICIT, NOT_THERE.format("invalid"),
    ],
    ("adjacent_convoy", "opposed"): [  # 2.4 choice b
        SWAP_OWN.format("convoy"), KIDNAP.format("convoy"), UNOPPOSED.format("land"),
        ONE_OWN.format("convoy"), UNINTENDED.format("convoy"), ILLEGAL_INTENT.format("convoy"),
        UNNECESSARY.format("convoy"), ELSEWHERE.format("land"),
        HALF_ORDERED.format("to EDI by land"), EXPLICIT,
    ],
    ("adjacent_convoy", "always"): [  # 2.4 choice a
        SWAP_OWN.format("convoy"), KIDNAP.format("convoy"), UNOPPOSED.format("convoy"),
        ONE_OWN.format("convoy"), UNINTENDED.format("convoy"), ILLEGAL_INTENT.format("convoy"),
        UNNECESSARY.format("convoy"), ELSEWHERE.format("convoy"),
        HALF_ORDERED.format("to EDI by land"), EXPLICIT,
    ],
    ("via_without_convoy", "stays"): [  # 6.G.8
        NOT_THERE.format("invalid"), NO_FLEET.format("illegal"), HALF_VIA.format("invalid"),
        HALF_ORDERED.format("invalid"), EXPLICIT,
    ],
    ("via_without_convoy", "by land"): [  # 2.4 6.G.8, choices b and c
        NOT_THERE.format("to HOL by land"), NO_FLEET.format("to BUR by land"),
        HALF_VIA.format("to EDI by land"), HALF_ORDERED.format("to EDI by land"), EXPLICIT,
    ],
    ("via_without_convoy", "by land without path"): [  # as before, if no path is named
        NOT_THERE.format("to HOL by land"), NO_FLEET.format("to BUR by land"),
        HALF_VIA.format("to EDI by land"), EXPLICIT,
    ],
    ("via_without_convoy", "by land as via"): [
        NOT_THERE.format("to HOL by land"), NO_FLEET.format("to BUR by land"),
        HALF_VIA.format("to EDI by land"), HALF_ORDERED.format("to EDI by land"), EXPLICIT,
    ],
    ("convoy_path", "ignored"): [  # 4.A.6 a
        CHANNEL_AND_NORTH_SEA.format("- Belgium", "to BEL by convoy", "counts", "counts"),
        CHANNEL_AND_NORTH_SEA.format(
            "- North Sea - Belgium", "to BEL by convoy", "counts", "counts"
        ),
    ],
    ("convoy_path", "allowed"): [  # 4.A.6 b
        CHANNEL_AND_NORTH_SEA.format("- Belgium", "to BEL by convoy", "counts", "counts"),
        CHANNEL_AND_NORTH_SEA.format(
            "- North Sea - Belgium", "to BEL by convoy", "counts", "counts"
        ),
    ],
    ("convoy_path", "required"): [  # 4.A.6 c
        CHANNEL_AND_NORTH_SEA.format("- Belgium", "illegal", "invalid", "invalid"),
        CHANNEL_AND_NORTH_SEA.format("- Belgium via convoy", "illegal", "invalid", "invalid"),
        CHANNEL_AND_NORTH_SEA.format(
            "- North Sea - Belgium", "to BEL by convoy", "counts", "counts"
        ),
    ],
    ("coast_of_two_omitted", "illegal"): [  # 4.B.1; 6.B.1, 6.D.30
        "France has F POR\nFrance: F Portugal - Spain | illegal",
        """Russia has F CON
        Italy has F AEG
        Russia: F Constantinople - Bulgaria | illegal
        Italy: F Aegean Sea Supports F Constantinople | counts""",
    ],
    ("coast_of_two_omitted", "first"): [  # 2.4 4.B.1 b
        "France has F POR\nFrance: F Portugal - Spain | to SPA/SC by land",  # see 2.4 6.B.7
        "Russia has F CON\nRussia: F Constantinople - Bulgaria | to BUL/EC by land",
        "France has F GAS\nFrance: F Gascony - Spain | to SPA/NC by land",
        "Italy has F LYO\nItaly: F Gulf of Lyon - Spain | to SPA/SC by land",
    ],
    ("coast_of_one_omitted", "amended"): [  # 4.B.2 a; 6.B.2
        "France has F GAS\nFrance: F Gascony - Spain | to SPA/NC by land",
        "Italy has F LYO\nItaly: F Gulf of Lyon - Spain | to SPA/SC by land",
        "Russia has F BAR\nRussia: F Barents Sea - St Petersburg | to STP/NC by land",
    ],
    ("coast_of_one_omitted", "illegal"): [  # 4.B.2 b
        "France has F GAS\nFrance: F Gascony - Spain | illegal",
        "France has F GAS\nFrance: F Gascony - Spain(nc) | to SPA/NC by land",
        "France has F GAS\nFrance: F Gascony - Brest | to BRE by land",
        "France has A GAS\nFrance: A Gascony - Spain | to SPA by land",
    ],
    ("coast_of_one_omitted", "first"): [  # 2.4 4.B.2 b
        "France has F GAS\nFrance: F Gascony - Spain | illegal",  # its default coast is another
        "Italy has F LYO\nItaly: F Gulf of Lyon - Spain | to SPA/SC by land",
        "Russia has F BAR\nRussia: F Barents Sea - St Petersburg | to STP/NC by land",
        "France has F GAS\nFrance: F Gascony - Spain(nc) | to SPA/NC by land",
        "France has F GAS\nFrance: F Gascony - Brest | to BRE by land",
    ],
    ("coast_impossible", "illegal"): [  # 4.B.3 b; 6.B.3, 6.D.29
        "France has F GAS\nFrance: F Gascony - Spain(sc) | illegal",
        """Russia has F RUM
        Austria has A BUD
        Russia: F Rumania - Bulgaria(sc) | illegal
        Austria: A Budapest Supports F Rumania | counts""",
    ],
    ("coast_impossible", "amended"): [  # 4.B.3 a
        "France has F GAS\nFrance: F Gascony - Spain(sc) | to SPA/NC by land",
        "Italy has F LYO\nItaly: F Gulf of Lyon - Spain(nc) | to SPA/SC by land",
        "Italy has F MAO\nItaly: F Mid-Atlantic Ocean - Spain(sc) | to SPA/SC by land",
        "Italy has F ION\nItaly: F Ionian Sea - Spain(sc) | illegal",
    ],
    ("support_coast", "required"): [  # 2.4 4.B.4 a
        OWN_NO_COAST.format("illegal"), FOREIGN_NO_COAST.format("illegal"),
        ONE_COAST.format("illegal"), WRONG_COAST.format("invalid"), RIGHT_COAST, ARMY_TO_COASTS,
    ],
    ("support_coast", "own"): [  # 2.4 4.B.4 c, Calhamer
        OWN_NO_COAST.format("counts"), FOREIGN_NO_COAST.format("illegal"),
        ONE_COAST.format("counts"), WRONG_COAST.format("invalid"), RIGHT_COAST, ARMY_TO_COASTS,
    ],
    ("support_coast", "optional"): [  # 2.4 4.B.4 d
        OWN_NO_COAST.format("counts"), FOREIGN_NO_COAST.format("counts"),
        ONE_COAST.format("counts"), WRONG_COAST.format("invalid"), RIGHT_COAST, ARMY_TO_COASTS,
    ],
    ("support_coast", "ignored"): [  # 2.4 4.B.4 e, the DPTG
        OWN_NO_COAST.format("counts"), FOREIGN_NO_COAST.format("counts"),
        ONE_COAST.format("counts"), WRONG_COAST.format("counts"), RIGHT_COAST, ARMY_TO_COASTS,
    ],
    ("support_coast", "first"): [  # 2.4 4.B.4 b
        OWN_NO_COAST.format("invalid"), FOREIGN_NO_COAST.format("invalid"),
        ONE_COAST.format("illegal"), WRONG_COAST.format("invalid"), RIGHT_COAST, ARMY_TO_COASTS,
        OWN_NO_COAST.replace("(nc) | to SPA/NC", "(sc) | to SPA/SC").format("counts"),
    ],
    ("unit_coast_wrong", "ignored"): [  # 4.B.5 b
        UNIT_COAST.format("to LYO by land"), UNIT_COAST_OF_SUPPORTED.format("counts"),
        UNIT_COAST_OF_HOLDING.format("counts"),
        "France has F SPA/NC\nFrance: F Spain(sc) - Gulf of Lyon | illegal",  # 6.B.11
    ],
    ("unit_coast_wrong", "illegal"): [  # 4.B.5 a
        UNIT_COAST.format("illegal"), UNIT_COAST_OF_SUPPORTED.format("illegal"),
        UNIT_COAST_OF_HOLDING.format("illegal"),
        "France has F SPA/SC\nFrance: F Spain(sc) - Gulf of Lyon | to LYO by land",
        "France has F SPA/SC\nFrance: F Spain - Gulf of Lyon | to LYO by land",
    ],
    ("coast_irrelevant", "ignored"): [  # 4.B.6 b; 6.B.12
        "France has A GAS\nFrance: A Gascony - Spain(nc) | to SPA by land",
        "France has F GAS\nFrance: F Gascony - Spain(wc) | to SPA/NC by land",
        "France has F MAO\nFrance: F Mid-Atlantic Ocean - Spain(wc) | illegal",  # as without one
        "France has F MAO\nFrance: F Mid-Atlantic Ocean - Brest(ec) | to BRE by land",
        "France has F BRE\nFrance: F Brest(ec) - Gascony | to GAS by land",
        "France has A SPA\nFrance: A Spain(nc) - Gascony | to GAS by land",
    ],
    ("coast_irrelevant", "illegal"): [  # 4.B.6 a
        "France has A GAS\nFrance: A Gascony - Spain(nc) | illegal",
        "France has F GAS\nFrance: F Gascony - Spain(wc) | illegal",
        "France has F MAO\nFrance: F Mid-Atlantic Ocean - Spain(wc) | illegal",
        "France has F MAO\nFrance: F Mid-Atlantic Ocean - Brest(ec) | illegal",
        "France has F BRE\nFrance: F Brest(ec) - Gascony | illegal",
        "France has A SPA\nFrance: A Spain(nc) - Gascony | illegal",
        "France has F MAO\nFrance: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land",
    ],
    ("kind_missing", "valid"): [  # 4.C.1 b
        KIND.format("", "to BUR by land", "invalid"), KIND_OF_OTHER.format("", "counts"),
        KIND_BETTER.format("", "illegal", "illegal"), KIND_NO_BETTER.format(""),
    ],
    ("kind_missing", "illegal"): [  # 4.C.1 a
        KIND.format("", "illegal", "counts"), KIND_OF_OTHER.format("", "illegal"),
        KIND_BETTER.format("", "illegal", "to GAS by land"),
    ],
    ("kind_missing", "unless named"): [  # 4.C.1 c
        KIND.format("", "to BUR by land", "invalid"), KIND_OF_OTHER.format("", "counts"),
        KIND_BETTER.format("", "illegal", "to GAS by land"),
    ],
    ("kind_wrong", "valid"): [  # 4.C.2 b
        KIND.format("F ", "to BUR by land", "invalid"), KIND_OF_OTHER.format("F ", "counts"),
        KIND_BETTER.format("F ", "illegal", "illegal"), KIND_NO_BETTER.format("F "),
    ],
    ("kind_wrong", "illegal"): [  # 4.C.2 a
        KIND.format("F ", "illegal", "counts"), KIND_OF_OTHER.format("F ", "illegal"),
        KIND_BETTER.format("F ", "illegal", "to GAS by land"),
    ],
    ("kind_wrong", "unless named"): [  # 4.C.2 c
        KIND.format("F ", "to BUR by land", "invalid"), KIND_OF_OTHER.format("F ", "counts"),
        KIND_BETTER.format("F ", "illegal", "to GAS by land"),
    ],
    ("nationality_missing", "valid"): [  # 4.C.5 b
        NATION_SUPPORT.format("", "counts"), NATION_HOLD.format("", "counts"),
        NATION_CONVOY.format("", "counts", "to BEL by convoy"),
        NATION_BETTER.format("", "illegal", "illegal"),
    ],
    ("nationality_missing", "illegal"): [  # 4.C.5 a
        NATION_SUPPORT.format("", "illegal"), NATION_HOLD.format("", "illegal"),
        NATION_CONVOY.format("", "illegal", "invalid"),
        NATION_BETTER.format("", "illegal", "counts"),
        NATION_SUPPORT.format("German ", "counts"), NATION_HOLD.format("Germany's ", "counts"),
        "France has A PAR, A MAR\nFrance: A Paris Supports A Marseilles - Burgundy | counts\n"
        "France: A Marseilles - Burgundy | to BUR by land",  # its own unit needs none
    ],
    ("nationality_missing", "unless named"): [  # 4.C.5 c
        NATION_SUPPORT.format("", "counts"), NATION_HOLD.format("", "counts"),
        NATION_CONVOY.format("", "counts", "to BEL by convoy"),
        NATION_BETTER.format("", "illegal", "counts"),
    ],
    ("nationality_wrong", "valid"): [  # 4.C.6 b
        NATION_SUPPORT.format("Italian ", "counts"), NATION_HOLD.format("Turkish ", "counts"),
        NATION_CONVOY.format("French ", "counts", "to BEL by convoy"),
        NATION_BETTER.format("Russian ", "illegal", "illegal"),
    ],
    ("nationality_wrong", "illegal"): [  # 4.C.6 a
        NATION_SUPPORT.format("Italian ", "illegal"), NATION_HOLD.format("Turkish ", "illegal"),
        NATION_CONVOY.format("French ", "illegal", "invalid"),
        NATION_BETTER.format("Russian ", "illegal", "counts"),
        NATION_SUPPORT.format("German ", "counts"), NATION_SUPPORT.format("", "counts"),
    ],
    ("nationality_wrong", "unless named"): [  # 4.C.6 c
        NATION_SUPPORT.format("Italian ", "counts"), NATION_HOLD.format("Turkish ", "counts"),
        NATION_CONVOY.format("French ", "counts", "to BEL by convoy"),
        NATION_BETTER.format("Russian ", "illegal", "counts"),
    ],
    ("multiple_orders", "hold"): [  # 4.D.3 c
        TWO_ORDERS.format("illegal", "illegal", "counts"), SAME_TWICE, ONE_ILLEGAL,
    ],
    ("multiple_orders", "first"): [  # 4.D.3 a
        TWO_ORDERS.format("to BUR by land", "illegal", "invalid"), SAME_TWICE, ONE_ILLEGAL,
    ],
    ("multiple_orders", "last"): [  # 4.D.3 b
        TWO_ORDERS.format("illegal", "to GAS by land", "invalid"), SAME_TWICE, ONE_ILLEGAL,
    ],
    ("legal", "position"): [  # 4.E.1
        IMPOSSIBLE.format("counts"), IMPOSSIBLE_SUPPORT, NO_CONVOY.format("counts"),
        TWICE_IMPOSSIBLE.format("Munich", "to UKR by land"),
        TWICE_IMPOSSIBLE.format("Sweden", "to UKR by land"), ILLEGAL_INTENT.format("land"),
    ],
    ("legal", "map"): [  # 2.4 4.E.1 c
        IMPOSSIBLE.format("counts"), IMPOSSIBLE_SUPPORT, NO_CONVOY.format("invalid"),
        TWICE_IMPOSSIBLE.format("Munich", "to UKR by land"), ILLEGAL_INTENT.format("land"),
        COAST_TWICE.format("illegal"),
    ],
    ("legal", "places"): [  # 2.4 4.E.1 b
        IMPOSSIBLE.format("invalid"), IMPOSSIBLE_SUPPORT, NO_CONVOY.format("invalid"),
        TWICE_IMPOSSIBLE.format("Munich", "illegal"), ILLEGAL_INTENT.format("land"),
    ],
    ("legal", "format"): [  # 2.4 4.E.1 a
        IMPOSSIBLE.format("invalid"), IMPOSSIBLE_SUPPORT, NO_CONVOY.format("invalid"),
        TWICE_IMPOSSIBLE.format("Munich", "illegal"), ILLEGAL_INTENT.format("land"),
    ],
    ("disorder_support", "given"): [  # 4.D.9 b
        DISORDER.format("counts"), NOT_DISORDER,
    ],
    ("disorder_support", "refused"): [  # 4.D.9 a
        DISORDER.format("invalid"), NOT_DISORDER,
    ],
}  # fmt: skip


def _rows() -> Iterator[Any]:
    for (setting, value), situations in VALUES.items():
        for number, situation in enumerate(situations, start=1):
            name = f"{setting}-{value}-{number}".replace(" ", "_")
            yield pytest.param(setting, value, situation, id=name)


@pytest.mark.parametrize(("setting", "value", "situation"), list(_rows()))
def test_a_setting_reads_orders_as_its_choice_in_the_datc_says(
    setting: str, value: str, situation: str
) -> None:
    check(situation, **{setting: value})


def test_every_value_of_every_setting_is_tested() -> None:
    """Those of the adjustment phase, of centres and victory, and of how orders are handed in and
    read are tested there."""
    assert set(VALUES) == {
        (setting, value)
        for setting, values in setting_values().items()
        for value in values
        if setting not in {*ADJUSTMENT_SETTINGS, *READING_SETTINGS, "victory", "centers_change"}
    }


def test_the_defaults_are_the_preferences_of_datc_3() -> None:
    assert {setting: values[0] for setting, values in setting_values().items()} == {
        "adjacent_convoy": "intent", "via_without_convoy": "stays", "convoy_path": "ignored",
        "coast_of_two_omitted": "illegal", "victory": "map",
        "centers_change": "after retreats",
        "coast_of_one_omitted": "amended", "coast_impossible": "illegal",
        "support_coast": "optional", "unit_coast_wrong": "ignored", "coast_irrelevant": "ignored",
        "kind_missing": "valid", "kind_wrong": "valid", "nationality_missing": "valid",
        "nationality_wrong": "valid", "multiple_orders": "hold", "legal": "position",
        "order_sets": "last unless it adds", "undated_order_sets": "all",
        "disorder_support": "given", "poorly_written": "refused", "implicit_orders": "ignored",
        "build_where": "map", "build_coast_omitted": "illegal", "build_kind_missing": "by place",
        "build_fleet_inland": "illegal", "builds_too_many": "first", "disbands_too_many": "first",
        "builds_in_one_place": "first",
        "waive": "allowed", "civil_disorder": "owned",
    }  # fmt: skip


# --- 4.A.3 and 4.A.6: which way, by which fleets -------------------------------------------------


@pytest.mark.parametrize("value", ["opposed", "always"])
def test_via_convoy_has_no_meaning_where_the_orders_alone_decide(value: str) -> None:
    """DATC 2.4 6.G.8: with choice a, b or c the army takes the land route."""
    check(NOT_THERE.format("to HOL by land"), adjacent_convoy=value)


@pytest.mark.parametrize("value", ["intent", "explicit"])
def test_via_convoy_between_neighbours_that_no_fleet_can_join_is_illegal(value: str) -> None:
    """4.E.1: without fleets at sea the order could never be valid."""
    check(
        "France has A PAR\nFrance: A Paris - Burgundy via convoy | illegal", adjacent_convoy=value
    )
    check(
        "France has A PIC\nFrance: A Picardy - Belgium via convoy | illegal", adjacent_convoy=value
    )


@pytest.mark.parametrize(
    ("path", "fate", "otherwise"),
    [
        ("- North Sea - Wales", "to WAL by land", "illegal"),
        ("- English Channel - Wales", "to WAL by convoy", "to WAL by convoy"),
    ],
)
def test_via_without_the_convoy_of_the_written_path_goes_by_land(
    path: str, fate: str, otherwise: str
) -> None:
    check(CHANNEL.format(path, fate), convoy_path="allowed", via_without_convoy="by land")
    rule = "by land without path"
    situation = CHANNEL.format(path, otherwise)
    if otherwise == "illegal":
        situation = situation.replace("Wales | counts", "Wales | invalid")
    check(situation, convoy_path="allowed", via_without_convoy=rule)


def test_an_army_that_goes_by_land_instead_takes_part_in_a_head_to_head_battle() -> None:
    situation = NOT_THERE.replace("Holland - Kiel | to KIE", "Holland - Belgium | to BEL")
    _, phase = judged(situation.format("to HOL by land"), via_without_convoy="by land")
    army = next(move for move in phase.moves if str(move) == "A BEL - HOL")
    assert [str(move) for move in army.opponents] == ["A HOL - BEL"]
    assert (army.via, army.by_land, army.convoyed) == (True, True, False)


@pytest.mark.parametrize(
    ("value", "path", "fleets"),
    [
        ("ignored", "- North Sea - Belgium", {"NTH", "ENG"}),
        ("ignored", "- Belgium", {"NTH", "ENG"}),
        ("allowed", "- North Sea - Belgium", {"NTH"}),
        ("allowed", "- English Channel - Belgium", {"ENG"}),
        ("allowed", "- Belgium", {"NTH", "ENG"}),
        ("required", "- North Sea - Belgium", {"NTH"}),
    ],
)
def test_a_written_path_says_which_fleets_convoy_unless_paths_are_ignored(
    value: str, path: str, fleets: set[str]
) -> None:
    situation = CHANNEL_AND_NORTH_SEA.format(path, "to BEL by convoy", "counts", "counts")
    check(situation, convoy_path=value)
    _, phase = judged(situation, convoy_path=value)
    (move,) = phase.moves
    assert {convoy.province.code for convoy in move.convoys} == fleets


@pytest.mark.parametrize(
    ("value", "fate"),
    [("ignored", "to BEL by convoy"), ("allowed", "invalid"), ("required", "invalid")],
)
def test_a_path_over_a_fleet_that_does_not_convoy_fails_unless_paths_are_ignored(
    value: str, fate: str
) -> None:
    check(
        f"""England has A LON, F NTH, F ENG
        England: A London - North Sea - Belgium | {fate}
        England: F English Channel Convoys A London - Belgium | counts
        England: F North Sea Holds | holds""",
        convoy_path=value,
    )


def test_an_ignored_path_is_amended_and_said() -> None:
    rulings, _ = judged(
        "England has A LON, F NTH\nEngland: A London - North Sea - Belgium | to BEL by convoy"
    )
    assert rulings[0].status is RulingStatus.AMENDED
    assert isinstance(rulings[0].order, Move)
    assert (rulings[0].order.target, rulings[0].order.path) == ("BEL", ())
    assert "path" in rulings[0].reason


@pytest.mark.parametrize("value", ["intent", "opposed", "always"])
def test_where_paths_are_required_no_army_is_convoyed_to_a_neighbour_without_one(
    value: str,
) -> None:
    """4.A.6: with paths, a player cannot kidnap an army; the convoy fails without the path."""
    check(SWAP_OWN.format("land"), convoy_path="required", adjacent_convoy=value)
    check(KIDNAP.format("land"), convoy_path="required", adjacent_convoy=value)


@pytest.mark.parametrize("value", ["allowed", "required"])
def test_a_path_to_a_neighbour_asks_for_the_convoy(value: str) -> None:
    check(
        KIDNAP.replace("- Sweden |", "- Skagerrak - Sweden |").format("convoy"), convoy_path=value
    )


# --- 4.B: coasts ---------------------------------------------------------------------------------

COAST_OF_SUPPORTED_ARMY = """France has A GAS, A MAR
    France: A Marseilles Supports A Gascony - Spain(nc) | {}
    France: A Gascony - Spain | to SPA by land"""
UNKNOWN_COAST_OF_SUPPORTED_FLEET = """France has F ENG, F MAO
    France: F Mid-Atlantic Ocean Supports F English Channel - Brest(ec) | {}
    France: F English Channel - Brest | to BRE by land"""
COAST_OF_CONVOYED_ARMY = """France has A BRE, F MAO
    France: F Mid-Atlantic Ocean Convoys A Brest - Spain(nc) | {}
    France: A Brest - Spain | {}"""


@pytest.mark.parametrize(("value", "fate"), [("ignored", "counts"), ("illegal", "illegal")])
def test_a_coast_without_meaning_in_a_support_is_taken_as_in_a_move(value: str, fate: str) -> None:
    """4.B.6: "an order that contains an unknown coast, such as ... Brest east coast"."""
    check(COAST_OF_SUPPORTED_ARMY.format(fate), coast_irrelevant=value)
    check(UNKNOWN_COAST_OF_SUPPORTED_FLEET.format(fate), coast_irrelevant=value)


@pytest.mark.parametrize(
    ("value", "fate", "move"),
    [("ignored", "counts", "to SPA by convoy"), ("illegal", "illegal", "invalid")],
)
def test_a_coast_without_meaning_in_a_convoy_is_taken_as_in_a_move(
    value: str, fate: str, move: str
) -> None:
    check(COAST_OF_CONVOYED_ARMY.format(fate, move), coast_irrelevant=value)


def test_an_unknown_coast_that_is_ignored_is_an_omitted_coast() -> None:
    """4.B.6 b and 4.B.2 b together: F Gascony - Spain(wc) is F Gascony - Spain, which fails."""
    check(
        "France has F GAS\nFrance: F Gascony - Spain(wc) | illegal",
        coast_irrelevant="ignored",
        coast_of_one_omitted="illegal",
    )


@pytest.mark.parametrize(
    "order",
    ["F Gascony - Spain", "F Gascony - Spain(wc)", "F Gascony - Brest(nc)", "Gascony - Brest"],
)
def test_what_is_settled_in_an_order_is_said(order: str) -> None:
    rulings, _ = judged(f"France has F GAS\nFrance: {order} | amended")
    assert rulings[0].status is RulingStatus.AMENDED
    assert rulings[0].code
    assert rulings[0].reason


def test_a_supporter_need_not_reach_the_coast_of_the_supported_move() -> None:
    """6.B.4."""
    check(
        """France has F GAS, F MAR
        France: F Gascony - Spain(nc) | to SPA/NC by land
        France: F Marseilles Supports F Gascony - Spain(nc) | counts"""
    )


def test_a_supporter_reaches_from_its_own_coast_only() -> None:
    """6.B.5."""
    check(
        """France has F MAR, F SPA/NC
        France: F Marseilles - Gulf of Lyon | to LYO by land
        France: F Spain(nc) Supports F Marseilles - Gulf of Lyon | illegal"""
    )


# --- 4.C: naming ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "kind"), [("kind_missing", ""), ("kind_wrong", "F ")], ids=["missing", "wrong"]
)
def test_a_unit_whose_kind_is_illegal_can_be_supported_to_hold(setting: str, kind: str) -> None:
    """4.C.1 a, 4.C.2 a: "the order is invalid (the unit can receive hold support)"."""
    situation = KIND.format(kind, "illegal", "counts")
    check(situation, **{setting: "illegal"})
    check(situation, **{setting: "illegal", "legal": "places"})


@pytest.mark.parametrize(
    ("setting", "kind"), [("kind_missing", ""), ("kind_wrong", "F ")], ids=["missing", "wrong"]
)
def test_two_orders_that_name_the_unit_badly_are_just_two_orders(setting: str, kind: str) -> None:
    """4.C.1 c, 4.C.2 c: neither is ignored, for no other order names the unit properly."""
    for value, fates in (
        ("hold", ("illegal", "illegal")),
        ("first", ("to BUR by land", "illegal")),
        ("last", ("illegal", "to GAS by land")),
    ):
        check(
            f"""France has A PAR
            France: {kind}Paris - Burgundy | {fates[0]}
            France: {kind}Paris - Gascony | {fates[1]}""",
            **{setting: "unless named", "multiple_orders": value},
        )


def test_a_missing_nationality_gives_way_to_a_better_order_even_if_the_kind_is_missing_too() -> (
    None
):
    """4.C.1 b beside 4.C.5 c: the kind does not matter, the nationality does."""
    check(
        """France has A BUR
        Germany has A MUN, A RUH
        France: Burgundy Supports A Munich | illegal
        France: A Burgundy Supports German A Ruhr | counts""",
        nationality_missing="unless named",
    )


# --- 4.D.3: several orders -----------------------------------------------------------------------


@pytest.mark.parametrize("value", ["hold", "first", "last"])
def test_an_order_given_twice_is_one_order(value: str) -> None:
    check(SAME_TWICE, multiple_orders=value)


@pytest.mark.parametrize(
    ("value", "fates"),
    [
        ("first", ("to BUR by land", "illegal", "to BUR by land")),
        ("last", ("to BUR by land", "illegal", "to BUR by land")),
        ("hold", ("illegal", "illegal", "illegal")),
    ],
)
def test_an_order_equal_to_the_one_that_is_used_is_not_illegal(
    value: str, fates: tuple[str, str, str]
) -> None:
    check(
        f"""France has A PAR
        France: A Paris - Burgundy | {fates[0]}
        France: A Paris - Gascony | {fates[1]}
        France: A Paris - Burgundy | {fates[2]}""",
        multiple_orders=value,
    )


@pytest.mark.parametrize("legal", ["position", "places"])
def test_a_unit_with_several_orders_holds_and_can_be_supported(legal: str) -> None:
    """4.D.3 c: "changed in a hold order (able to receive a hold support)"."""
    check(
        TWO_ORDERS.format("illegal", "illegal", "counts"),
        multiple_orders="hold",
        legal=legal,
    )


@pytest.mark.parametrize("legal", ["position", "places"])
def test_a_unit_whose_used_order_is_to_hold_can_be_supported(legal: str) -> None:
    """4.D.3 a: the first order is used, so the possible move that follows has no effect."""
    check(
        """France has A PAR, A PIC
        France: A Paris Holds | holds
        France: A Paris - Gascony | illegal
        France: A Picardy Supports A Paris | counts""",
        multiple_orders="first",
        legal=legal,
    )


def test_the_second_order_is_used_where_the_first_is_illegal() -> None:
    """6.D.31, last paragraph, and the example of 4.E.1."""
    check(
        """Austria has A RUM
        Turkey has F BLA
        Austria: A Rumania - Armenia | to ARM by convoy
        Turkey: F Black Sea Supports A Rumania - Armenia | illegal
        Turkey: F Black Sea Convoys A Rumania - Armenia | counts"""
    )
    check(
        """Germany has F KIE, A HOL
        Germany: F Kiel Hold | holds
        Germany: A Holland Supports Kiel | counts
        Germany: A Holland - Picardy | illegal"""
    )


# --- 4.E.1: what is legal ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "order",
    [
        "A Paris - London", "A Paris - Paris", "A Paris - Gulf of Lyon", "A Paris Supports A Paris",
        "A Paris Supports A Marseilles - Spain", "A Paris Supports A Marseilles - Paris",
        "A Paris Supports F Brest - Burgundy", "A Paris Supports A Munich", "A Munich - Burgundy",
        "A Paris Supports A Burgundy", "A Paris Supports A Gascony - Burgundy",
        "F Mid-Atlantic Ocean Convoys A Gascony - Portugal",
        "A Paris Convoys A Marseilles - Spain", "F Brest Convoys A Marseilles - Spain",
        "F Mid-Atlantic Ocean Convoys F Brest - Portugal", "A London - Wales",
        "F Mid-Atlantic Ocean Convoys A Paris - Portugal", "F Brest - Paris",
        "A Marseilles - Marseilles via convoy",
    ],
)  # fmt: skip
def test_an_order_that_could_never_be_carried_out_is_illegal(order: str) -> None:
    rulings, phase = judged(
        f"""France has A PAR, A MAR, F BRE, F MAO
        England has A LON
        France: {order} | illegal"""
    )
    assert [ruling.status for ruling in rulings] == [RulingStatus.ILLEGAL]
    assert rulings[0].order == rulings[0].submission.order
    assert rulings[0].code
    assert rulings[0].reason
    assert not phase.moves
    assert not phase.invalid


def test_a_support_of_the_units_own_move_is_illegal() -> None:
    """4.E.1: a support must be possible at the same time as what it supports (6.D.31)."""
    check("France has A PAR\nFrance: A Paris Supports A Paris - Burgundy | illegal")


def test_no_submission_is_dropped_and_each_is_judged_for_the_power_that_gave_it() -> None:
    situation = """France has A PAR
        Germany has A MUN
        Germany: A Paris - Burgundy | illegal
        France: A Paris - Burgundy | to BUR by land
        France: A Munich Holds | illegal
        France: A Kiel Holds | illegal
        Germany: A Munich Holds | holds"""
    check(situation)
    rulings, _ = judged(situation)
    assert [ruling.unit and str(ruling.unit) for ruling in rulings] == [
        None, "A PAR", None, None, "A MUN",
    ]  # fmt: skip


def test_a_support_or_convoy_that_nothing_matches_is_invalid_and_not_illegal() -> None:
    """4.E.1: "a non-matching order should be labeled invalid, not illegal" (6.D.25 to 6.D.27)."""
    check(
        """Germany has A BER, F KIE
        Russia has F BAL, A PRU
        Germany: A Berlin Supports A Prussia | invalid
        Germany: F Kiel Supports A Berlin | counts
        Russia: F Baltic Sea Convoys A Berlin - Livonia | invalid
        Russia: A Prussia - Silesia | to SIL by land"""
    )


# --- convoys -------------------------------------------------------------------------------------


def test_a_fleet_cannot_support_a_convoy_that_only_it_could_carry() -> None:
    """6.D.31; the army's move stays legal, for the fleet could convoy it."""
    check(
        """Austria has A RUM
        Turkey has F BLA
        Austria: A Rumania - Armenia | invalid
        Turkey: F Black Sea Supports A Rumania - Armenia | illegal"""
    )


def test_a_fleet_can_support_a_convoy_that_others_could_carry() -> None:
    check(
        """England has A LON, F NTH, F ENG
        England: A London - Belgium | to BEL by convoy
        England: F North Sea Supports A London - Belgium | counts
        England: F English Channel Convoys A London - Belgium | counts"""
    )


def test_a_move_that_no_fleet_on_the_board_could_convoy_is_illegal() -> None:
    """6.D.32."""
    check(
        """England has F EDI, A LVP
        France has F LON
        Germany has A YOR
        England: F Edinburgh Supports A Liverpool - Yorkshire | counts
        England: A Liverpool - Yorkshire | to YOR by land
        France: F London Supports A Yorkshire | counts
        Germany: A Yorkshire - Holland | illegal"""
    )


def test_a_fleet_in_a_coastal_province_does_not_convoy() -> None:
    """6.F.1: there is no other way to Sevastopol, so the army's move is illegal too."""
    check(
        """Turkey has A GRE, F AEG, F CON, F BLA
        Turkey: A Greece - Sevastopol | illegal
        Turkey: F Aegean Sea Convoys A Greece - Sevastopol | illegal
        Turkey: F Constantinople Convoys A Greece - Sevastopol | illegal
        Turkey: F Black Sea Convoys A Greece - Sevastopol | illegal"""
    )


def test_a_fleet_on_no_route_does_not_convoy() -> None:
    """6.F.12 (3.2: a redundant fleet that can be on no route is illegal)."""
    check(
        """England has F ENG, A LON, F IRI
        France has F NAO, F MAO
        England: F English Channel Convoys A London - Belgium | counts
        England: A London - Belgium | to BEL by convoy
        England: F Irish Sea Convoys A London - Belgium | illegal
        France: F North Atlantic Ocean Supports F Mid-Atlantic Ocean - Irish Sea | counts
        France: F Mid-Atlantic Ocean - Irish Sea | to IRI by land"""
    )


def test_an_illegal_convoy_shows_no_intent() -> None:
    """6.G.7, 6.G.19."""
    check(ILLEGAL_INTENT.format("land"))
    check(UNNECESSARY.format("land"))


@pytest.mark.parametrize("legal", ["position", "map", "places", "format"])
@pytest.mark.parametrize("without", ["stays", "by land"])
def test_a_fleet_that_is_part_of_no_possible_convoy_shows_no_intent(
    legal: str, without: str
) -> None:
    """DATC 2.4, 4.A.3 d: "if the fleet is not part of a possible convoy path, then the intent is to
    confuse the judge and therefore the land route should be taken", whether the order is legal or
    not. DATC 3.0, 4.A.3 asks for a fleet "legally ordered to convoy"."""
    check(ILLEGAL_INTENT.format("land"), legal=legal, via_without_convoy=without)
    check(UNNECESSARY.format("land"), legal=legal, via_without_convoy=without)


def test_an_order_that_other_fleets_could_make_possible_shows_intent_where_it_is_legal() -> None:
    """DATC 2.4, 4.E.1 c: a convoy order that "can't be valid" shows none; this one can be."""
    situation = HALF_ORDERED.replace("Russia has F NWG, A EDI", "Russia has A EDI").replace(
        "    Russia: F Norwegian Sea Hold | holds\n", ""
    )
    illegal = situation.replace("| counts", "| illegal")
    check(illegal.format("to EDI by land"), legal="position")
    check(illegal.format("invalid"), legal="map")


def test_without_a_fallback_an_own_fleet_commits_the_army_to_the_convoy() -> None:
    """DATC 3.0, 4.A.3: "there should be no fallback. So, if ordered with 'via convoy' or there is a
    fleet of the same country legally ordered to convoy, only then the convoy route should be
    considered." DATC 2.4, 4.A.3 d, falls back where no route is ordered."""
    check(HALF_ORDERED.format("invalid"))
    check(HALF_ORDERED.format("to EDI by land"), via_without_convoy="by land")
    _, phase = judged(HALF_ORDERED.format("invalid"))
    (mismatch,) = phase.invalid.values()
    assert "F NAO shows that it is to go by convoy" in mismatch.reason


def test_an_illegal_convoy_order_that_commits_the_army_is_named_in_the_reason() -> None:
    """DATC 2.4, 4.E.1 c: an impossible order has effects, here the intent of 4.A.3. The reader of
    the verdict must be able to see what keeps the army from going over land."""
    position = Position.from_units({"ENGLAND": ["A LVP", "F NAO"], "RUSSIA": ["F BAR"]})
    orders = {"ENGLAND": ["A LVP - EDI", "F NAO C A LVP - EDI"]}
    outcome = adjudicate(position, orders, "datc+4.E.1-c")
    assert outcome.order("F NAO").verdict == "illegal"
    assert "F NAO shows that it is to go by convoy" in outcome.order("A LVP").reason.text


def test_an_explicit_convoy_that_is_not_there_is_invalid_and_does_not_go_by_land() -> None:
    """6.G.8 without the fallback."""
    check(NOT_THERE.format("invalid"))


def test_fleets_are_not_convoyed_and_armies_do_not_stop_at_sea() -> None:
    check(
        """England has F LON, A WAL, F ENG
        England: F London - Belgium | illegal
        England: A Wales - English Channel | illegal
        England: F English Channel Convoys F London - Belgium | illegal"""
    )


def test_a_fleet_ordered_via_convoy_goes_its_own_way() -> None:
    check("England has F LON\nEngland: F London - North Sea via convoy | to NTH by land")


# --- the fleets a convoy needs -------------------------------------------------------------------


def _whole(board: Map, origin: str, target: str, fleets: Collection[str]) -> bool:
    """Whether fleets make a whole route, by growing the region an army can reach."""
    at_sea = {
        place for place in board.fleet if board.provinces[place.partition("/")[0]].kind == "sea"
    }

    def beside(province: str) -> set[str]:
        places = [loc for loc in board.fleet if loc.partition("/")[0] == province]
        return {sea for place in places for sea in board.fleet[place] if sea in at_sea}

    reached = beside(origin) & set(fleets)
    while True:
        grown = reached | {sea for place in reached for sea in beside(place) if sea in fleets}
        if grown == reached:
            return bool(reached & beside(target))
        reached = grown


def _needed(board: Map, origin: str, target: str, fleets: Collection[str]) -> set[str]:
    """The fleets without which some set of fleets makes no route any more."""
    whole = {
        frozenset(some)
        for size in range(len(fleets) + 1)
        for some in combinations(sorted(fleets), size)
        if _whole(board, origin, target, some)
    }
    return {fleet for some in whole for fleet in some if some - {fleet} not in whole}


def _sea_sets(seed: int, count: int) -> Iterator[tuple[str, str, list[str]]]:
    """Ends on the coast and up to eight fleets, most of them in one region."""
    rng = random.Random(seed)
    seas, coasts = sorted(BOARD.seas), sorted(BOARD.coastal)
    for _ in range(count):
        region = [rng.choice(seas)]
        size = rng.randint(1, 8)
        while len(region) < size:
            near = sorted({n for sea in region for n in BOARD.water[sea] if n in BOARD.seas})
            fresh = [sea for sea in near if sea not in region]
            pool = fresh if fresh and rng.random() < 0.9 else [s for s in seas if s not in region]
            region.append(rng.choice(pool))
        shores = sorted({n for sea in region for n in BOARD.water[sea] if n in BOARD.coastal})
        origin, target = rng.sample(shores if rng.random() < 0.9 else coasts, 2)
        yield origin, target, region


@pytest.mark.parametrize("seed", few_of(range(8), 3))
def test_the_fleets_on_minimal_routes_are_those_that_some_set_of_fleets_needs(seed: int) -> None:
    sizes = set()
    for origin, target, fleets in _sea_sets(seed, 40):
        expected = _needed(BOARD, origin, target, fleets)
        found = {f for f in fleets if on_minimal_route(BOARD.convoys, origin, target, fleets, f)}
        assert found == expected, (origin, target, fleets)
        assert route_exists(BOARD.convoys, origin, target, fleets) == _whole(
            BOARD, origin, target, fleets
        )
        sizes.add(len(expected))
    assert len(sizes) >= 4  # none, and routes of several lengths


def _shortcut_free(origin: str, target: str) -> set[str]:
    """The seas on paths without shortcuts from coast to coast, all seas being open to it."""
    starts, ends = BOARD.water[origin] & BOARD.seas, BOARD.water[target] & BOARD.seas
    found: set[str] = set()

    def walk(path: list[str]) -> None:
        if path[-1] in ends:
            found.update(path)
            return
        for sea in sorted(BOARD.water[path[-1]] & BOARD.seas - starts):
            if not any(sea in BOARD.water[before] or sea == before for before in path[:-1]):
                walk([*path, sea])

    for start in sorted(starts):
        walk([start])
    return found


def test_fleets_in_all_19_seas_are_judged_for_every_pair_of_coasts_of_some_provinces() -> None:
    assert len(BOARD.seas) == 19
    for origin in ("BRE", "CON", "LON", "SPA", "STP", "TUN"):
        for target in sorted(BOARD.coastal - {origin}):
            found = {
                fleet
                for fleet in sorted(BOARD.seas)
                if on_minimal_route(BOARD.convoys, origin, target, BOARD.seas, fleet)
            }
            assert found == _shortcut_free(origin, target), (origin, target)


@pytest.mark.parametrize(
    ("origin", "target"), [("LON", "LON"), ("PAR", "LON"), ("LON", "PAR"), ("LON", "NTH")]
)
def test_no_convoy_starts_or_ends_inland_at_sea_or_where_it_started(
    origin: str, target: str
) -> None:
    assert not route_exists(BOARD.convoys, origin, target, BOARD.seas)
    assert not any(
        on_minimal_route(BOARD.convoys, origin, target, BOARD.seas, s) for s in BOARD.seas
    )
