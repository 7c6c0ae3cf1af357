"""Where rules are from: the sections of the DATC, and the user's own rule files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pytest

import dipsat
from dipsat.rules import (
    Citation,
    cite,
    datc_sections,
    load_profile,
    parse_profile,
    rules_of_section,
    shipped_names,
)
from tests.pages import page

SECTIONS = {  # DATC 3.0, the headings of 5.B
    "5.B.1": "move", "5.B.2": "support", "5.B.3": "convoy", "5.B.4": "path",
    "5.B.5": "hold_strength", "5.B.6": "prevent_strength", "5.B.7": "defend_strength",
    "5.B.8": "attack_strength",
}  # fmt: skip
WALLS = """\
name: walls
extends: datc
decisions:
  hold_strength(p): base + (1 if p.supply and some(p.units) and not some(p.departures) else 0)
"""
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"],
    "ITALY": ["A PIE - MAR"],
}


def sources(found: Sequence[Citation]) -> list[str]:
    """The source of each rule, or its place in a file."""
    return [one.source or f"{one.file}:{one.line}" for one in found]


def explained(
    orders: Mapping[str, Sequence[str]], unit: str, rules: str | dipsat.Profile = "datc"
) -> list[str]:
    """What the explanation of a unit's order cites."""
    units = {power: [text[:5] for text in texts] for power, texts in orders.items()}
    outcome = dipsat.adjudicate(dipsat.Position.from_units(units), orders, rules)
    return sources(dipsat.explain(outcome, unit).citations)


def test_every_decision_of_the_datc_is_found_by_its_number_and_cited_by_it() -> None:
    profile = load_profile("datc")
    for number, entry in SECTIONS.items():
        found = rules_of_section(profile, number)
        assert found.section.title == entry.replace("_", " ").capitalize()
        assert entry in {passage.entry for passage in found.passages}
        assert sources(cite(profile, [entry])) == [f"DATC 3.0 {number}"]
    assert {name for name in profile.decisions if not cite(profile, [name])} == set()


def test_passages_are_at_the_lines_that_they_name() -> None:
    for number in ("5.B.2", "5.B.9", "4.A.3", "4.E.1"):
        for passage in rules_of_section(load_profile("datc"), number).passages:
            line = page(passage.file).splitlines()[passage.line - 1]
            assert passage.entry in line
            assert line.strip().removeprefix("- ") in passage.text


def test_every_issue_of_chapter_4_says_something() -> None:
    """Entries and choices, or why there are none: 4.E.4 to 4.E.6 are up to the game master."""
    profile = load_profile("datc")
    issues = [number for number in datc_sections() if re.fullmatch(r"4\.[A-E]\.\d", number)]
    assert len(issues) == 7 + 7 + 6 + 9 + 6
    for number in issues:
        found = rules_of_section(profile, number)
        if number in ("4.E.4", "4.E.5", "4.E.6"):
            assert (found.passages, found.choices) == ((), ())
            assert found.section.note
        else:
            assert found.passages
            files = {f"choices/{one.name}" for one in found.choices}
            assert files == {name for name in shipped_names() if f"/{number}-" in name}


def test_the_preferred_choice_of_the_datc_is_the_one_in_force() -> None:
    """Except 4.E.2, where datc asks the player."""
    for number in datc_sections():
        choices = rules_of_section(load_profile("datc"), number).choices
        preferred = [one.name for one in choices if "DATC 3.0" in one.preferred_by]
        in_force = [one.name for one in choices if one.in_force]
        if number.startswith("4.") and choices:
            assert len(preferred) == 1
            assert in_force == ([] if number == "4.E.2" else preferred)


def test_other_rules_have_another_choice_in_force() -> None:
    found = rules_of_section(load_profile("1982"), "4.A.2")
    assert [one.name for one in found.choices if one.in_force] == ["4.A.2-1982"]
    assert {passage.file for passage in found.passages} == {"rules/choices/4.A.2-1982.yaml"}


def test_numbers_in_the_comments_of_the_standard_rules_are_those_of_the_choices() -> None:
    settings = page("rules/datc.yaml").partition("\nvariables:")[0]
    commented = re.findall(r"^  (\w+): .*?# (4\.[A-E]\.\d)", settings, re.MULTILINE)
    assert len(commented) > 20
    for name, number in commented:
        found = rules_of_section(load_profile("datc"), number)
        assert name in {passage.entry for passage in found.passages}, (name, number)


@pytest.mark.parametrize(("number", "near"), [("5.B.99", "5.B.9"), ("3.B", "5.B")])
def test_an_unknown_number_is_an_error_with_the_nearest(number: str, near: str) -> None:
    with pytest.raises(dipsat.errors.UnknownNameError) as caught:
        rules_of_section(load_profile("datc"), number)
    assert near in str(caught.value)


def test_an_explanation_cites_the_decisions_of_its_tree() -> None:
    # The attack fails against the prevent strength of the other one; its support is cut.
    cited = explained(ORDERS, "A PAR")
    assert cited == [f"DATC 3.0 5.B.{number}" for number in (1, 8, 2, 6)]
    assert explained(ORDERS, "A RUH") == ["DATC 3.0 5.B.2"]


