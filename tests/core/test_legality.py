"""How orders are read: every value of every setting (DATC 3.0 and 2.4, 4.A.3, 4.A.6,
4.B to 4.E.1), the legality of convoys, and the fleets that a convoy needs."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any, TypeAlias

import pytest

from dipsat import Position, load_map, reader_for
from dipsat.equations import Phase, build_phase
from dipsat.game import Ruling, RulingStatus, Submission, judge_orders, route_exists
from dipsat.game.convoys import on_minimal_route
from dipsat.orders import Convoy, Move, SupportHold, SupportMove
from dipsat.rules import Settings, setting_values
from tests.core.test_adjustments import ADJUSTMENT_SETTINGS
from tests.exhaustive import exhaustive, few_of
from tests.phases import adjudicate, unit_named

BOARD = load_map("standard")
READING_SETTINGS = {"order_sets", "undated_order_sets", "poorly_written", "implicit_orders"}
"""Tested in tests/core/test_choices_orders.py."""

# A situation is a text of lines "Power: order | fate". Above them, "Power has UNIT, UNIT" is for
# powers whose orders do not name all their units in full. A fate is "illegal"; "invalid" (legal,
# but not matched by the orders it needs); "to X by land" or "to X by convoy"; "holds"; "counts" (a
# support or convoy that matches). Every ruling must have its fate.


def _read(situation: str) -> tuple[Position, list[Submission], list[str]]:
    reader = reader_for(BOARD)
    stated: dict[str, list[str]] = {}
    submissions: list[Submission] = []
    fates: list[str] = []
    for line in filter(None, map(str.strip, situation.splitlines())):
        power, has, standing = line.partition(" has ")
        if has:
            stated[power.upper()] = standing.split(", ")
            continue
        written, _, fate = line.partition(" | ")
        power, _, text = written.partition(": ")
        submissions.append(Submission(power.upper(), text, reader.read(text)))
        fates.append(fate.strip())
    ordered: dict[str, dict[str, None]] = {one.power: {} for one in submissions}
    for one in submissions:
        ordered[one.power][unit_named(reader, one.text).text()] = None
    return Position.from_units({**ordered, **stated}), submissions, fates


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


def judged(situation: str, **chosen: Any) -> tuple[tuple[Ruling, ...], Phase]:
    """The rulings of a situation and its facts."""
    position, submissions, _ = _read(situation)
    settings = Settings(**chosen)
    rulings = judge_orders(position, submissions, settings)
    return rulings, build_phase(position, rulings, settings)


def check(situation: str, **chosen: Any) -> None:
    """Every order of the situation meets the fate written beside it."""
    rulings, phase = judged(situation, **chosen)
    _, submissions, fates = _read(situation)
    assert [ruling.submission for ruling in rulings] == submissions
    found = [f"{r.submission.text} | {_fate(r, phase)}" for r in rulings]
    assert found == [
        f"{submission.text} | {fate}" for submission, fate in zip(submissions, fates, strict=True)
    ]


# --- every value of every setting ----------------------------------------------------------------

SWAP_OWN = """England: A Norway - Sweden | to SWE by {}
    England: F Skagerrak Convoys A Norway - Sweden | counts
    Russia: A Sweden - Norway | to NWY by land"""  # 6.G.1
KIDNAP = """England: A Norway - Sweden | to SWE by {}
    Russia: F Sweden - Norway | to NWY by land
    Germany: F Skagerrak Convoys A Norway - Sweden | counts"""  # 6.G.2
ILLEGAL_INTENT = """England: F Skagerrak Convoys A Sweden - Norway | counts
    England: F Norway - Sweden | to SWE by land
    Russia: A Sweden - Norway | to NWY by {}
    Russia: F Gulf of Bothnia Convoys A Sweden - Norway | illegal"""  # 6.G.7
UNNECESSARY = """France: A Marseilles - Spain | to SPA by {}
    France: F Western Mediterranean Convoys A Marseilles - Spain | illegal
    Italy: F Gulf of Lyon Convoys A Marseilles - Spain | counts
    Italy: A Spain - Marseilles | to MAR by land"""  # 6.G.19
HALF_ORDERED = """England: A Liverpool - Edinburgh | {}
    England: F North Atlantic Ocean Convoys A Liverpool - Edinburgh | counts
    Russia: F Norwegian Sea Hold | holds
    Russia: A Edinburgh - Liverpool | to LVP by land"""
EXPLICIT = """England: A Norway - Sweden via convoy | to SWE by convoy
    Russia: F Sweden - Norway | to NWY by land
    Germany: F Skagerrak Convoys A Norway - Sweden | counts"""
HALF_ORDERED_ALONE = HALF_ORDERED.replace("    Russia: F Norwegian Sea Hold | holds\n", "")
NOT_THERE = """France: A Belgium - Holland via convoy | {}
    England: F North Sea - Helgoland Bight | to HEL by land
    England: A Holland - Kiel | to KIE by land"""  # 6.G.8
OWN_NO_COAST = """France: F Portugal Supports F Mid-Atlantic Ocean - Spain | {}
    France: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land"""  # 6.B.7
TWO_ORDERS = """France: A Paris - Burgundy | {}
    France: A Paris - Gascony | {}
    France: A Picardy Supports A Paris | {}"""
NAMINGS = "valid | illegal | unless named"


def over(path: str) -> str:
    """An army that two fleets can convoy, with its route as written."""
    return f"""England: A London {path} | {{}}
    England: F North Sea Convoys A London - Belgium | {{}}
    England: F English Channel Convoys A London - Belgium | {{}}"""


def _kinds(kind: str) -> dict[str, str]:
    """Situations with a unit whose kind is left out or wrong."""
    return {
        f"""France has A PAR, A PIC
        France: {kind}Paris - Burgundy | {{}}
        France: A Picardy Supports A Paris | {{}}""": (
            "to BUR by land, invalid | illegal, counts | to BUR by land, invalid"
        ),
        f"""France: A Paris Supports {kind}Munich - Burgundy | {{}}
        Germany: A Munich - Burgundy | to BUR by land""": "counts | illegal | counts",
        f"""France has A PAR
        France: {kind}Paris - Burgundy | {{}}
        France: A Paris - Gascony | {{}}""": (
            "illegal, illegal | illegal, to GAS by land | illegal, to GAS by land"
        ),
        f"""France has A PAR
        France: {kind}Paris - Burgundy | to BUR by land
        France: A Paris - London | illegal""": " | - | -",
    }


def _nations(nation: str) -> dict[str, str]:
    """Situations with a unit whose nationality is left out or wrong."""
    return {
        f"""France: A Paris Supports {nation}A Munich - Burgundy | {{}}
        Germany: A Munich - Burgundy | to BUR by land""": "counts | illegal | counts",
        f"""France: A Burgundy Supports {nation}A Munich | {{}}
        Germany: A Munich Holds | holds""": "counts | illegal | counts",
        f"""France: F English Channel Convoys {nation}A London - Belgium | {{}}
        England: A London - Belgium | {{}}""": (
            "counts, to BEL by convoy | illegal, invalid | counts, to BEL by convoy"
        ),
        f"""France: A Burgundy Supports {nation}A Munich | {{}}
        France: A Burgundy Supports German A Ruhr | {{}}
        Germany: A Munich Holds | holds
        Germany: A Ruhr Holds | holds""": "illegal, illegal | illegal, counts | illegal, counts",
    }


# Setting: its values, and situations. Each situation has the text that replaces {} under each
# value, or "-" where the documents do not say.
VALUES: dict[str, tuple[str, dict[str, str]]] = {
    # 2000 and 2023 rules; the DPTG; 2.4 choice b; 2.4 choice a
    "adjacent_convoy": ("intent | explicit | opposed | always", {
        SWAP_OWN: "convoy | land | convoy | convoy",
        KIDNAP: "land | land | convoy | convoy",
        """France: A Picardy - Belgium | to BEL by {}
        England: F English Channel Convoys A Picardy - Belgium | counts""": (  # 6.G.3
            "land | land | land | convoy"
        ),
        """France: A Picardy - Belgium | to BEL by {}
        England: F English Channel Convoys A Picardy - Belgium | counts
        England: A Belgium - Holland | to HOL by land""": (  # A BEL does not oppose it
            "land | land | land | convoy"
        ),
        """Italy: A Rome - Apulia | to APU by land
        Italy: F Tyrrhenian Sea Convoys A Apulia - Rome | counts
        Turkey: A Apulia - Rome | to ROM by {}
        Turkey: F Ionian Sea Convoys A Apulia - Rome | counts""": (  # 6.G.5
            "convoy | land | convoy | convoy"
        ),
        """England: A Liverpool - Edinburgh | to EDI by {}
        England: F English Channel Convoys A Liverpool - Edinburgh | counts
        Germany: A Edinburgh - Liverpool | to LVP by land
        France: F Irish Sea Hold | holds
        France: F North Sea Hold | holds
        Russia: F Norwegian Sea Convoys A Liverpool - Edinburgh | counts
        Russia: F North Atlantic Ocean Convoys A Liverpool - Edinburgh | counts""": (  # 6.G.6
            "convoy | land | convoy | convoy"
        ),
        ILLEGAL_INTENT: "land | land | convoy | convoy",
        UNNECESSARY: "land | land | convoy | convoy",
        HALF_ORDERED: "invalid | to EDI by land | to EDI by land | to EDI by land",
        EXPLICIT: " | | |",
        # 4.E.1: without fleets at sea these orders could never be valid
        "France: A Paris - Burgundy via convoy | illegal": " | | - | -",
        "France: A Picardy - Belgium via convoy | illegal": " | | - | -",
        NOT_THERE: "invalid | invalid | to HOL by land | to HOL by land",  # 6.G.8; 2.4 6.G.8
    }),
    # 6.G.8; 2.4 6.G.8, choices b and c; the same if no path is named
    "via_without_convoy": ("stays | by land | by land without path | by land as via", {
        NOT_THERE: "invalid | to HOL by land | to HOL by land | to HOL by land",
        "France: A Paris - Burgundy via convoy | {}": (
            "illegal | to BUR by land | to BUR by land | to BUR by land"
        ),
        """England: A Liverpool - Edinburgh via convoy | {}
        England: F North Atlantic Ocean Convoys A Liverpool - Edinburgh | counts
        Russia: F Norwegian Sea Hold | holds""": (
            "invalid | to EDI by land | to EDI by land | to EDI by land"
        ),
        HALF_ORDERED: "invalid | to EDI by land | - | to EDI by land",
        EXPLICIT: " | | |",
    }),
    # 4.A.6 a, b, c
    "convoy_path": ("ignored | allowed | required", {
        over("- Belgium"): (
            "to BEL by convoy, counts, counts | to BEL by convoy, counts, counts | "
            "illegal, invalid, invalid"
        ),
        over("- Belgium via convoy"): "- | - | illegal, invalid, invalid",
        """England: A London - North Sea - Belgium | {}
        England: F English Channel Convoys A London - Belgium | counts
        England: F North Sea Holds | holds""": "to BEL by convoy | invalid | invalid",
        KIDNAP.replace("- Sweden |", "- Skagerrak - Sweden |"): "- | convoy | convoy",
        over("- North Sea - Belgium"): (
            "to BEL by convoy, counts, counts | to BEL by convoy, counts, counts | "
            "to BEL by convoy, counts, counts"
        ),
    }),
    # 4.B.1, 6.B.1, 6.D.30; 2.4 4.B.1 b (see 2.4 6.B.7)
    "coast_of_two_omitted": ("illegal | first", {
        "France: F Portugal - Spain | {}": "illegal | to SPA/SC by land",
        "Russia: F Constantinople - Bulgaria | {}": "illegal | to BUL/EC by land",
        "France: F Gascony - Spain | to SPA/NC by land": "- |",
        "Italy: F Gulf of Lyon - Spain | to SPA/SC by land": "- |",
        """Russia: F Constantinople - Bulgaria | illegal
        Italy: F Aegean Sea Supports F Constantinople | counts""": " | -",
    }),
    # 4.B.2 a, 6.B.2; 4.B.2 b; 2.4 4.B.2 b: the default coast of Spain is the south coast
    "coast_of_one_omitted": ("amended | illegal | first", {
        "France: F Gascony - Spain | {}": "to SPA/NC by land | illegal | illegal",
        "Italy: F Gulf of Lyon - Spain | to SPA/SC by land": " | - |",
        "Russia: F Barents Sea - St Petersburg | to STP/NC by land": " | - |",
        "France: F Gascony - Spain(nc) | to SPA/NC by land": "- | |",
        "France: F Gascony - Brest | to BRE by land": "- | |",
        "France: A Gascony - Spain | to SPA by land": "- | | -",
    }),
    # 4.B.3 b, 6.B.3, 6.D.29; 4.B.3 a
    "coast_impossible": ("illegal | amended", {
        "France: F Gascony - Spain(sc) | {}": "illegal | to SPA/NC by land",
        "Italy: F Gulf of Lyon - Spain(nc) | to SPA/SC by land": "- |",
        "Italy: F Mid-Atlantic Ocean - Spain(sc) | to SPA/SC by land": "- |",
        "Italy: F Ionian Sea - Spain(sc) | illegal": "- |",
        """Russia: F Rumania - Bulgaria(sc) | illegal
        Austria: A Budapest Supports F Rumania | counts""": " | -",
    }),
    # 2.4 4.B.4 a, b, c (Calhamer), d, e (the DPTG)
    "support_coast": ("required | first | own | optional | ignored", {
        OWN_NO_COAST: "illegal | invalid | counts | counts | counts",
        OWN_NO_COAST.replace("(nc) | to SPA/NC", "(sc) | to SPA/SC"): "- | counts | - | - | -",
        """France: F Portugal Supports F Mid-Atlantic Ocean - Spain | {}
        England: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land""": (  # 6.B.15
            "illegal | invalid | illegal | counts | counts"
        ),
        """France: F Portugal Supports F Gascony - Spain | {}
        England: F Gascony - Spain(nc) | to SPA/NC by land""": (  # 6.B.8, with a foreign fleet
            "illegal | illegal | counts | counts | counts"
        ),
        """France: F Portugal Supports F Mid-Atlantic Ocean - Spain(nc) | {}
        France: F Mid-Atlantic Ocean - Spain(sc) | to SPA/SC by land""": (  # 6.B.9
            "invalid | invalid | invalid | invalid | counts"
        ),
        """France: F Portugal Supports F Mid-Atlantic Ocean - Spain(nc) | counts
        England: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land""": " | | | |",
        """France: F Portugal Supports A Gascony - Spain | counts
        France: A Gascony - Spain | to SPA by land""": " | | | |",
    }),
    # 4.B.5 b and a
    "unit_coast_wrong": ("ignored | illegal", {
        """France has F SPA/SC
        France: F Spain(nc) - Gulf of Lyon | {}""": "to LYO by land | illegal",  # 6.B.10
        """France: F Spain(sc) - Mid-Atlantic Ocean | to MAO by land
        Italy: F Western Mediterranean Supports F Spain(nc) - Mid-Atlantic Ocean | {}""": (
            "counts | illegal"  # 3.2 6.B.17
        ),
        """Italy: F Spain(sc) Holds | holds
        England: F Portugal Supports F Spain(nc) | {}""": "counts | illegal",  # 3.2 6.B.16
        """France has F SPA/NC
        France: F Spain(sc) - Gulf of Lyon | illegal""": " | -",  # 6.B.11
        "France: F Spain(sc) - Gulf of Lyon | to LYO by land": "- |",
        """France has F SPA/SC
        France: F Spain - Gulf of Lyon | to LYO by land""": "- |",
    }),
    # 4.B.6 b, 6.B.12; 4.B.6 a
    "coast_irrelevant": ("ignored | illegal", {
        "France: A Gascony - Spain(nc) | {}": "to SPA by land | illegal",
        "France: F Gascony - Spain(wc) | {}": "to SPA/NC by land | illegal",
        "France: F Mid-Atlantic Ocean - Spain(wc) | illegal": " |",  # as without a coast
        "France: F Mid-Atlantic Ocean - Spain(nc) | to SPA/NC by land": "- |",
        "France: F Mid-Atlantic Ocean - Brest(ec) | {}": "to BRE by land | illegal",
        "France has F BRE\nFrance: F Brest(ec) - Gascony | {}": "to GAS by land | illegal",
        "France has A SPA\nFrance: A Spain(nc) - Gascony | {}": "to GAS by land | illegal",
        # "an order that contains an unknown coast, such as ... Brest east coast"
        """France: A Marseilles Supports A Gascony - Spain(nc) | {}
        France: A Gascony - Spain | to SPA by land""": "counts | illegal",
        """France: F Mid-Atlantic Ocean Supports F English Channel - Brest(ec) | {}
        France: F English Channel - Brest | to BRE by land""": "counts | illegal",
        """France: F Mid-Atlantic Ocean Convoys A Brest - Spain(nc) | {}
        France: A Brest - Spain | {}""": "counts, to SPA by convoy | illegal, invalid",
    }),
    # 4.C.1 and 4.C.2 b, a, c
    "kind_missing": (NAMINGS, _kinds("")),
    "kind_wrong": (NAMINGS, _kinds("F ")),
    # 4.C.5 and 4.C.6 b, a, c
    "nationality_missing": (NAMINGS, _nations("") | {
        "France: A Paris Supports German A Munich - Burgundy | counts\n"
        "Germany: A Munich - Burgundy | to BUR by land": "- | | -",
        "France: A Burgundy Supports Germany's A Munich | counts\n"
        "Germany: A Munich Holds | holds": "- | | -",
        "France: A Paris Supports A Marseilles - Burgundy | counts\n"
        "France: A Marseilles - Burgundy | to BUR by land": "- | | -",  # its own unit needs none
    }),
    "nationality_wrong": (NAMINGS, _nations("Italian ") | {
        "France: F English Channel Convoys French A London - Belgium | {}\n"
        "England: A London - Belgium | {}": (
            "counts, to BEL by convoy | illegal, invalid | counts, to BEL by convoy"
        ),
        "France: A Paris Supports German A Munich - Burgundy | counts\n"
        "Germany: A Munich - Burgundy | to BUR by land": "- | | -",
        "France: A Paris Supports A Munich - Burgundy | counts\n"
        "Germany: A Munich - Burgundy | to BUR by land": "- | | -",
    }),
    # 4.D.3 c, a, b
    "multiple_orders": ("hold | first | last", {
        TWO_ORDERS: (
            "illegal, illegal, counts | to BUR by land, illegal, invalid | "
            "illegal, to GAS by land, invalid"
        ),
        """France: A Paris - Burgundy | to BUR by land
        France: Army Paris moves to Burgundy | to BUR by land""": " | |",
        """Russia: A Moscow - Munich | illegal
        Russia: A Moscow - Ukraine | to UKR by land
        Russia: A Moscow - Spain | illegal""": " | |",
        """France: A Paris - Burgundy | {}
        France: A Paris - Gascony | illegal
        France: A Paris - Burgundy | {}""": (  # equal to the one that is used
            "illegal, illegal | to BUR by land, to BUR by land | to BUR by land, to BUR by land"
        ),
    }),
    # 4.E.1; 2.4 4.E.1 c, b, a
    "legal": ("position | map | places | format", {
        """Russia: F Rumania - Holland | illegal
        Austria: A Budapest Supports F Rumania | {}""": "counts | counts | invalid | invalid",
        # 6.D.28; the next is 6.D.32
        """Germany: A Yorkshire - Holland | illegal
        France: F London Supports A Yorkshire | {}""": "counts | invalid | invalid | invalid",
        """Russia: F Rumania Supports F Sevastopol - Moscow | illegal
        Austria: A Budapest Supports F Rumania | counts""": " | | |",
        """Russia: A Moscow - Munich | illegal
        Russia: A Moscow - Ukraine | {}""": "to UKR by land | to UKR by land | illegal | illegal",
        """Russia: A Moscow - Sweden | illegal
        Russia: A Moscow - Ukraine | to UKR by land""": " | - | - | -",
        """England: A Yorkshire - Holland | illegal
        England: A Yorkshire - London | illegal""": "- | | - | -",
        # a convoy order that "can't be valid" shows no intent; other fleets could make this one so
        HALF_ORDERED_ALONE.replace("counts", "illegal"): "to EDI by land | invalid | - | -",
    }),
    # 4.D.9 b and a
    "disorder_support": ("given | refused", {
        """Austria has A BUD, A VIE
        Russia: A Rumania Supports A Budapest | {}""": "counts | invalid",
        """Austria has A BUD, A VIE
        Austria: A Vienna Holds | holds
        Russia: A Rumania Supports A Budapest | counts""": " |",
    }),
}  # fmt: skip


def _rows() -> Iterator[Any]:
    for setting, (values, situations) in VALUES.items():
        for number, (situation, fates) in enumerate(situations.items(), start=1):
            for value, fate in zip(values.split("|"), fates.split("|"), strict=True):
                if fate.strip() != "-":
                    whole = situation.format(*map(str.strip, fate.split(",")))
                    name = f"{setting}-{value.strip().replace(' ', '_')}-{number}"
                    yield pytest.param(setting, value.strip(), whole, id=name)


@pytest.mark.parametrize(("setting", "value", "situation"), list(_rows()))
def test_a_setting_reads_orders_as_its_choice_in_the_datc_says(
    setting: str, value: str, situation: str
) -> None:
    check(situation, **{setting: value})


def test_every_value_of_every_setting_is_tested() -> None:
    """Settings of the adjustment phase, of centres and victory, and of how orders are submitted and
    read have tests elsewhere."""
    found = {setting: {*map(str.strip, one.split("|"))} for setting, (one, _) in VALUES.items()}
    assert found == {
        setting: set(values)
        for setting, values in setting_values().items()
        if setting not in {*ADJUSTMENT_SETTINGS, *READING_SETTINGS, "victory", "centers_change"}
    }


# --- rules that no single setting states ---------------------------------------------------------

Under: TypeAlias = tuple[str, dict[str, str]]


def under(situation: str, **settings: str) -> Under:
    """A situation, and settings under which its orders meet their fates."""
    return situation, settings


def _by_path(path: str, army: str, fleet: str, fallback: str) -> Under:
    return under(
        f"""England: A London - {path} - Wales | {army}
        France: F English Channel Convoys A London - Wales | {fleet}
        England: F North Sea Hold | holds""",
        convoy_path="allowed",
        via_without_convoy=fallback,
    )


def _badly_named(setting: str, kind: str, several: str, burgundy: str, gascony: str) -> Under:
    situation = f"""France has A PAR
        France: {kind}Paris - Burgundy | {burgundy}
        France: {kind}Paris - Gascony | {gascony}"""
    return situation, {setting: "unless named", "multiple_orders": several}


SUPPORTED_TO_HOLD = """France: A Paris Holds | holds
    France: A Paris - Gascony | illegal
    France: A Picardy Supports A Paris | counts"""
RULES: dict[str, list[Under]] = {
    "without the convoy of the written path, via is a way by land": [
        _by_path("North Sea", "to WAL by land", "counts", "by land"),
        _by_path("North Sea", "illegal", "invalid", "by land without path"),
        _by_path("English Channel", "to WAL by convoy", "counts", "by land"),
        _by_path("English Channel", "to WAL by convoy", "counts", "by land without path"),
    ],
    # 4.A.6: with paths, a player cannot kidnap an army; the convoy fails without the path
    "where paths are required, no army is convoyed to a neighbour without one": [
        under(situation.format("land"), convoy_path="required", adjacent_convoy=value)
        for situation in (SWAP_OWN, KIDNAP)
        for value in ("intent", "opposed", "always")
    ],
    # DATC 2.4, 4.A.3 d: "if the fleet is not part of a possible convoy path, then the intent is to
    # confuse the judge and therefore the land route should be taken", whether the order is legal or
    # not. DATC 3.0, 4.A.3 asks for a fleet "legally ordered to convoy".
    "a fleet that is part of no possible convoy shows no intent": [
        under(situation.format("land"), legal=legal, via_without_convoy=without)
        for situation in (ILLEGAL_INTENT, UNNECESSARY)
        for legal in ("position", "map", "places", "format")
        for without in ("stays", "by land")
    ],
    # 4.B.6 b and 4.B.2 b together: F Gascony - Spain(wc) is F Gascony - Spain, which fails
    "an unknown coast that is ignored is an omitted coast": [
        under(
            "France: F Gascony - Spain(wc) | illegal",
            coast_irrelevant="ignored", coast_of_one_omitted="illegal",
        ),
    ],
    # 4.C.1 a, 4.C.2 a: "the order is invalid (the unit can receive hold support)"
    "a unit whose kind is illegal can be supported to hold": [
        (
            f"""France has A PAR, A PIC
            France: {kind}Paris - Burgundy | illegal
            France: A Picardy Supports A Paris | counts""",
            {setting: "illegal", "legal": "places"},
        )
        for setting, kind in (("kind_missing", ""), ("kind_wrong", "F "))
    ],
    # 4.C.1 c, 4.C.2 c: neither is ignored, for no other order names the unit properly
    "two orders that name the unit badly are just two orders": [
        _badly_named(setting, kind, *fates)
        for setting, kind in (("kind_missing", ""), ("kind_wrong", "F "))
        for fates in (
            ("hold", "illegal", "illegal"),
            ("first", "to BUR by land", "illegal"),
            ("last", "illegal", "to GAS by land"),
        )
    ],
    # 4.C.1 b beside 4.C.5 c: the kind does not matter, the nationality does
    "a missing nationality gives way to a better order even if the kind is missing too": [
        under(
            """France has A BUR
            Germany has A MUN, A RUH
            France: Burgundy Supports A Munich | illegal
            France: A Burgundy Supports German A Ruhr | counts""",
            nationality_missing="unless named",
        ),
    ],
    # 4.D.3 c: "changed in a hold order (able to receive a hold support)"
    "a unit with several orders holds and can be supported": [
        under(
            TWO_ORDERS.format("illegal", "illegal", "counts"),
            multiple_orders="hold", legal="places",
        ),
    ],
    # 4.D.3 a: the first order is used, so the possible move that follows has no effect
    "a unit whose used order is to hold can be supported": [
        under(SUPPORTED_TO_HOLD, multiple_orders="first"),
        under(SUPPORTED_TO_HOLD, multiple_orders="first", legal="places"),
    ],
    # 6.D.31, last paragraph, and the example of 4.E.1
    "the second order is used where the first is illegal": [
        under(
            """Austria: A Rumania - Armenia | to ARM by convoy
            Turkey: F Black Sea Supports A Rumania - Armenia | illegal
            Turkey: F Black Sea Convoys A Rumania - Armenia | counts"""
        ),
        under(
            """Germany: F Kiel Hold | holds
            Germany: A Holland Supports Kiel | counts
            Germany: A Holland - Picardy | illegal"""
        ),
    ],
    # 4.E.1: a support must be possible at the same time as what it supports (6.D.31)
    "a support of the unit's own move is illegal": [
        under("France: A Paris Supports A Paris - Burgundy | illegal"),
    ],
    # 4.E.1: "a non-matching order should be labeled invalid, not illegal" (6.D.25 to 6.D.27)
    "a support or convoy that nothing matches is invalid and not illegal": [
        under(
            """Germany: A Berlin Supports A Prussia | invalid
            Germany: F Kiel Supports A Berlin | counts
            Russia: F Baltic Sea Convoys A Berlin - Livonia | invalid
            Russia: A Prussia - Silesia | to SIL by land"""
        ),
    ],
    "a fleet can support a convoy that others could carry": [
        under(
            """England: A London - Belgium | to BEL by convoy
            England: F North Sea Supports A London - Belgium | counts
            England: F English Channel Convoys A London - Belgium | counts"""
        ),
    ],
    "fleets are not convoyed, and armies do not stop at sea": [
        under(
            """England: F London - Belgium | illegal
            England: A Wales - English Channel | illegal
            England: F English Channel Convoys F London - Belgium | illegal"""
        ),
    ],
    "a fleet ordered via convoy goes its own way": [
        under("England: F London - North Sea via convoy | to NTH by land"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("situation", "settings"),
    [
        pytest.param(*case, id=f"{rule} {at}")
        for rule, cases in RULES.items()
        for at, case in enumerate(cases)
    ],
)
def test_orders_meet_their_fates_under_several_settings(
    situation: str, settings: dict[str, str]
) -> None:
    check(situation, **settings)


# --- other contents of a ruling ------------------------------------------------------------------


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
        ("allowed", "- North Sea - Belgium", {"NTH"}),
        ("allowed", "- English Channel - Belgium", {"ENG"}),
        ("allowed", "- Belgium", {"NTH", "ENG"}),
        ("required", "- North Sea - Belgium", {"NTH"}),
    ],
)
def test_a_written_path_says_which_fleets_convoy_unless_paths_are_ignored(
    value: str, path: str, fleets: set[str]
) -> None:
    _, phase = judged(over(path), convoy_path=value)
    (move,) = phase.moves
    assert {convoy.province.code for convoy in move.convoys} == fleets


def test_an_ignored_path_is_amended_and_reported() -> None:
    (ruling, *_), _ = judged(over("- North Sea - Belgium"))
    assert ruling.status is RulingStatus.AMENDED
    assert isinstance(ruling.order, Move)
    assert (ruling.order.target, ruling.order.path) == ("BEL", ())
    assert "path" in ruling.reason


@pytest.mark.parametrize(
    "order",
    ["F Gascony - Spain", "F Gascony - Spain(wc)", "F Gascony - Brest(nc)", "Gascony - Brest"],
)
def test_an_amendment_of_an_order_is_reported(order: str) -> None:
    ((ruling,), _) = judged(f"France has F GAS\nFrance: {order} | amended")
    assert ruling.status is RulingStatus.AMENDED
    assert ruling.code
    assert ruling.reason


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


def test_without_a_fallback_an_own_fleet_commits_the_army_to_the_convoy() -> None:
    """DATC 3.0, 4.A.3: "there should be no fallback. So, if ordered with 'via convoy' or there is a
    fleet of the same country legally ordered to convoy, only then the convoy route should be
    considered." DATC 2.4, 4.A.3 d, falls back where no route is ordered."""
    _, phase = judged(HALF_ORDERED.format("invalid"))
    (mismatch,) = phase.invalid.values()
    assert "F NAO shows that it is to go by convoy" in mismatch.reason


