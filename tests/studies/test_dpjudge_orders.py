"""How the DPjudge treats orders, retreats and marks by its own text, whatever the rule profile.

The text is Hand, the DPjudge's adjudication algorithm.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from tests.phases import adjudicate, position_of, sheet_of

Orders = Mapping[str, Sequence[str]]

RULES = ("datc", "1971", "datc+4.A.5-a", "datc+4.A.6-c", "datc+4.E.1-c", "jdip")


def by_dpjudge(orders: Orders, rules: str = "datc", options: str = "") -> dipsat.Outcome:
    return adjudicate(orders, rules, engine=f"dpjudge({options})")


def marks(orders: Orders, rules: str = "datc", options: str = "") -> dict[str, tuple[str, ...]]:
    """The marks of every order that has some."""
    outcome = by_dpjudge(orders, rules, options)
    return {str(o.submitted): o.marks for o in outcome.orders if o.marks}


def retreats(orders: Orders, rules: str = "datc") -> dict[str, tuple[str, ...]]:
    return {lost.unit: lost.retreats for lost in by_dpjudge(orders, rules).dislodged}


# Step 10: the list of retreats.

CONVOYED = {
    "ENGLAND": ["A HOL - NTH - BEL", "F NTH C A HOL - BEL", "F ENG S A HOL - BEL"],
    "GERMANY": ["F BEL H"],
}


@pytest.mark.parametrize("rules", RULES)
def test_retreat_to_where_an_attacker_came_from_is_listed_only_if_it_was_convoyed(
    rules: str,
) -> None:
    """Step 10: "nor the space from which the dislodged unit's attacker came, unless the attacker
    was convoyed", also where the profile forbids it (DATC 3.0, 4.A.5 a)."""
    assert retreats(CONVOYED, rules) == {"F BEL": ("HOL", "PIC")}
    by_land = {**CONVOYED, "ENGLAND": ["A HOL - BEL", "F NTH S A HOL - BEL", "F ENG H"]}
    assert retreats(by_land, rules) == {"F BEL": ("PIC",)}


@pytest.mark.parametrize("rules", ["datc", "base+judges/retreat-anywhere-after-convoy"])
def test_spaces_with_a_combat_list_are_not_listed(rules: str) -> None:
    """Step 10: "do not list any space that has a non-empty combat list": a unit stays in HOL, two
    bounce in PIC."""
    orders = {
        "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG S A LON - BEL"],
        "FRANCE": ["A PAR - PIC"],
        "GERMANY": ["A BEL H", "A HOL H", "A RUH H"],
        "ITALY": ["A BRE - PIC"],
    }
    assert retreats(orders, rules) == {"A BEL": ("BUR",)}


def test_list_is_made_before_others_become_free_to_move() -> None:
    """Step 10: the list is created, and then unbounce executed "for the space being vacated": A
    SIL bounced off A MUN in BER, and moves there once A MUN is dislodged from there; its own
    space was still in a combat list when the retreats were listed. A profile makes the list
    after all moves."""
    orders = {
        "GERMANY": ["A BER - MUN", "A TYR S A BER - MUN"],
        "FRANCE": ["A MUN - BER"],
        "RUSSIA": ["A SIL - BER"],
    }
    outcome = by_dpjudge(orders)
    assert outcome.order("A SIL").verdict == "succeeds"
    assert retreats(orders)["A MUN"] == ("BOH", "BUR", "KIE", "RUH")
    (lost,) = adjudicate(orders).dislodged
    assert lost.retreats == ("BOH", "BUR", "KIE", "RUH", "SIL")


def test_conditions_of_the_profile_on_retreats_hold_for_the_list_too(tmp_path: Path) -> None:
    """Retreating is a matter of the next phase, in which the profile decides."""
    path = tmp_path / "own.yaml"
    path.write_text("extends: datc\nlegal:\n  shut(r): r.target.code != 'HOL'\n", encoding="utf-8")
    assert retreats(CONVOYED, str(path)) == {"F BEL": ("PIC",)}


# The convoy path given in the order.

ROUND_ABOUT = {
    "ENGLAND": ["A LON - NTH - BEL", "F NTH C A LON - BEL"],
    "FRANCE": ["F ENG C A LON - BEL", "F IRI H"],
    "GERMANY": ["F HEL - NTH", "F SKA S F HEL - NTH"],
}