def test_own_rules_are_cited_by_file_and_line_beside_what_they_build_on() -> None:
    own = parse_profile(WALLS, "walls.yaml")
    cited = explained(ORDERS, "A PIE", own)
    assert cited[2:] == ["walls.yaml:4", "DATC 3.0 5.B.5"]
    named = parse_profile(f"{WALLS}sources: {{hold_strength: House rules 3}}\n", "walls.yaml")
    assert explained(ORDERS, "A PIE", named)[2:] == ["House rules 3", "DATC 3.0 5.B.5"]
    assert explained(ORDERS, "A RUH", own) == ["DATC 3.0 5.B.2"]


def test_a_changed_term_is_cited_with_the_decision_that_uses_it() -> None:
    own = "extends: datc\ndefine:\n  cuts(a, s): base and supports_given(a) > 0\n"
    cited = explained(ORDERS, "A MAR", parse_profile(own, "cut.yaml"))
    assert cited[0] == "DATC 3.0 5.B.2"
    assert "cut.yaml:3" in cited
    # The choice of 1982 spares supports, which is an exception in the equation of supports.
    assert explained(ORDERS, "A MAR", "1982") == ["DATC 3.0 5.B.2", "DATC 3.0 4.A.2"]


def test_a_cycle_rule_is_cited() -> None:  # DATC 6.F.14
    orders = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    assert explained(orders, "F ENG")[0] == "DATC 3.0 5.B.9"
    assert explained(orders, "F LON", "2000") == ["DATC 3.0 4.A.2"]


@pytest.mark.parametrize(
    ("phase", "orders", "number"),
    [
        ("S1901M", {"FRANCE": ["A PAR - LON"]}, "4.E.1"),  # impossible
        ("S1901M", {"FRANCE": ["F POR - SPA"]}, "4.B.1"),  # no coast, and two are possible
        ("S1901M", {"FRANCE": ["A PAR - BUR", "A PAR - PIC"]}, "4.D.3"),
        ("W1901A", {"FRANCE": ["A BRE B", "F BRE B"]}, "4.D.5"),
    ],
)
def test_an_illegal_order_cites_the_issue_that_makes_it_so(
    phase: str, orders: Mapping[str, Sequence[str]], number: str
) -> None:
    units = {} if phase == "W1901A" else {"FRANCE": [orders["FRANCE"][0][:5]]}
    position = dipsat.Position.from_units(units, "standard", phase, {"FRANCE": ["BRE", "MAR"]})
    outcome = dipsat.adjudicate(position, orders)
    illegal = next(one for one in outcome.orders if one.verdict == "illegal")
    assert dipsat.explain(outcome, illegal).citations[0].number == number


def test_two_retreats_to_one_province_cite_the_result_that_stops_both() -> None:
    lost = {"RUSSIA": {"A VIE": ["BOH", "GAL"]}, "GERMANY": {"A BUD": ["GAL"]}}
    standing = {"ITALY": ["A VIE", "A BUD"]}
    position = dipsat.Position.from_units(standing, "standard", "F1901R", None, lost)
    orders = {"RUSSIA": ["A VIE R GAL"], "GERMANY": ["A BUD R GAL"]}
    found = dipsat.explain(dipsat.adjudicate(position, orders), "A BUD")
    assert found.tree.text == "A BUD R GAL fails: A VIE retreats there too, so both are disbanded"
    assert [one.entry for one in found.citations] == ["retreat_succeeds"]


def test_a_source_names_an_entry() -> None:
    with pytest.raises(dipsat.errors.ProfileError) as caught:
        parse_profile("extends: datc\nsources: {cutz: House rules 3}\n", "x.yaml")
    assert "x.yaml:2:11: no entry is called 'cutz'; did you mean 'cuts'?" in str(caught.value)


def test_sources_of_changed_entries_are_not_shown() -> None:
    whole = dipsat.rules.whole_profile(parse_profile(WALLS, "walls.yaml"))
    assert "  path: DATC 3.0 5.B.4\n" in whole
    assert "hold_strength: DATC" not in whole
    assert sources(cite(parse_profile(whole, "whole.yaml"), ["path", "hold_strength"])) == [
        "DATC 3.0 5.B.4", "whole.yaml:" + str(1 + whole[: whole.index("  hold_str")].count("\n")),
    ]  # fmt: skip


def test_an_explanation_as_plain_values_has_its_citations() -> None:
    units = {power: [text[:5] for text in texts] for power, texts in ORDERS.items()}
    outcome = dipsat.adjudicate(dipsat.Position.from_units(units), ORDERS)
    (first, *_) = dipsat.explain(outcome, "A PAR").to_dict()["citations"]
    text = page("rules/datc.yaml").splitlines()[first["line"] - 1]
    assert text == "  move(m):"
    assert {**first, "line": 0} == {
        "entry": "move", "source": "DATC 3.0 5.B.1", "title": "Move", "file": "rules/datc.yaml",
        "line": 0,
    }  # fmt: skip