def test_an_illegal_convoy_order_that_commits_the_army_is_named_in_the_reason() -> None:
    """DATC 2.4, 4.E.1 c: an impossible order has effects, here the intent of 4.A.3. The reader of
    the verdict must be able to see what keeps the army from going over land."""
    orders = {"ENGLAND": ["A LVP - EDI", "F NAO C A LVP - EDI"], "RUSSIA": ["F BAR H"]}
    outcome = adjudicate(orders, "datc+4.E.1-c")
    assert outcome.order("F NAO").verdict == "illegal"
    assert "F NAO shows that it is to go by convoy" in outcome.order("A LVP").reason.text


# --- the fleets a convoy needs -------------------------------------------------------------------


def _whole(origin: str, target: str, fleets: Collection[str]) -> bool:
    """Whether fleets make a whole route, by growing the region an army can reach."""
    reached = BOARD.water[origin] & set(fleets)
    while True:
        grown = reached | {sea for place in reached for sea in BOARD.water[place] if sea in fleets}
        if grown == reached:
            return bool(reached & BOARD.water[target])
        reached = grown


def _needed(origin: str, target: str, fleets: Collection[str]) -> set[str]:
    """The fleets without which some set of fleets no longer makes a route."""
    whole = {
        frozenset(some)
        for size in range(len(fleets) + 1)
        for some in combinations(sorted(fleets), size)
        if _whole(origin, target, some)
    }
    return {fleet for some in whole for fleet in some if some - {fleet} not in whole}


def _sea_sets(seed: int, count: int) -> Iterator[tuple[str, str, list[str]]]:
    """Two coastal provinces and up to eight fleets, most of them in one region."""
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


@pytest.mark.parametrize("seed", few_of(range(8), 2))
def test_fleets_on_minimal_routes_are_those_that_some_set_of_fleets_needs(seed: int) -> None:
    sizes = set()
    for origin, target, fleets in _sea_sets(seed, 40):
        expected = _needed(origin, target, fleets)
        found = {f for f in fleets if on_minimal_route(BOARD.convoys, origin, target, fleets, f)}
        assert found == expected, (origin, target, fleets)
        is_whole = _whole(origin, target, fleets)
        assert route_exists(BOARD.convoys, origin, target, fleets) == is_whole
        sizes.add(len(expected))
    assert len(sizes) >= 4  # no route, and routes of several lengths


def _shortcut_free(origin: str, target: str) -> set[str]:
    """The seas on paths without shortcuts from coast to coast, with every sea open."""
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


@exhaustive
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