@pytest.mark.parametrize("rules", RULES)
def test_army_goes_by_the_path_of_its_order(rules: str) -> None:
    """checkDisruptions: "For each fleet in the army's convoy path"; the one in ENG is not in it."""
    assert marks(ROUND_ABOUT, rules)["A LON - NTH - BEL"] == ("no convoy",)
    no_path = {**ROUND_ABOUT, "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]}
    if rules != "datc+4.A.6-c":
        assert by_dpjudge(no_path, rules).order("A LON").verdict == "succeeds"
    other = {**ROUND_ABOUT, "ENGLAND": ["A LON - ENG - BEL", "F NTH C A LON - BEL"]}
    assert by_dpjudge(other, rules).order("A LON").verdict == "succeeds"


def test_every_fleet_of_the_path_must_convoy_and_be_out_of_danger() -> None:
    """Also one that the convoy could do without. Step 1: "if trying to convoy through a fleet that
    was not issued a matching convoy order, mark the army's order as no convoy"."""
    orders = {**ROUND_ABOUT, "ENGLAND": ["A LON - ENG - NTH - BEL", "F NTH C A LON - BEL"]}
    assert marks(orders)["A LON - ENG - NTH - BEL"] == ("no convoy",)
    del orders["GERMANY"]
    assert by_dpjudge(orders).order("A LON").verdict == "succeeds"
    orders["FRANCE"] = ["F ENG H"]
    assert marks(orders) == {"A LON - ENG - NTH - BEL": ("no convoy",)}
    assert by_dpjudge(orders).order("A LON").verdict == "fails"


@pytest.mark.parametrize("path", ["SKA", "NTH - ENG - SKA", "NWG - NTH", "NTH - YOR"])
def test_order_with_a_path_that_does_not_exist_on_the_map_is_void(path: str) -> None:
    """Step 1: "If the convoy path given in the order is not a series of adjacent spaces each having
    the proper terrain type ... mark the army's order as void"."""
    order = f"A LON - {path} - BEL"
    orders = {"ENGLAND": [order, "F NTH C A LON - BEL", "F ENG H", "F SKA H", "F NWG H"]}
    outcome = by_dpjudge(orders)
    assert outcome.order("A LON").verdict == "illegal"
    assert outcome.order("A LON").marks == ("void",)
    assert "is not a convoy path" in outcome.order("A LON").reason.text


def test_cut_support_spares_only_what_concerns_the_fleets_of_the_path() -> None:
    """cutSupport: "the locations of each of the convoying fleets (and only those fleet
    locations)"."""

    def cut(path: str) -> bool:
        orders = {
            "ENGLAND": [f"A LON - {path}BEL", "F NTH C A LON - BEL", "F ENG C A LON - BEL"],
            "FRANCE": ["F BEL S F IRI - ENG", "F IRI - ENG"],
        }
        return marks(orders).get("F BEL S F IRI - ENG") == ("cut",)

    assert cut("NTH - ")
    assert not cut("ENG - ")


@pytest.mark.parametrize("rules", ["datc", "1982"])
def test_army_that_names_a_path_to_a_neighbour_does_not_go_over_land(rules: str) -> None:
    """The order is for a convoy, and step 1 has no way over land; under 1982 an army ordered via
    convoy goes over land if no convoy is ordered (DATC 2.4, 4.A.3 d)."""
    orders = {"ENGLAND": ["A LON - ENG - WAL", "F ENG H"]}
    assert marks(orders, rules) == {"A LON - ENG - WAL": ("no convoy",)}


# Orders that need units that do not exist: three options.


def test_a_fleet_that_does_not_exist_makes_a_hold_or_is_marked() -> None:
    """Step 1: "either change the army's order to HOLD or mark the army's order as no convoy". Only
    a unit that holds can be supported to hold."""
    orders = {
        "ENGLAND": ["A EDI - HOL", "A YOR S A EDI"],
        "FRANCE": ["A CLY - EDI", "F NWG S A CLY - EDI"],
    }

    def found(options: str, rules: str) -> tuple[str, tuple[str, ...], str]:
        outcome = by_dpjudge(orders, rules, options)
        army = outcome.order("A EDI")
        return army.fate, army.marks, outcome.order("A YOR").verdict

    for rules in ("datc", "datc+4.E.1-c", "datc+4.E.1-b"):
        for options in ("", "missing_army=mark,missing_unit=mark"):
            assert found(options, rules) == ("", (), "given")
        assert found("missing_fleet=mark", rules) == (
            "dislodged", ("no convoy", "dislodged"), "invalid",
        )  # fmt: skip


@pytest.mark.parametrize("options", ["", "missing_fleet=mark"])
def test_a_fleet_of_the_path_that_does_not_exist_counts_as_one(options: str) -> None:
    """Here the fleet in NTH could carry the army alone, but the order names another one too."""
    orders = {"ENGLAND": ["A LON - ENG - NTH - BEL", "F NTH C A LON - BEL", "F WAL S A LON"]}
    outcome = by_dpjudge(orders, options=options)
    is_marked = bool(options)
    assert outcome.order("A LON").marks == ("no convoy",) * is_marked
    assert outcome.order("F WAL").verdict == ("invalid" if is_marked else "given")
    # The army "did not issue the matching order" if it holds.
    assert outcome.order("F NTH").marks == (() if is_marked else ("void",))


@pytest.mark.parametrize(
    ("order", "option"),
    [
        ("F NTH C A YOR - NWY", "missing_army"),
        ("F NTH S A YOR - NWY", "missing_unit"),
        ("F NTH S A YOR", "missing_unit"),
    ],
)
def test_a_unit_that_does_not_exist_makes_a_hold_or_a_void_order(order: str, option: str) -> None:
    """Step 1: "either change the fleet's order to HOLD or mark the fleet's order as void"; step 2:
    "either change the supporting unit's order to HOLD or mark the order as void"."""
    orders = {"ENGLAND": [order]}
    others = {"missing_fleet", "missing_army", "missing_unit"} - {option}
    assert marks(orders) == marks(orders, options=",".join(f"{o}=mark" for o in others)) == {}
    assert marks(orders, options=f"{option}=mark") == {order: ("void",)}


def test_an_army_that_goes_over_land_needs_no_fleet() -> None:
    assert marks({"ENGLAND": ["A LON - YOR"]}, options="missing_fleet=mark") == {}


# Orders that the map makes impossible.

ATTACKED = {"FRANCE": ["A WAL - LON", "F ENG S A WAL - LON"]}


@pytest.mark.parametrize("order", ["A LON - MOS", "A LON - LON", "A LON - NTH", "A LON - PAR VIA"])
@pytest.mark.parametrize("rules", RULES)
def test_unit_whose_move_is_void_cannot_be_supported_to_hold(order: str, rules: str) -> None:
    """Step 2: "if the unit being supported did not issue the matching order, mark the supporting
    unit's order as void"; a unit with an order to move, void as it may be, did not."""
    orders = {**ATTACKED, "ENGLAND": [order, "F NTH S A LON"]}
    outcome = by_dpjudge(orders, rules)
    assert outcome.order("A LON").marks == ("void", "dislodged")
    assert outcome.order("F NTH").verdict == "invalid"
    assert outcome.order("F NTH").marks == ("void",)


def test_unit_whose_other_order_is_void_can_be_supported_to_hold() -> None:
    orders = {**ATTACKED, "ENGLAND": ["A LON S A PAR - BUR", "F NTH S A LON"]}
    outcome = by_dpjudge(orders, options="missing_unit=mark")
    assert outcome.order("A LON").marks == ("void",)
    assert outcome.order("F NTH").verdict == "given"


def test_unit_that_has_another_order_follows_it() -> None:
    """Which of several orders counts is a matter of reading them (DATC 4.D.3)."""
    position = position_of({**ATTACKED, "ENGLAND": ["A LON H", "F NTH S A LON"]})
    orders = {**ATTACKED, "ENGLAND": ["A LON - MOS", "A LON H", "F NTH S A LON"]}
    outcome = dipsat.adjudicate(position, orders, engine="dpjudge")
    assert outcome.order("F NTH").verdict == "given"
    assert not outcome.dislodged


def test_support_of_a_void_move_matches_it() -> None:
    """Step 2 marks a support that does not match, or that is not to a neighbour; this one is
    neither."""
    orders = {"ENGLAND": ["A YOR - MOS"], "RUSSIA": ["A LVN S A YOR - MOS", "A ARM S A YOR - MOS"]}
    assert marks(orders) == {"A YOR - MOS": ("void",), "A ARM S A YOR - MOS": ("void",)}


# The marks as words of the result.

MARKED = {
    "ENGLAND": ["A LON - HOL", "F NTH C A LON - HOL", "A YOR S A EDI - LVP", "A EDI H"],
    "FRANCE": ["F HOL - NTH", "F SKA S F HOL - NTH", "F BEL S F HOL - NTH", "A GAS - MOS"],
    "ITALY": ["A PAR - BUR", "A MAR - BUR"],
    "GERMANY": ["A RUH - BEL"],
}


def test_marks_of_all_kinds() -> None:
    """Steps 1 and 2, cutSupport, step 5, bounce, and "Mark the other unit dislodged" (step 10)."""
    assert marks(MARKED) == {
        "A LON - HOL": ("no convoy",),
        "F NTH C A LON - HOL": ("dislodged",),
        "A YOR S A EDI - LVP": ("void",),
        "F BEL S F HOL - NTH": ("cut",),
        "A PAR - BUR": ("bounce",),
        "A MAR - BUR": ("bounce",),
        "A GAS - MOS": ("void",),
        "A RUH - BEL": ("bounce",),
    }
    assert by_dpjudge(MARKED).order("F HOL").verdict == "succeeds"


def adjudicate_command(orders: str, *options: str) -> Any:
    """`dipsat adjudicate` of an order file."""
    return CliRunner().invoke(main, ["adjudicate", "-", *options], input=orders)


SHEET = sheet_of(MARKED)


def test_marks_are_shown_in_a_column_of_their_own_where_asked_for() -> None:
    lines = adjudicate_command(SHEET, "--engine", "dpjudge", "--marks").output.splitlines()
    assert lines[0].split() == ["Order", "Mark", "Why"]
    assert all(" bounce " in line for line in lines if " - BUR  " in line)
    start = lines[0].index("Mark")
    cells = {line[start:].split("  ")[0] for line in lines if line.startswith("  ")}
    assert {"bounce", "none"} <= cells
    assert not any(verdict in cells for verdict in ("succeeds", "given", "stands", "available"))
    usual = adjudicate_command(SHEET, "--engine", "dpjudge").output
    assert " bounce " not in usual
    assert " fails " in usual


def test_marks_are_refused_for_an_engine_that_sets_none() -> None:
    shown = adjudicate_command(SHEET, "--engine", "dip_eval", "--marks")
    assert shown.exit_code == 2
    assert "dip_eval marks none" in shown.stderr


def test_marks_are_printed_as_json() -> None:
    rows = {}
    for name in ("dpjudge", "dip_eval", "recursive_guess"):
        printed = adjudicate_command(SHEET, "--engine", name, "--json").output
        rows[name] = json.loads(printed)["orders"]
    found = {row["submitted"]: tuple(row["marks"]) for row in rows.pop("dpjudge") if row["marks"]}
    assert found == marks(MARKED)
    assert all("marks" not in row for listed in rows.values() for row in listed)


@pytest.mark.parametrize("option", ["--marks", "--transformed"])
@pytest.mark.parametrize("name", ["dpjudge", "dip_eval"])
def test_marks_and_the_order_set_are_refused_in_other_phases(option: str, name: str) -> None:
    builds = "phase: W1901A\ncenters: {FRANCE: [PAR]}\norders: {France: [Build A Par]}\n"
    shown = adjudicate_command(builds, "--engine", name, option)
    assert shown.exit_code == 2
    assert f"{option} is for movement phases, and this is W1901A" in shown.stderr


@pytest.mark.parametrize(("name", "rules"), [("dip_eval", "1971"), ("dpjudge", "datc")])
def test_command_says_that_an_engine_played_by_rules_of_its_own(name: str, rules: str) -> None:
    shown = adjudicate_command(SHEET, "--engine", name, "--rules", rules).output
    profile = dipsat.load_profile(rules).name
    own = f"Decided by {name} by rules of its own, not by the equations of {profile}; nothing is"
    assert own in " ".join(shown.split())
    usual = adjudicate_command(SHEET, "--engine", "decision_graph", "--rules", rules).output
    assert "rules of its own" not in usual


@pytest.mark.parametrize("rules", RULES)
def test_a_convoy_is_void_if_the_army_is_ordered_to_go_over_land(rules: str) -> None:
    """Step 1: "if the army being convoyed did not issue the matching order"."""
    orders = {"FRANCE": ["A MAR - SPA"], "ITALY": ["F LYO C A MAR - SPA"]}
    outcome = by_dpjudge(orders, rules)
    assert outcome.order("A MAR").verdict == "succeeds"
    fleet = outcome.order("F LYO")
    assert (fleet.marks, fleet.verdict) == (("void",), "disrupted")
    assert fleet.reason.text == 'step 1 marks it "void": A MAR is not ordered to go by convoy'
    assert not marks({"FRANCE": ["A MAR - LYO - SPA"], "ITALY": ["F LYO C A MAR - SPA"]}, rules)
